// Who knows what, since when and why: the same panel for the three games and for a plain model.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, express, yokai } from './lib/games.mjs';

/** Plays until a number of actions were done. */
async function warmUp(page, game, actions) {
  for (let done = 0; done < actions; done += 1) {
    await game.offered(page).first().waitFor({ timeout: 60_000 });
    await quiet(page);
    if (await game.offered(page).first().isVisible()) await game.act(page, { stopIn: 9 });
  }
  await quiet(page);
}

/** The parts of the panel: known and open facts, why and why not, since, and what another seat knows. */
async function inspect(panel, page, other, { since = true, proof = true } = {}) {
  await panel.getByRole('heading', { name: /^Known/ }).waitFor();
  const known = panel.getByRole('heading', { name: /^Known/ }).locator('xpath=..').locator('button.fact');
  const open = panel.getByRole('heading', { name: /^Open/ }).locator('xpath=..').locator('button.fact');
  const back = panel.getByRole('button', { name: /Back to all facts/ });
  if ((await known.count()) > 0) {
    await known.last().click();
    await panel.getByText('Known to be true').waitFor();
    if (since) await panel.getByText(/since/i).first().waitFor();
    if (proof) {
      await panel.getByRole('heading', { name: 'The proof' }).waitFor();
      const sentences = await panel.locator('ol.proof li').allTextContents();
      assert.ok(sentences.length > 0 && sentences.every((sentence) => sentence.trim().length > 5), 'sentences');
    }
    await back.click();
  } else assert.fail('nothing is known');
  await open.first().click();
  await panel.getByText('Not known').waitFor();
  await panel.getByRole('columnheader', { name: /Here it is true/ }).waitFor();
  await panel.getByRole('columnheader', { name: /Here it is false/ }).waitFor();
  assert.ok((await panel.locator('tr.differs').count()) > 0, 'the two worlds differ in something');
  await back.click();
  const said = panel.locator('p.said');
  await said.waitFor();
  const own = await said.textContent();
  await panel.getByLabel('Add a seat to the chain').selectOption(other);
  await panel.getByRole('button', { name: /^Remove .* from the chain$/ }).waitFor();
  await page.waitForFunction((words) => [...document.querySelectorAll('p.said')].some((p) => p.textContent !== words), own);
  await quiet(page);
  return { known, open, back };
}

/** The lanes, and a dot that opens its moment. */
async function timeline(page) {
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('group', { name: 'Lane of you' }).waitFor();
  const dots = page.getByRole('link', { name: /^Event \d+: .* learned/ });
  assert.ok((await dots.count()) > 0, 'dots');
  await page.getByText('As a table').click();
  await page.getByRole('columnheader', { name: 'Learned' }).first().waitFor();
  await page.evaluate(() => (window.stayed = true));
  await dots.first().click();
  await page.getByText(/You are looking at the past: /).waitFor();
  await page.getByRole('link', { name: 'Back to now' }).click();
  await page.getByText(/You are looking at the past/).waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => window.stayed), true, 'a moment opens inside the page');
  await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
}

export default [
  {
    name: 'The inspector of Cluedo: chain, since, why, why not, timeline',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine elimination'], seed: 6 });
      await warmUp(page, cluedo, 6);
      // A cell of the sheet asks about itself.
      await page.getByRole('grid', { name: 'Note sheet' }).getByRole('button', { name: /: has it(,|$)/ }).first().click();
      await page.getByText('Known to be true').waitFor();
      await page.getByRole('button', { name: /Back to all facts/ }).click();
      const panel = page.getByRole('tabpanel');
      await panel.getByLabel('Filter: words, or a formula').waitFor();
      await inspect(panel, page, '1');
      await panel.getByLabel('Filter: words, or a formula').fill('plum');
      await quiet(page);
      await bench.picture(page, 'cluedo-inspector');
      await timeline(page);
      await bench.picture(page, 'cluedo-timeline');
    },
  },
  {
    name: 'The inspector of Eleusis Express: chain, since, why, why not, timeline',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Eleusis Express', { seats: ['me', 'machine careful', 'machine careful'], seed: 6 });
      await warmUp(page, express, 5);
      await page.getByRole('tab', { name: 'Who knows what' }).click();
      await inspect(page.getByRole('tabpanel'), page, '2');
      await bench.picture(page, 'express-inspector');
      await timeline(page);
    },
  },
  {
    name: 'The inspector of Yōkai: chain, since, why, why not, timeline',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 6 });
      await warmUp(page, yokai, 6);
      await page.getByRole('tab', { name: 'Who knows what' }).click();
      await inspect(page.getByRole('tabpanel'), page, '1');
      await bench.picture(page, 'yokai-inspector');
      await timeline(page);
    },
  },
  {
    name: 'The inspector of a plain model: chain, since, why, why not',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/logic?model=muddy');
      const panel = page.getByRole('region', { name: 'Who knows what' });
      await page.getByLabel('Announce to everybody').fill('muddy(1)');
      await page.getByRole('button', { name: 'Announce', exact: true }).first().click();
      await page.getByRole('list', { name: 'Announcements' }).waitFor();
      await panel.getByLabel('Who?').selectOption({ label: 'child(2)' });
      await quiet(page);
      await inspect(panel, page, '0', { proof: false });
      await bench.picture(page, 'logic-inspector');
    },
  },
  {
    name: 'A position is taken along and opened without its match: the same facts, with their reasons',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine elimination'], seed: 6 });
      await warmUp(page, cluedo, 4);
      await page.getByRole('tab', { name: 'Who knows what' }).click();
      const here = page.getByRole('tabpanel');
      await here.getByRole('heading', { name: /^Known/ }).waitFor();
      const count = (panel) => panel.getByRole('heading', { name: /^(Known|Excluded|Open)/ }).allTextContents();
      const counted = await count(here);
      await here.getByRole('button', { name: 'Take this position along' }).click();
      const dialog = page.getByRole('dialog', { name: 'Take this position along' });
      const link = await dialog.getByLabel('Link to this position').inputValue();
      const [saved] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: /JSON/ }).click()]);
      assert.equal(saved.suggestedFilename(), 'position.json');
      await bench.picture(page, 'position-taken');
      // Somebody else opens the link.
      const { page: other } = await bench.person();
      const asked = [];
      other.on('request', (request) => asked.push(request.url()));
      await other.goto(link);
      const there = other.getByRole('heading', { name: 'Who knows what' }).locator('xpath=..');
      await there.getByRole('heading', { name: /^Known/ }).waitFor();
      assert.deepEqual(await count(there), counted);
      assert.ok(asked.every((url) => !url.includes('plum') && url.length < 200), 'the position is in no address that is sent');
      await inspect(there, other, '1', { since: false });
      await bench.picture(other, 'position');
      // A damaged link says so.
      await other.goto('/position#cluedo:%%');
      await other.getByText('This link is damaged').waitFor();
    },
  },
];
