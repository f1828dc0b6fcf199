// Eleusis Express from the other side: writing the rule, and watching others find it.
import assert from 'node:assert/strict';
import { begin, express } from './lib/games.mjs';

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
      await rule.fill('blakc or red');
      await page.locator('form .wavy').waitFor();
      assert.equal(await rule.getAttribute('aria-invalid'), 'true');
      await page.getByText(/did you mean/).first().waitFor();
      assert.equal(await page.getByText(/did you mean/).count(), 1, 'said once');
      assert.ok(await deal.isDisabled(), 'what is not a rule cannot be dealt');
      await bench.picture(page, 'express-dealer-error');
      // No rule of the library: nobody names it at once.
      await rule.fill('if previous is red then even else at most 9');
      await page.getByText('Read as:').waitFor();
      await page.getByText(/accepts \d+ % of the deck/).waitFor();
      await page.getByText('Lines that it lets through:').waitFor();
      await bench.picture(page, 'express-dealer');
      await deal.click();
      // The machines may be done before the page has drawn the dealer's own view, so only the end is certain. The round ends without the dealer, and its rule is then told to all.
      await page.getByText(/dealt by you:/).waitFor({ timeout: 60_000 });
    },
  },
];
