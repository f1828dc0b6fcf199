// What a person looks at stays where it is, and what just happened is in sight.
import assert from 'node:assert/strict';
import { quiet, WIDE } from './lib/browser.mjs';
import { begin, cluedo, express, settled, yokai } from './lib/games.mjs';

/** A phone as most people have it. */
const PHONE = { width: 390, height: 844 };
const sheet = (page) => page.getByRole('grid', { name: 'Note sheet' });

/** Where everything of the board lies, from the top of the page, and how long the page is. */
const places = (page) =>
  page.evaluate(() => {
    const things = ['section', 'table', '[data-cell]', '[data-card]', '.hand button', 'h2', 'h3', 'form'].map((each) => `main .board ${each}`);
    const box = (thing) => {
      const { x, y, width, height } = thing.getBoundingClientRect();
      return [x + scrollX, y + scrollY, width, height].map((n) => Math.round(10 * n) / 10).join(' ');
    };
    return [document.documentElement.scrollHeight, ...[...document.querySelectorAll([...things, 'footer'].join(', '))].map(box)];
  });

/** Points at things one after another: nothing may move, neither at once nor a moment later. */
async function pointing(page, things) {
  await page.mouse.move(1, 1);
  await quiet(page);
  const before = await places(page);
  for (const [i, thing] of things.entries()) {
    await thing.hover();
    assert.deepEqual(await places(page), before, `pointing at thing ${i} moves the page`);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 80)));
    assert.deepEqual(await places(page), before, `a moment after pointing at thing ${i} the page moves`);
  }
  // The lower edge is where a thing that rises leaves the pointer.
  for (const thing of things.slice(0, 3)) {
    await thing.hover();
    const { x, y, width, height } = await thing.boundingBox();
    await page.mouse.move(x + width / 2, y + height - 1);
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    assert.ok(await thing.evaluate((it) => it.matches(':hover')), 'what is pointed at stays under the pointer');
  }
}

/** The first cells of the sheet of each kind, noted ones among them. */
async function kinds(page) {
  const found = [];
  for (const mark of ['has', 'has-not', 'open', 'one-of']) {
    const cells = sheet(page).locator(`button.${mark}`);
    const count = await cells.count();
    for (const i of [0, Math.floor(count / 2), count - 1]) if (i >= 0 && i < count) found.push(cells.nth(i));
  }
  const noted = sheet(page).locator('button:has(.mine)');
  for (let i = 0; i < (await noted.count()); i += 1) found.push(noted.nth(i));
  return found;
}

async function turnsOf(page, game, options, turns, title) {
  await begin(page, title, options);
  for (let done = 0; done < turns; done += 1) {
    await game.offered(page).first().waitFor({ timeout: 60_000 });
    await quiet(page);
    await game.act(page, { stopIn: 99 });
  }
  await game.offered(page).first().waitFor({ timeout: 60_000 });
  await quiet(page);
}

const steadySheet = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport, reducedMotion: 'no-preference' });
  await turnsOf(page, cluedo, { seats: ['me', 'machine random', 'machine elimination'], seed: 12, helper: 3 }, 4, 'Cluedo');
  // Without notes the first cell that is pointed at moves nothing.
  await pointing(page, await kinds(page));
  await page.getByRole('radio', { name: 'notes a mark' }).check();
  for (const [i, clicks] of [1, 2, 3].entries()) {
    const cell = sheet(page).locator('button.open, button.one-of').nth(2 * i);
    for (let n = 0; n < clicks; n += 1) {
      await cell.click();
      await quiet(page);
    }
  }
  const known = sheet(page).locator('button.has-not').first();
  await known.click();
  await sheet(page).getByRole('button', { name: /contradicted by what you saw/ }).first().waitFor();
  await pointing(page, await kinds(page));
  await bench.picture(page, `cluedo-pointed-${viewport.width}`);
};

