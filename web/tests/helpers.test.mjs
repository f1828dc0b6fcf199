// The levels of help, from the paper notebook to advice; and undo, exactly when nobody has learned anything.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, settled } from './lib/games.mjs';

const sheet = (page) => page.getByRole('grid', { name: 'Note sheet' });
const seats = ['me', 'machine random', 'machine elimination'];

async function afterSome(page, helper) {
  await begin(page, 'Cluedo', { seats, seed: 12, helper });
  for (let done = 0; done < 4; done += 1) {
    await cluedo.offered(page).first().waitFor();
    await quiet(page);
    await cluedo.act(page);
  }
  await cluedo.offered(page).first().waitFor();
  await quiet(page);
}

export default [
  {
    name: 'Help 0: nothing derived is on the page',
    async run(bench) {
      const { page } = await bench.person();
      await afterSome(page, 0);
      await page.getByText('Help: 0, paper').waitFor();
      assert.equal(await sheet(page).getByRole('button', { name: /by reasoning|chance/ }).count(), 0);
      assert.equal(await page.getByText(/envelopes? fits?|deals fit/).count(), 0);
      assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Log']);
      // A note is a note, and nobody says whether it is right.
      const cell = sheet(page).getByRole('button', { name: /, envelope: open/ }).first();
      await cell.click();
      await sheet(page).getByRole('button', { name: /your note has it$/ }).waitFor();
      await quiet(page);
      assert.equal(await sheet(page).locator('.unfounded').count(), 0);
      await page.reload();
      await sheet(page).getByRole('button', { name: /your note has it$/ }).waitFor();
    },
  },
  {
    name: 'Help 1: a mark that does not follow is underlined',
    async run(bench) {
      const { page } = await bench.person();
      await afterSome(page, 1);
      assert.equal(await sheet(page).getByRole('button', { name: /by reasoning|chance/ }).count(), 0);
      await sheet(page).getByRole('button', { name: /, envelope: open/ }).first().click();
      const wrong = sheet(page).getByRole('button', { name: /your note has it, does not follow yet/ });
      await wrong.waitFor();
      const line = await wrong.locator('.unfounded').evaluate((mark) => getComputedStyle(mark).textDecorationLine);
      assert.equal(line, 'underline');
      await bench.picture(page, 'cluedo-help-1');
    },
  },
  {
    name: 'Help 1: a mark that what was seen excludes is said to be impossible',
    async run(bench) {
      const { page } = await bench.person();
      await afterSome(page, 1);
      // A card of my own hand is in nobody else's.
      const held = await page.locator('.held').first().innerText();
      await sheet(page).getByRole('button', { name: new RegExp(`^${held}, seat 1: open`) }).click();
      const wrong = sheet(page).getByRole('button', { name: /your note has it, contradicted by what you saw, by which this seat does not have the card$/ });
      await wrong.waitFor();
      assert.doesNotMatch(await wrong.getAttribute('aria-label'), /does not follow yet/);
      assert.equal(await wrong.locator('.refuted').evaluate((mark) => getComputedStyle(mark).textDecorationLine), 'line-through');
    },
  },
  {
    name: 'Help 2: forced cells are filled in, without an inspector',
    async run(bench) {
      const { page } = await bench.person();
      await afterSome(page, 2);
      assert.ok((await sheet(page).getByRole('button', { name: /has it not, by reasoning|is not in it, by reasoning|has it not$/ }).count()) > 0);
      assert.deepEqual(await page.getByRole('tab').allTextContents(), ['Log']);
    },
  },
  {
    name: 'Help 4: advice comes in steps and ends with a move',
    async run(bench) {
      const { page } = await bench.person();
      await afterSome(page, 4);
      await page.getByRole('tab', { name: 'Hint' }).click();
      await page.getByRole('button', { name: 'Give me a nudge' }).click();
      await page.getByRole('heading', { name: 'Step 1' }).waitFor();
      const next = page.getByRole('button', { name: /^Next step \(\d of \d\)$/ });
      assert.equal(await page.getByRole('button', { name: /into the move box$/ }).count(), 0, 'the first step is only a nudge');
      for (let step = 2; await next.isVisible(); step += 1) {
        await next.click();
        await page.getByRole('heading', { name: `Step ${step}` }).waitFor();
      }
      await bench.picture(page, 'cluedo-hint');
      await page.getByRole('button', { name: /into the move box$/ }).click();
      const box = page.getByLabel('Type a move');
      assert.ok((await box.inputValue()).length > 2);
      await page.getByText('✓ Allowed.').waitFor();
      await settled(page, () => page.keyboard.press('Enter'));
    },
  },
  {
    name: 'Undo: disabled with its reason, and open as long as nobody has learned anything',
    async run(bench) {
      const server = await bench.ownServer({ grace: true });
      const { page } = await bench.person({}, server);
      await begin(page, 'Cluedo', { seats, seed: 12 });
      const undo = page.getByRole('button', { name: 'Undo' });
      await undo.waitFor();
      assert.equal(await undo.getAttribute('aria-disabled'), 'true');
      const why = await page.locator(`#${await undo.getAttribute('aria-describedby')}`).textContent();
      assert.match(why, /nothing to take back/);
      await cluedo.offered(page).first().waitFor();
      await quiet(page);
      await cluedo.act(page);
      await page.getByRole('heading', { name: 'Do you know the envelope?' }).waitFor();
      assert.equal(await undo.getAttribute('aria-disabled'), 'true', 'an answer was seen');
      await page.getByRole('button', { name: 'End my turn' }).click();
      await page.waitForFunction(() => [...document.querySelectorAll('button')].some((b) => b.textContent === 'Undo' && b.getAttribute('aria-disabled') === 'false'));
      await undo.click();
      await page.getByRole('heading', { name: 'Do you know the envelope?' }).waitFor();
    },
  },
];
