// How a person plays: what is on the page is looked at, and something that is offered is done.
import assert from 'node:assert/strict';
import { quiet } from './browser.mjs';

const ROUNDS = 400;
const result = (page) => page.getByRole('heading', { name: /^The end:/ });

/** Goes from the home page to the page of options of a game, and sets some: by labels, as a reader would. */
export async function begin(page, title, { seats = [], options = {}, seed, helper } = {}) {
  await page.goto('/');
  await page.getByRole('link', { name: new RegExp(`^Seats and options ?: ${title}$`) }).click();
  await page.getByRole('heading', { name: `New match: ${title}` }).waitFor();
  for (const [n, who] of seats.entries()) await page.getByLabel(`Seat ${n}`, { exact: true }).selectOption(who);
  for (const [label, choice] of Object.entries(options)) await page.getByLabel(label, { exact: true }).selectOption({ label: choice });
  if (helper !== undefined) await page.getByRole('radio', { name: new RegExp(`^${helper} ·`) }).check();
  if (seed !== undefined) await page.getByLabel('Seed (optional)').fill(String(seed));
  await page.getByRole('button', { name: 'Deal', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/new'));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Does `act` again and again, each time that something is offered, until the match is over. */
export async function untilOver(page, offered, act) {
  for (let round = 0; round < ROUNDS; round += 1) {
    await offered.or(result(page)).first().waitFor({ timeout: 60_000 });
    await quiet(page);
    if (await result(page).isVisible()) return;
    if (!(await offered.first().isVisible())) continue;
    await act(round);
  }
  assert.fail(`not over after ${ROUNDS} actions`);
}

/** Clicks something that is sent to the server, and waits until the page has drawn the answer. */
export async function settled(page, click) {
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/moves'));
  await click();
  await answered;
  await quiet(page);
}

/** The cards of a picker that may be in the envelope as far as the page says. */
export const possible = (picker) =>
  picker.locator('option').evaluateAll((all) => {
    const given = all.filter((option) => option.value !== '');
    const sure = given.filter((option) => option.textContent.includes('✓'));
    const open = given.filter((option) => !/✗|yours/.test(option.textContent));
    return (sure.length > 0 ? sure : open.length > 0 ? open : given).map((option) => option.value);
  });

export const cluedo = {
  offered: (page) =>
    page
      .getByRole('heading', { name: 'Ask for one card of each' })
      .or(page.getByRole('heading', { name: 'Do you know the envelope?' }))
      .or(page.getByRole('button', { name: /^Show .* to / })),
  /** Asks for cards that may be in the envelope, shows the first card, and accuses when only one envelope is left. */
  async act(page) {
    if (await page.getByRole('heading', { name: 'Ask for one card of each' }).isVisible()) {
      for (const kind of ['Suspect', 'Weapon', 'Room']) {
        const picker = page.getByLabel(kind, { exact: true });
        const cards = await possible(picker);
        await picker.selectOption(cards[Math.floor(cards.length / 2)]);
      }
      await settled(page, () => page.getByRole('button', { name: 'Ask', exact: true }).click());
    } else if (await page.getByRole('heading', { name: 'Do you know the envelope?' }).isVisible()) {
      const end = page.getByRole('button', { name: 'End my turn' });
      if ((await page.getByText('Only one envelope fits').isVisible()) || !(await end.isVisible())) {
        await page.getByRole('button', { name: 'Accuse…' }).click();
        await settled(page, () => page.getByRole('button', { name: /^Accuse: / }).click());
      } else await settled(page, () => end.click());
    } else {
      await settled(page, () => page.getByRole('button', { name: /^Show .* to / }).first().click());
    }
  },
};

/** The plain board: what may be done are buttons. */
export const highCard = {
  offered: (page) => page.getByRole('region', { name: 'What you may do' }).getByRole('button', { name: 'High', exact: true }),
  /** Asks once, then bets. */
  async act(page, round) {
    const may = page.getByRole('region', { name: 'What you may do' });
    const ask = may.getByRole('button', { name: 'Ask 5', exact: true });
    const asks = round === 0 && (await ask.isVisible());
    await settled(page, () => (asks ? ask : may.getByRole('button', { name: 'High', exact: true })).click());
  },
};

export const yokai = {
  offered: (page) => page.getByText('Your turn.', { exact: true }),
  /** Looks at two cards, moves one, draws or lays a hint; stops in the turn `stopIn`. */
  async act(page, { stopIn = 3 } = {}) {
    const stop = page.getByRole('button', { name: 'Stop the match…' });
    const turn = Number((await page.getByText(/^Turn \d+$/).textContent()).replace('Turn ', ''));
    if (turn >= stopIn && (await stop.isVisible())) {
      await stop.click();
      await settled(page, () => page.getByRole('button', { name: 'Yes, end the match' }).click());
      return;
    }
    const step = (await page.getByRole('list', { name: 'Steps of the turn' }).locator('[aria-current=step]').innerText()).trim();
    const cards = page.getByRole('list', { name: 'The sixteen cards' }).locator('button[aria-disabled=false]');
    if (step.startsWith('Look')) {
      await settled(page, () => cards.first().click());
    } else if (step.startsWith('Move')) {
      await cards.first().click();
      await settled(page, () => page.getByRole('button', { name: /^Move card \d+ to / }).first().click());
    } else if (await page.getByRole('button', { name: 'Turn up a new hint' }).isVisible()) {
      await settled(page, () => page.getByRole('button', { name: 'Turn up a new hint' }).click());
    } else {
      const hint = page.getByRole('list', { name: 'Hints that lie open' }).getByRole('button').first();
      if ((await hint.getAttribute('aria-pressed')) !== 'true') await hint.click();
      await settled(page, () => cards.first().click());
    }
  },
};

export const express = {
  offered: (page) =>
    page
      .getByRole('button', { name: 'No play' })
      .or(page.getByRole('button', { name: 'Pass', exact: true }))
      .or(page.getByRole('button', { name: 'Deal with this rule' }))
      .or(page.getByRole('heading', { name: /lay one card aside/ }))
      .or(page.getByLabel('You have no cards left: name the rule')),
  /** Deals with a rule of the library, tries the first card, and names a rule that still fits if it must. */
  async act(page) {
    const hand = page.getByRole('list', { name: 'Your hand' });
    if (await page.getByRole('button', { name: 'Deal with this rule' }).isVisible()) {
      await page.getByRole('button', { name: /alternate/ }).first().click();
      await settled(page, () => page.getByRole('button', { name: 'Deal with this rule' }).click());
    } else if (await page.getByRole('button', { name: 'Pass', exact: true }).isVisible()) {
      await settled(page, () => page.getByRole('button', { name: 'Pass', exact: true }).click());
    } else if (await page.getByLabel('You have no cards left: name the rule').isVisible()) {
      const guess = page.getByRole('button', { name: /^Try it: / }).first();
      if (await guess.isVisible()) await guess.click();
      else await page.getByLabel('You have no cards left: name the rule').fill('red');
      await page.getByRole('button', { name: 'Name this rule' }).click();
      await settled(page, () => page.getByRole('button', { name: 'Yes, name it' }).click());
    } else {
      await settled(page, () => hand.getByRole('button', { name: /^(Play|Lay) / }).first().click());
    }
  },
};
