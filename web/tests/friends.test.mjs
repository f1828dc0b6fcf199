// Several people at one table: in two browsers, and on one device.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, settled } from './lib/games.mjs';

const hand = async (page) => page.getByRole('heading', { name: 'Your hand' }).locator('xpath=following-sibling::ul[1]').getByRole('listitem').allTextContents();

/** What a page was told: every answer of the server that a person received. */
function heard(page) {
  const answers = [];
  page.on('response', async (response) => {
    if (/\/api\/matches\//.test(response.url()) && !response.url().endsWith('/live')) answers.push(await response.text().catch(() => ''));
  });
  return answers;
}

export default [
  {
    name: 'Two browsers at one table: an invite link, own cards only, and news without a reload',
    async run(bench) {
      const ann = await bench.person();
      const ben = await bench.person();
      await begin(ann.page, 'Cluedo', { seats: ['me', 'friend', 'machine random'], seed: 21, helper: 0 });
      const annHears = heard(ann.page);
      const benHears = heard(ben.page);
      await ann.page.getByRole('button', { name: 'Invite' }).click();
      const link = await ann.page.getByLabel('Link for seat 1').inputValue();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await ben.page.goto(link);
      await ben.page.getByRole('button', { name: 'Take the seat' }).click();
      await ben.page.getByRole('heading', { name: 'Cluedo', level: 1 }).waitFor();
      await ben.page.getByRole('heading', { name: 'Your hand' }).waitFor();
      const [annHand, benHand] = [await hand(ann.page), await hand(ben.page)];
      assert.ok(annHand.length > 2 && benHand.length > 2);
      assert.deepEqual(annHand.filter((card) => benHand.includes(card)), [], 'hands share no card');
      await ann.page.getByText('a friend (not here yet)').waitFor({ state: 'hidden' });
      for (const { page } of [ann, ben]) await page.evaluate(() => (window.stayed = true));

      // Whoever is to move does something; the other page follows by itself.
      for (let turn = 0; turn < 8; turn += 1) {
        const offered = [ann, ben].map(({ page }) => cluedo.offered(page).first());
        await Promise.race(offered.map((locator) => locator.waitFor({ timeout: 30_000 })));
        const [one, other] = (await offered[0].isVisible()) ? [ann, ben] : [ben, ann];
        const lines = other.page.getByRole('list', { name: 'Log' }).getByRole('listitem');
        const before = await lines.count();
        await quiet(one.page);
        await cluedo.act(one.page);
        await other.page.waitForFunction((n) => document.querySelectorAll('ol[aria-label=Log] li').length > n, before);
        await quiet(other.page);
      }
      for (const { page } of [ann, ben]) assert.equal(await page.evaluate(() => window.stayed), true, 'no page was loaded again');
      const hands = (answers) => answers.flatMap((text) => [...text.matchAll(/"hand":(\[[^\]]*\])/g)].map((found) => found[1]));
      for (const seen of hands(annHears)) assert.deepEqual(JSON.parse(seen).sort(), [...annHand].sort());
      for (const seen of hands(benHears)) assert.deepEqual(JSON.parse(seen).sort(), [...benHand].sort());
      for (const text of [...annHears, ...benHears]) assert.ok(!/"seed":"?\d/.test(text), 'the seed stays inside');
    },
  },
  {
    name: 'An invite link works once',
    async run(bench) {
      const ann = await bench.person();
      const ben = await bench.person();
      const eve = await bench.person();
      await begin(ann.page, 'Yōkai', { seats: ['me', 'friend'] });
      await ann.page.getByRole('button', { name: 'Invite' }).click();
      const link = await ann.page.getByLabel('Link for seat 1').inputValue();
      await ben.page.goto(link);
      await ben.page.getByRole('button', { name: 'Take the seat' }).click();
      await ben.page.getByRole('heading', { name: 'Yōkai', level: 1 }).waitFor();
      eve.expect(/4\d\d/);
      await eve.page.goto(link);
      await eve.page.getByRole('button', { name: 'Take the seat' }).click();
      await eve.page.getByRole('alert').waitFor();
      // Somebody without a seat sees the table, and no cards.
      await eve.page.goto(new URL(ben.page.url()).pathname);
      await eve.page.getByText('You are looking on.').waitFor();
      assert.equal(await eve.page.getByRole('list', { name: 'The sixteen cards' }).count(), 0);
    },
  },
  {
    name: 'Two people on one device: between their seats the page shows no cards',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'me', 'machine random'], seed: 4, helper: 0 });
      let last;
      const hands = new Map();
      for (let turn = 0; turn < 8 && hands.size < 2; turn += 1) {
        const ready = page.getByRole('button', { name: /^I am seat \d: show my page$/ });
        await ready.or(cluedo.offered(page)).first().waitFor({ timeout: 30_000 });
        if (await ready.first().isVisible()) {
          assert.equal(await page.getByRole('grid', { name: 'Note sheet' }).count(), 0, 'no sheet');
          for (const card of [...hands.values()].flat()) assert.ok(!(await page.locator('main').innerText()).includes(card), `${card} is on the screen`);
          await page.getByText('Nothing of anybody’s cards is on the screen now.').waitFor();
          await bench.picture(page, 'hand-over');
          last = (await ready.first().textContent()).match(/\d/)[0];
          await ready.first().click();
          await page.getByRole('heading', { name: 'Your hand' }).waitFor();
        }
        await quiet(page);
        if (last !== undefined) hands.set(last, await hand(page));
        await cluedo.act(page);
      }
      assert.equal(hands.size, 2, 'both had their turn');
      const [first, second] = [...hands.values()];
      assert.deepEqual(first.filter((card) => second.includes(card)), []);
    },
  },
];
