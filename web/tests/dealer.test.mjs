// Eleusis Express from the other side: writing the rule, and watching others find it.
import assert from 'node:assert/strict';
import { begin, express, settled } from './lib/games.mjs';

export default [
  {
    name: 'The dealer writes a rule with an error, then a good one, deals, and watches',
    async run(bench) {
      const { page } = await bench.person();
      const options = { Cards: '5 cards' };
      await begin(page, 'Eleusis Express', { seats: ['me', 'machine careful', 'machine careful'], options, seed: 5 });
      const deal = page.getByRole('button', { name: 'Deal with this rule' });
      for (let turn = 0; turn < 60; turn += 1) {
        await express.offered(page).first().waitFor({ timeout: 60_000 });
        if (await deal.isVisible()) break;
        await express.act(page);
      }
      const rule = page.getByLabel('The rule', { exact: true });
      await rule.fill('redd or black');
      await page.locator('form .wavy').waitFor();
      assert.equal(await rule.getAttribute('aria-invalid'), 'true');
      await page.getByText(/^✗ /).first().waitFor();
      assert.ok(await deal.isDisabled(), 'what is not a rule cannot be dealt');
      await bench.picture(page, 'express-dealer-error');
      await rule.fill('if previous is red then black else red');
      await page.getByText('Read as:').waitFor();
      await page.getByText(/accepts \d+ % of the deck/).waitFor();
      await page.getByText('Lines that it lets through:').waitFor();
      await bench.picture(page, 'express-dealer');
      await settled(page, () => deal.click());
      await page.getByText('Your secret rule:').waitFor();
      const log = page.getByRole('list', { name: 'Log' });
      const before = await log.getByRole('listitem').count();
      await page.waitForFunction((n) => document.querySelectorAll('ol[aria-label=Log] li').length > n + 2, before);
      // The round ends without the dealer, and its rule is then told to all.
      await page.getByRole('heading', { name: 'Rounds that are over' }).waitFor({ timeout: 60_000 });
    },
  },
];
