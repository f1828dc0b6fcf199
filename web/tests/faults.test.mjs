// What is stored stays: a reload, and a server that is killed and started again.
import assert from 'node:assert/strict';
import { quiet } from './lib/browser.mjs';
import { begin, cluedo, untilOver, yokai } from './lib/games.mjs';

export default [
  {
    name: 'A reload in mid-game shows the same table',
    async run(bench) {
      const { page } = await bench.person();
      await begin(page, 'Yōkai', { seats: ['me', 'machine paper'], seed: 2 });
      await yokai.offered(page).waitFor();
      for (let step = 0; step < 2; step += 1) {
        await quiet(page);
        await yokai.act(page);
      }
      const cards = page.getByRole('list', { name: 'The sixteen cards' }).getByRole('button');
      const labels = () => cards.evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')));
      await quiet(page);
      const before = await labels();
      assert.ok(before.some((label) => /you looked/.test(label)), 'something was seen');
      await page.reload();
      await cards.first().waitFor();
      await quiet(page);
      assert.deepEqual(await labels(), before);
      await page.goto('/');
      await page.getByRole('heading', { name: 'Continue' }).waitFor();
      await page.getByRole('link', { name: /Yōkai.*going on/ }).click();
      await untilOver(page, yokai.offered(page), () => yokai.act(page, { stopIn: 2 }));
    },
  },
  {
    name: 'The server is killed in mid-game and started again: the page goes on by itself',
    async run(bench) {
      const server = await bench.ownServer();
      const person = await bench.person({}, server);
      const { page } = person;
      await begin(page, 'Cluedo', { seats: ['me', 'machine exact', 'machine elimination'], seed: 8 });
      for (let step = 0; step < 3; step += 1) {
        await cluedo.offered(page).first().waitFor();
        await quiet(page);
        await cluedo.act(page);
      }
      await cluedo.offered(page).first().waitFor();
      await quiet(page);
      const lines = page.getByRole('list', { name: 'Log' }).getByRole('listitem');
      const before = await lines.allTextContents();
      person.expect(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET/);
      await server.kill();
      await page.getByText('Connection lost. Listening again…').waitFor();
      await page.evaluate(() => (window.stayed = true));
      await server.start();
      await page.getByText('Connection lost. Listening again…').waitFor({ state: 'hidden' });
      await quiet(page);
      assert.deepEqual((await lines.allTextContents()).slice(0, before.length), before, 'the log is the same');
      await untilOver(page, cluedo.offered(page), () => cluedo.act(page));
      assert.equal(await page.evaluate(() => window.stayed), true, 'the page was not loaded again');
    },
  },
];