const steadyYokai = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport, reducedMotion: 'no-preference' });
  await turnsOf(page, yokai, { seats: ['me', 'machine paper'], seed: 7, helper: 3 }, 5, 'Yōkai');
  const cards = page.getByRole('list', { name: 'The sixteen cards' }).locator('button.lying');
  await pointing(page, Array.from({ length: 16 }, (_, i) => cards.nth(i)));
  await bench.picture(page, `yokai-pointed-${viewport.width}`);
};

const steadyEleusis = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport, reducedMotion: 'no-preference' });
  await begin(page, 'Eleusis Express', { seats: ['machine careful', 'me', 'machine careful'], options: { Cards: '5 cards' }, seed: 5, helper: 3 });
  await express.offered(page).first().waitFor({ timeout: 60_000 });
  await quiet(page);
  const held = page.getByRole('list', { name: 'Your hand' }).locator('button.held');
  const chances = page.getByRole('list', { name: 'Your hand' }).locator('button.chance');
  const some = async (things) => Array.from({ length: await things.count() }, (_, i) => things.nth(i));
  await pointing(page, [...(await some(held)), ...(await some(chances))]);
};

/** Whether a line is on the screen as it is now, and not below or behind something else. */
const inSight = (line) =>
  line.evaluate((it) => {
    const { left, top, right, bottom } = it.getBoundingClientRect();
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && (seen === it || it.contains(seen));
  });

/** Asks in Cluedo until somebody shows a card, looking at the line that says so after each question. */
const answered = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport });
  await begin(page, 'Cluedo', { seats: ['me', 'machine random', 'machine elimination'], seed: 12, helper: 3 });
  const happened = page.getByRole('list', { name: 'What just happened' });
  for (let asked = 0; asked < 4; asked += 1) {
    await cluedo.offered(page).first().waitFor();
    await quiet(page);
    const asks = await page.getByRole('heading', { name: 'Ask for one card of each' }).isVisible();
    await cluedo.act(page);
    if (!asks) continue;
    await page.getByRole('heading', { name: 'Do you know the envelope?' }).waitFor();
    const newest = happened.getByRole('listitem').first();
    assert.match(await newest.innerText(), /shows \w+ to you|nobody/i, 'the answer is told');
    assert.ok(await inSight(newest), 'the answer is on the screen without scrolling');
    if (asked === 0) await page.screenshot({ path: `${bench.pictures}/cluedo-answer-${viewport.width}.png` });
  }
};

/** Plays until it is one's own deal, and deals. */
async function deals(page) {
  await begin(page, 'Eleusis Express', { seats: ['me', 'machine careful', 'machine careful'], options: { Cards: '5 cards' }, seed: 5 });
  const deal = page.getByRole('button', { name: 'Deal with this rule' });
  for (let turn = 0; turn < 60; turn += 1) {
    await express.offered(page).first().waitFor({ timeout: 60_000 });
    if (await deal.isVisible()) break;
    await express.act(page);
  }
  await page.getByLabel('The rule', { exact: true }).fill('if previous is red then even else at most 9');
  await page.getByText('Read as:').waitFor();
  await settled(page, () => deal.click());
}

/** A round that a person deals where nothing may move by itself: its end is there, and each move before it on demand. */
async function stepped(bench) {
  const { page } = await bench.person({ viewport: PHONE, reducedMotion: 'reduce' });
  await deals(page);
  await page.getByText(/dealt by you:/).waitFor({ timeout: 60_000 });
  assert.equal(await page.getByText(/You watch what came/).count(), 0);
  await page.getByRole('link', { name: 'Step through what came' }).click();
  const past = page.getByText(/You are looking at the past: \d+ of \d+ events\./);
  await past.waitFor();
  const first = await past.innerText();
  await page.getByRole('button', { name: 'One later' }).click();
  await page.waitForFunction((words) => !document.body.innerText.includes(words), first);
  await past.waitFor();
  await page.getByRole('link', { name: 'Back to now' }).click();
  await page.getByText(/dealt by you:/).waitFor();
}

