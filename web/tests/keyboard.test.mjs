// Keyboard alone suffices: from the home page to the end of a match without a mouse.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { cluedo, possible, settled, untilOver } from './lib/games.mjs';

/** How many presses of Tab may lead from one thing to another. */
const FAR = 120;

/** Goes to something with Tab. */
async function reach(page, wanted) {
  const target = wanted.first();
  await target.waitFor();
  const here = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < FAR; presses += 1) {
    if (await here()) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${wanted}`);
}

async function use(page, wanted) {
  await reach(page, wanted);
  await page.keyboard.press('Enter');
}

/** Chooses in a closed list with the arrow keys. */
async function choose(page, picker, value) {
  await reach(page, picker);
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 30 && (await picker.inputValue()) !== value; presses += 1) await page.keyboard.press('ArrowDown');
  assert.equal(await picker.inputValue(), value);
}

async function act(page) {
  const button = (name) => page.getByRole('button', { name, exact: true });
  if (await page.getByRole('heading', { name: 'Ask for one card of each' }).isVisible()) {
    for (const kind of ['Suspect', 'Weapon', 'Room']) {
      const picker = page.getByLabel(kind, { exact: true });
      await choose(page, picker, (await possible(picker))[0]);
    }
    await settled(page, () => use(page, button('Ask')));
  } else if (await page.getByRole('heading', { name: 'Do you know the envelope?' }).isVisible()) {
    if (await page.getByText('Only one envelope fits').isVisible()) {
      await use(page, button('Accuse…'));
      await settled(page, () => use(page, page.getByRole('button', { name: /^Accuse: / })));
    } else await settled(page, () => use(page, button('End my turn')));
  } else await settled(page, () => use(page, page.getByRole('button', { name: /^Show .* to / })));
}

export default [
  {
    name: 'Keyboard only: Cluedo from the home page to the end',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to content', 'the first Tab offers to skip');
      await use(page, page.getByRole('button', { name: /^Play now ?: Cluedo$/ }));
      await page.getByRole('heading', { name: 'Cluedo', level: 1 }).waitFor();
      await untilOver(page, cluedo.offered(page), () => act(page));
      await use(page, page.getByRole('region', { name: /^The end/ }).getByRole('link', { name: 'Replay' }));
      const slider = page.getByRole('slider', { name: 'Event' });
      await slider.waitFor();
      await reach(page, slider);
      await page.keyboard.press('ArrowRight');
      await page.getByText(/^2 of \d+ events$/).waitFor();
    },
  },
  {
    name: 'Keyboard only: the note sheet, the tabs and the list of keys',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/');
      await use(page, page.getByRole('button', { name: /^Play now ?: Cluedo$/ }));
      const sheet = page.getByRole('grid', { name: 'Note sheet' });
      await sheet.waitFor();
      await quiet(page);
      await reach(page, sheet.locator('button[tabindex="0"]'));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowRight');
      assert.match(await page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? ''), /^1\/1$/);
      await page.keyboard.press('n');
      await sheet.getByRole('button', { name: /your note has it/ }).waitFor();
      await page.keyboard.press('w');
      await page.getByRole('button', { name: /Back to all facts/ }).waitFor();
      await page.keyboard.press('?');
      const list = page.getByRole('dialog', { name: 'Keys' });
      await list.getByText('go to the move box').waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      await page.keyboard.press('l');
      await page.getByRole('tab', { name: 'Log', selected: true }).waitFor();
      await use(page, page.getByRole('button', { name: 'Share', exact: false }).first());
      const share = page.getByRole('dialog');
      await share.waitFor();
      await page.keyboard.press('t');
      await page.keyboard.press('Escape');
      await share.waitFor({ state: 'hidden' });
      assert.equal(await page.getByRole('tab', { name: 'Log', selected: true }).count(), 1, 'keys do nothing behind a dialog');
      await page.keyboard.press('t');
      await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor();
    },
  },
  {
    name: 'Keyboard only: a turn of Yōkai, with arrow keys from card to card',
    async run(bench) {
      const { page } = await bench.person();
      await page.goto('/');
      await use(page, page.getByRole('button', { name: /^Play now ?: Yōkai$/ }));
      const cards = page.getByRole('list', { name: 'The sixteen cards' });
      await reach(page, cards.locator('button[tabindex="0"]'));
      await settled(page, () => page.keyboard.press('Enter'));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /card 6/i);
      await page.keyboard.down(' ');
      await cards.getByRole('button', { name: /your partner/ }).first().waitFor();
      await page.keyboard.up(' ');
      await settled(page, () => page.keyboard.press('Enter'));
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Move card \d+ to / }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await settled(page, () => page.keyboard.press('Enter'));
      await settled(page, () => use(page, page.getByRole('button', { name: 'Turn up a new hint' })));
    },
  },
];
