// Looking back: the slider, other eyes, links to a seat, and matches that branch off.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, untilOver, yokai } from './lib/games.mjs';

export default [
  {
    name: 'A replay goes along the slider, through other eyes and all-seeing, and branches off',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'machine random', 'machine elimination'], seed: 17 });
      const match = page.url();
      await untilOver(page, cluedo.offered(page), () => cluedo.act(page));
      await page.getByRole('region', { name: /^The end/ }).getByRole('link', { name: 'Replay' }).click();
      const slider = page.getByRole('slider', { name: 'Event' });
      await slider.waitFor();
      await page.getByText(/^1 of \d+ events$/).waitFor();
      const of = Number(await slider.getAttribute('max'));
      assert.ok(of > 10, `${of} events`);
      const lines = page.getByRole('list', { name: 'Log' }).getByRole('listitem');
      await quiet(page);
      const few = await lines.count();
      await slider.fill('8');
      await page.getByText(`8 of ${of} events`).waitFor();
      await quiet(page);
      assert.ok((await lines.count()) > few, 'the log grows with the slider');
      await page.getByRole('button', { name: 'Later' }).click();
      await page.getByText(`9 of ${of} events`).waitFor();
      await page.getByRole('group', { name: /^Lane of / }).first().waitFor();
      await bench.picture(page, 'cluedo-replay');

      await page.getByLabel('Seen by').selectOption('1');
      await page.getByRole('heading', { name: 'The hand of seat 1' }).waitFor();
      await page.getByLabel('Seen by').selectOption('all');
      await page.getByRole('heading', { name: 'Everything, as it really was' }).waitFor();
      await page.getByText(/What seat 2, .* could know/).click();
      await page.getByRole('heading', { name: 'The hand of seat 2' }).waitFor();
      await bench.picture(page, 'cluedo-replay-all');

      await page.getByRole('button', { name: 'Branch from here' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Begin the new match' }).click();
      await page.waitForURL((url) => !url.pathname.endsWith('/replay'));
      assert.notEqual(page.url(), match);
      await cluedo.offered(page).first().waitFor();
      await quiet(page);
      await cluedo.act(page);

      // The branch and the match that it comes from stand side by side, with who plays.
      const branch = new URL(page.url()).pathname;
      await page.goto(new URL('/', page.url()).href);
      const matches = page.getByRole('region', { name: 'Continue' });
      await matches.getByRole('link').nth(1).waitFor();
      for (const path of [branch, new URL(match).pathname]) {
        assert.match(await matches.locator(`a[href="${path}"]`).innerText(), /you · random · elimination/);
      }
    },
  },
  {
    name: 'A person resigns after a second question, and everything is open',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'machine random', 'machine random'], seed: 5 });
      await cluedo.offered(page).first().waitFor();
      await quiet(page);
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.getByText('Give this match up? It ends for everybody at the table.').waitFor();
      assert.equal(await page.getByRole('dialog').count(), 0, 'it is asked in its place');
      await bench.picture(page, 'resign');
      await page.getByRole('button', { name: 'No, play on' }).click();
      await page.getByRole('button', { name: 'Resign' }).click();
      await page.getByRole('button', { name: 'Yes, resign' }).click();
      const end = page.getByRole('region', { name: /^The end: seat 0 resigned/ });
      await end.waitFor();
      assert.equal(await page.getByRole('button', { name: 'Resign' }).count(), 0);
      await end.getByRole('link', { name: 'Replay' }).click();
      await page.getByRole('slider', { name: 'Event' }).waitFor();
    },
  },
  {
    name: 'A link to my seat shows it to others, who cannot play, and goes on by itself',
    async run(bench) {
      const ann = await bench.person();
      const ben = await bench.person();
      await begin(ann.page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 9 });
      await yokai.offered(ann.page).waitFor();
      await quiet(ann.page);
      await yokai.act(ann.page);
      await ann.page.getByRole('button', { name: 'Share my seat' }).click();
      const link = await ann.page.getByLabel('Link to look at this seat').inputValue();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await ben.page.goto(link);
      await ben.page.getByText('You can look, not play.').waitFor();
      const cards = ben.page.getByRole('list', { name: 'The sixteen cards' }).getByRole('button');
      await cards.first().waitFor();
      const looked = () => ben.page.getByRole('button', { name: /looked in this turn/ }).count();
      assert.equal(await looked(), 1, 'what the seat saw');
      assert.equal(await ben.page.locator('ul[aria-label="The sixteen cards"] button[aria-disabled=false]').count(), 0, 'nothing can be done');
      assert.equal(await ben.page.getByLabel('Type a move').count(), 0);
      await bench.picture(ben.page, 'shared');
      await yokai.act(ann.page);
      await ben.page.waitForFunction(() => document.querySelectorAll('button[aria-label*="looked in this turn"]').length === 2);
    },
  },
  {
    name: 'A line of the log opens the table as it was, and back to now',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Cluedo', { seats: ['me', 'machine random', 'machine random'], seed: 5 });
      await cluedo.offered(page).first().waitFor();
      await quiet(page);
      await cluedo.act(page);
      const lines = page.getByRole('list', { name: 'Log' }).getByRole('link');
      await lines.nth(1).click();
      await page.getByText(/You are looking at the past: /).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Ask', exact: true }).count(), 0, 'the past is not played');
      await page.getByRole('link', { name: 'Back to now' }).click();
      await page.getByText(/You are looking at the past/).waitFor({ state: 'hidden' });
      await cluedo.offered(page).first().waitFor();
    },
  },
];
