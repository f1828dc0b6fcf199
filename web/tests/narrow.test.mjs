// A phone of 360 pixels: everything can be reached, and the page never scrolls sideways.
import assert from 'node:assert/strict';
import { NARROW } from './lib/browser.mjs';
import { begin, cluedo, express, highCard, untilOver, yokai } from './lib/games.mjs';

/** Fails if the page is wider than the window. */
async function fits(page) {
  const { wide, widest } = await page.evaluate(() => {
    const beyond = [...document.querySelectorAll('main *')].filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
    return { wide: document.documentElement.scrollWidth, widest: beyond.slice(0, 3).map((element) => element.outerHTML.slice(0, 90)) };
  });
  assert.ok(wide <= NARROW.width, `the page is ${wide} pixels wide: ${widest.join(' ')}`);
}

const play = (title, game, options, shot) => async (bench) => {
  const { page } = await bench.person({ viewport: NARROW, hasTouch: true, isMobile: true });
  await begin(page, title, options);
  let pictured = false;
  await untilOver(page, game.offered(page), async (round) => {
    await fits(page);
    if (round === 2 && !pictured) {
      pictured = true;
      await bench.picture(page, `${shot}-phone`);
    }
    await game.act(page, round);
  });
  await fits(page);
  await bench.picture(page, `${shot}-phone-end`);
};

export default [
  { name: 'At 360 pixels: High card to the end', run: play('High card', highCard, { seats: ['me', 'machine random'], seed: 5 }, 'high-card') },
  { name: 'At 360 pixels: Cluedo to the end', run: play('Cluedo', cluedo, { seats: ['me', 'machine random', 'machine elimination'], seed: 3 }, 'cluedo') },
  { name: 'At 360 pixels: Yōkai to the stop', run: play('Yōkai', yokai, { seats: ['me', 'machine paper'], seed: 3 }, 'yokai') },
  {
    name: 'At 360 pixels: Eleusis Express to the end',
    run: play('Eleusis Express', express, { seats: ['me', 'machine careful', 'machine careful'], options: { Cards: '5 cards', Deck: '26 cards in two suits' }, seed: 3 }, 'express'),
  },
];
