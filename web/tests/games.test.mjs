// The three games from the first click to the end, by mouse, against machines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { begin, cluedo, express, untilOver, yokai } from './lib/games.mjs';

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
      await ended(page, 'cluedo');
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
];
