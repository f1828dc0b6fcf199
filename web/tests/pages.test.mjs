// Every page: in light and dark, wide and narrow, looked at by axe-core; and what the first visit costs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NARROW, quiet, WIDE } from './lib/browser.mjs';
import { begin, cluedo, express, untilOver, yokai } from './lib/games.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FIRST_LOAD = 300_000;
/** The face of a card and a drawn world are pictures: their names say in words what they show in signs. */
const PICTURES = /class="(held|lying|world) /;

/** Fails on whatever keeps people from using the page. */
async function accessible(page, name) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
  const pictures = (rule, { html }) => rule === 'label-content-name-mismatch' && PICTURES.test(html);
  const grave = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ nodes, ...rule }) => ({ ...rule, nodes: nodes.filter((node) => !pictures(rule.id, node)) }))
    .filter(({ nodes }) => nodes.length > 0);
  const words = grave.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)}\n    ${node.failureSummary.replaceAll('\n', ' ').slice(0, 300)}`).join('\n  ')}`);
  assert.equal(grave.length, 0, `${name}:\n${words.join('\n')}`);
}

/** A page in all four looks: pictures of each, and nothing wider than the window. */
async function looks(bench, page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [size, viewport] of Object.entries({ wide: WIDE, phone: NARROW })) {
      await page.setViewportSize(viewport);
      await quiet(page);
      await bench.picture(page, `page-${name}-${size}-${colorScheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= viewport.width, `${name} is ${wide} pixels wide in a window of ${viewport.width}`);
      if (size === 'wide' || colorScheme === 'light') await accessible(page, `${name}, ${size}, ${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
}

async function some(page, game, actions) {
  for (let done = 0; done < actions; done += 1) {
    await game.offered(page).first().waitFor({ timeout: 60_000 });
    await quiet(page);
    await game.act(page, { stopIn: 99 });
  }
  await game.offered(page).first().waitFor({ timeout: 60_000 });
  await quiet(page);
}

const inLooks = (name, open) => ({
  name: `Light and dark, wide and narrow, without a serious problem for anybody: ${name}`,
  async run(bench) {
    const person = await bench.person();
    await open(person.page, bench, person);
    await quiet(person.page);
    await looks(bench, person.page, name.replaceAll(' ', '-'));
  },
});

const at = (address, ready) => async (page) => {
  await page.goto(address);
  await ready(page).first().waitFor();
};

export default [
  inLooks('home', at('/', (page) => page.getByRole('button', { name: /^Play now/ }))),
  inLooks('new Cluedo', at('/cluedo/new', (page) => page.getByRole('button', { name: 'Deal', exact: true }))),
  inLooks('new Express', at('/express/new', (page) => page.getByRole('button', { name: 'Deal', exact: true }))),
  inLooks('new Yokai', at('/yokai/new', (page) => page.getByRole('button', { name: 'Deal', exact: true }))),
  inLooks('Cluedo', async (page) => {
    await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine elimination'], seed: 6 });
    await some(page, cluedo, 6);
  }),
  inLooks('Express', async (page) => {
    await begin(page, 'Eleusis Express', { seats: ['me', 'machine careful', 'machine careful'], seed: 6 });
    await some(page, express, 5);
  }),
  inLooks('Yokai', async (page) => {
    await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 6 });
    await some(page, yokai, 6);
  }),
  inLooks('result', async (page) => {
    await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine exact'], seed: 2 });
    await untilOver(page, cluedo.offered(page), () => cluedo.act(page));
  }),
  inLooks('replay', async (page) => {
    await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 2 });
    await untilOver(page, yokai.offered(page), () => yokai.act(page, { stopIn: 2 }));
    await page.goto(`${page.url()}/replay?at=5`);
    await page.getByRole('group', { name: /^Lane of / }).first().waitFor();
  }),
  inLooks('join', at('/join/nothing', (page) => page.getByRole('button', { name: 'Take the seat' }))),
  inLooks('shared', async (page) => {
    await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine exact'], seed: 2 });
    await page.getByRole('button', { name: 'Share my seat' }).click();
    await page.goto(await page.getByLabel('Link to look at this seat').inputValue());
    await page.getByText('You can look, not play.').waitFor();
  }),
  inLooks('logic', at('/logic?model=muddy', (page) => page.getByText('Marked by').or(page.getByText(/all as the text expects/)))),
  inLooks('lab', at('/lab', (page) => page.getByRole('button', { name: /^Start a small run/ }))),
  inLooks('learn', at('/learn', (page) => page.getByRole('link', { name: 'Begin' }))),
  inLooks('lesson', at('/learn/sheet', (page) => page.getByRole('heading', { name: 'Your turn' }))),
  inLooks('not found', at('/no/such/page/at/all', (page) => page.getByRole('heading', { name: 'There is no such page.' }))),
  {
    name: 'The first load is small, and asks no other host',
    async run(bench) {
      const { page, context } = await bench.person();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      let bytes = 0;
      cdp.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await page.goto('/');
      await page.getByRole('button', { name: /^Play now/ }).first().waitFor();
      await quiet(page);
      assert.ok(bytes > 1000 && bytes < FIRST_LOAD, `${bytes} bytes`);
      const compressed = await page.evaluate(() => performance.getEntriesByType('resource').every((entry) => entry.encodedBodySize <= entry.decodedBodySize));
      assert.ok(compressed);
    },
  },
  {
    name: 'Dark mode follows the system',
    async run(bench) {
      const shade = async (colorScheme) => {
        const { page } = await bench.person({ colorScheme });
        await page.goto('/');
        await page.getByRole('heading', { level: 1 }).waitFor();
        return page.evaluate(() => {
          const brightness = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
          const style = getComputedStyle(document.body);
          return { back: brightness(style.backgroundColor), ink: brightness(style.color) };
        });
      };
      const light = await shade('light');
      const dark = await shade('dark');
      assert.ok(light.back > light.ink && dark.back < dark.ink, JSON.stringify({ light, dark }));
    },
  },
  {
    name: 'Motion stops where the system asks for it, and is there where it does not',
    async run(bench) {
      const longest = async (reducedMotion) => {
        const { page } = await bench.person({ reducedMotion });
        await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 6 });
        await some(page, yokai, 2);
        return page.evaluate(() => {
          const seconds = (list) => Math.max(...list.split(',').map((part) => Number.parseFloat(part) * (part.trim().endsWith('ms') ? 0.001 : 1)));
          return Math.max(...[...document.querySelectorAll('*')].map((element) => {
            const style = getComputedStyle(element);
            return Math.max(seconds(style.transitionDuration), seconds(style.animationDuration));
          }));
        });
      };
      assert.ok((await longest('reduce')) <= 0.01, 'no motion');
      assert.ok((await longest('no-preference')) > 0.01, 'some motion');
    },
  },
];