/** The question whether to resign lies over the page, and the lines of what happened are not cut. */
const resigning = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport, reducedMotion: 'no-preference' });
  await turnsOf(page, cluedo, { seats: ['me', 'machine random', 'machine elimination'], seed: 12, helper: 3 }, 2, 'Cluedo');
  const before = await places(page);
  await page.getByRole('button', { name: 'Resign' }).click();
  const ask = page.getByRole('group', { name: /^Give this match up/ });
  await ask.waitFor();
  assert.deepEqual(await places(page), before, 'the question moves the page');
  const { x, width } = await ask.boundingBox();
  assert.ok(x >= 0 && x + width <= viewport.width, 'the question is on the screen');
  await page.screenshot({ path: `${bench.pictures}/resign-${viewport.width}.png` });
  await page.getByRole('button', { name: 'No, play on' }).click();
  assert.deepEqual(await places(page), before, 'taking it back moves the page');
  const cut = await page.getByRole('list', { name: 'What just happened' }).evaluate((list) => {
    const { bottom } = list.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(list);
    // A line is shown as a whole, or scrolled to.
    return [...range.getClientRects()].filter((line) => line.top < bottom - 2 && line.bottom > bottom + 2).map((line) => [line.top, line.bottom, bottom]);
  });
  assert.deepEqual(cut, [], 'a line is cut');
};

/** A round that a person deals, watched move by move with the table in sight. */
const dealt = (viewport) => async (bench) => {
  const { page } = await bench.person({ viewport, reducedMotion: 'no-preference' });
  await deals(page);
  const watching = page.getByText(/You watch what came, one move after another: \d+ of \d+ events\./);
  await watching.waitFor();
  const moments = new Set();
  const from = Date.now();
  for (let look = 0; look < 30; look += 1) {
    if (await watching.isVisible()) moments.add(await watching.innerText().catch(() => ''));
    await page.waitForTimeout(100);
  }
  const each = (Date.now() - from) / moments.size;
  assert.ok(moments.size >= 3 && each >= 350, `a calm pace: ${moments.size} moments, ${Math.round(each)} ms each`);
  assert.equal(await page.getByText(/dealt by you:/).count(), 0, 'its end is not told before it is seen');
  const { y } = await page.getByRole('region', { name: /^The line: cards/ }).boundingBox();
  assert.ok(y >= 0 && y < viewport.height - 100, `the line of cards is in sight: it begins at ${y}`);
  await bench.picture(page, `express-played-back-${viewport.width}`);
  await page.getByRole('button', { name: 'Skip to now' }).click();
  await page.getByText(/dealt by you:/).waitFor();
  assert.equal(await watching.count(), 0);
};

export default [
  { name: 'The note sheet does not move when a cell is pointed at, at 1280 pixels', run: steadySheet({ ...WIDE }) },
  { name: 'The note sheet does not move when a cell is pointed at, at 390 pixels', run: steadySheet(PHONE) },
  { name: 'The table of Yōkai does not move when a card is pointed at, at 1280 pixels', run: steadyYokai({ ...WIDE }) },
  { name: 'The table of Yōkai does not move when a card is pointed at, at 390 pixels', run: steadyYokai(PHONE) },
  { name: 'The hand of Eleusis does not move when a card is pointed at, at 1280 pixels', run: steadyEleusis({ ...WIDE }) },
  { name: 'The hand of Eleusis does not move when a card is pointed at, at 390 pixels', run: steadyEleusis(PHONE) },
  { name: 'The answer to a question is on the screen, at 1280 pixels', run: answered({ ...WIDE }) },
  { name: 'The answer to a question is on the screen, at 390 pixels', run: answered(PHONE) },
  { name: 'A round that I deal is played back move by move, and can be skipped, at 1280 pixels', run: dealt({ ...WIDE }) },
  { name: 'A round that I deal is played back move by move, and can be skipped, at 390 pixels', run: dealt(PHONE) },
  { name: 'A round that I deal can be stepped through where nothing moves by itself', run: stepped },
  { name: 'The question whether to resign moves nothing and no line of the banner is cut, at 1280 pixels', run: resigning({ ...WIDE }) },
  { name: 'The question whether to resign moves nothing and no line of the banner is cut, at 390 pixels', run: resigning(PHONE) },
];
