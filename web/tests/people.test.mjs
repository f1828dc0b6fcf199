// A person and a machine: what the partner says before the deal, why it did something, and what the inspector assumes.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, yokai } from './lib/games.mjs';

const seats = ['machine conventional', 'me'];

export default [
  {
    name: 'People: the partner says how it reads moves before the deal and at the table',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/yokai/new');
      await page.getByLabel('Seat 1', { exact: true }).selectOption('machine conventional');
      await page.getByText(/I read your moves so: a mark that you were not forced to make/).waitFor();
      await page.getByText(/My own moves mean the same to you; I stop only when/).waitFor();
      await bench.picture(page, 'people-new');
      await begin(page, 'Yōkai', { seats, seed: 5, helper: 3 });
      await page.getByText('What conventional says').waitFor();
      await page.getByText(/I read your moves so:/).waitFor();
      await bench.picture(page, 'people-match');
    },
  },
  {
    name: 'People: why did my partner do that, now and afterwards',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats, seed: 5, helper: 3 });
      await yokai.offered(page).first().waitFor({ timeout: 60_000 });
      await quiet(page);
      await page.getByRole('button', { name: 'Why was that done? Event 1', exact: true }).click();
      await page.getByText('As far as it does not tell what only the machine saw:').waitFor();
      await page.getByText('By this look it declares that its moves keep the convention.').waitFor();
      await quiet(page);
      await bench.picture(page, 'people-why');
      await page.getByRole('button', { name: 'Resign', exact: true }).click();
      await page.getByRole('button', { name: /^Yes/ }).click();
      await quiet(page);
      await page.getByRole('button', { name: 'Why was that done? Event 3', exact: true }).click();
      await page.getByText('What the machine said to itself:').waitFor();
      await bench.picture(page, 'people-why-afterwards');
    },
  },
  {
    name: 'People: the inspector is asked with and without the convention',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats, options: { Convention: 'natural: known cards join their colour' }, seed: 5, helper: 3 });
      await yokai.offered(page).first().waitFor({ timeout: 60_000 });
      await page.getByRole('tab', { name: 'Who knows what' }).click();
      const said = page.locator('p.said');
      await said.getByText(/As certain as the hints and the natural convention/).waitFor();
      await page.getByLabel('Assume beyond what I saw').selectOption('hints');
      await page.waitForFunction(() => !/natural convention/.test(document.querySelector('p.said')?.textContent ?? ''));
      assert.equal(await page.getByLabel('Assume beyond what I saw').inputValue(), 'hints');
      await bench.picture(page, 'people-assume');
    },
  },
];
