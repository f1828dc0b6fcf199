// Lessons with exercises that are checked, and the laboratory.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';

export default [
  {
    name: 'Learn: at least eight lessons, and an exercise answered wrong, then right',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/learn');
      const lessons = page.getByRole('main').getByRole('list').getByRole('link');
      await lessons.first().waitFor();
      assert.ok((await lessons.count()) >= 8, `${await lessons.count()} lessons`);
      await page.getByRole('link', { name: /What it is to know/ }).click();
      await page.getByRole('heading', { name: 'Your turn' }).waitFor();
      await page.getByRole('checkbox', { name: /neither shows heads/ }).check();
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('✗ Not yet.').waitFor();
      await page.getByRole('checkbox', { name: /neither shows heads/ }).uncheck();
      await page.getByRole('checkbox', { name: /both coins show heads/ }).check();
      await page.getByRole('checkbox', { name: /only the second shows heads/ }).check();
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('✓ Right.').waitFor();
      await bench.picture(page, 'learn-lesson-done');
      await page.getByRole('link', { name: /All lessons/ }).click();
      await page.getByText(/^1 of \d+ done/).waitFor();
      await page.reload();
      await page.getByText(/^1 of \d+ done/).waitFor();
    },
  },
  {
    name: 'Learn: every lesson opens and has an exercise',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/learn');
      const links = page.getByRole('main').getByRole('list').getByRole('link');
      await links.first().waitFor();
      const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      for (const address of addresses) {
        await page.goto(address);
        await page.getByRole('heading', { name: 'Your turn' }).waitFor();
        await quiet(page);
        assert.ok(await page.getByRole('button', { name: 'Check' }).isDisabled(), 'an empty answer is not checked');
        await bench.picture(page, `learn-${address.split('/').pop()}`);
      }
    },
  },
  {
    name: 'Lab: a small run is started, watched, and its report opened',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/lab');
      await page.getByLabel('Games of each row').fill('10');
      await page.getByRole('button', { name: /^Start a small run ?: Cluedo: who beats whom/ }).click();
      const run = page.getByRole('heading', { name: 'Runs' }).locator('xpath=..').getByRole('listitem').first();
      await run.waitFor();
      await run.getByText('✓ done').waitFor({ timeout: 120_000 });
      await run.getByText('Numbers').click();
      await run.getByRole('columnheader', { name: '95 % interval' }).waitFor();
      await bench.picture(page, 'lab-done');
      const [report] = await Promise.all([page.context().waitForEvent('page'), run.getByRole('link', { name: /Open the report/ }).click()]);
      await report.waitForLoadState();
      assert.match(await report.locator('body').innerText(), /Cluedo/);
      await bench.picture(report, 'lab-report');
    },
  },
];
