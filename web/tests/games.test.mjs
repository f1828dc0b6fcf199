// The three games from the first click to the end, by mouse, against machines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, express, highCard, settled, untilOver, yokai } from './lib/games.mjs';

/** The result stands there, leads to the replay, and the record can be had. */
async function ended(page, game) {
  const result = page.getByRole('region', { name: /^The end:/ });
  await result.waitFor();
  assert.ok((await result.getByRole('cell').count()) >= 2, 'scores');
  const [file] = await Promise.all([page.waitForEvent('download'), result.getByRole('link', { name: 'Download the record' }).click()]);
  const text = readFileSync(await file.path(), 'utf8');
  assert.match(text, new RegExp(game), 'the record names the game');
  await result.getByRole('link', { name: 'Replay' }).click();
  await page.getByRole('heading', { name: /^Replay:/ }).waitFor();
  await page.getByRole('slider', { name: 'Event' }).waitFor();
}

export default [
  {
    name: 'Cluedo is played from the first click on the home page to the end',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/');
      await page.getByRole('button', { name: /^Play now ?: Cluedo$/ }).click();
      await page.getByRole('heading', { name: 'Cluedo', level: 1 }).waitFor();
      await untilOver(page, cluedo.offered(page), () => cluedo.act(page));
      // A match is given to study only by whoever says so.
      await page.getByRole('checkbox', { name: 'Yes, it may be used' }).check();
      await quiet(page);
      await ended(page, 'cluedo');
      await page.goto('/lab');
      await page.getByText('One match so far:').waitFor();
    },
  },
  {
    name: 'Yōkai is played from the first click to the stop',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 7 });
      await untilOver(page, yokai.offered(page), () => yokai.act(page));
      await ended(page, 'yokai');
    },
  },
  {
    name: 'Eleusis Express is played from the first click through all three rounds',
    async run(bench) {
      const { page } = await bench.person();
      const options = { Rounds: 'each deals once', Cards: '5 cards', Deck: '26 cards in two suits' };
      await begin(page, 'Eleusis Express', { seats: ['me', 'machine careful', 'machine careful'], options, seed: 11 });
      await untilOver(page, express.offered(page), () => express.act(page));
      await ended(page, 'express');
    },
  },
  {
    name: 'High card is played to the end on the board of games that have none of their own',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'High card', { seats: ['me', 'machine random'], options: { Cards: '9' }, seed: 5 });
      await page.getByRole('region', { name: 'Your own' }).getByText('Card', { exact: true }).waitFor();
      await untilOver(page, highCard.offered(page), (round) => highCard.act(page, round));
      await ended(page, 'high-card');
    },
  },
  {
    name: 'A card of Yōkai is dragged to its new place, and refused cards say why',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 7 });
      const cards = page.getByRole('list', { name: 'The sixteen cards' });
      for (let look = 0; look < 2; look += 1) {
        await yokai.offered(page).waitFor();
        await quiet(page);
        await yokai.act(page);
        const seen = cards.locator('button[aria-disabled=true]').first();
        if (look === 0) assert.match((await seen.getAttribute('title')) ?? '', /look/, 'why it cannot be looked at again');
      }
      const centre = async (thing) => {
        const { x, y, width, height } = await thing.boundingBox();
        return [x + width / 2, y + height / 2];
      };
      const card = cards.locator('button[aria-disabled=false]').first();
      const number = await card.getAttribute('data-card');
      const [x, y] = await centre(card);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y + 5, { steps: 4 });
      const place = page.getByRole('button', { name: new RegExp(`^Move card ${number} to `) }).last();
      const [, row, column] = (await place.getAttribute('aria-label')).match(/row (\d+), column (\d+)/);
      const to = await centre(place);
      await page.mouse.move(...to, { steps: 8 });
      await settled(page, () => page.mouse.up());
      await cards.getByRole('button', { name: new RegExp(`^card ${number},.*row ${row}, column ${column}`) }).waitFor();
    },
  },
];
