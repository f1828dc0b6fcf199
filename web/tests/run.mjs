// The tests in a real browser: node tests/run.mjs [WORDS], where only tests whose name contains WORDS run.
// KEN_BIN names the server (else what cargo built), KEN_CHROMIUM the browser, KEN_PAGES a folder made by `vite build`
// that is served instead of the embedded pages. Pictures go to target/browser/.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, Person } from './lib/browser.mjs';
import { Server, target } from './lib/server.mjs';

const words = (process.argv[2] ?? '').toLowerCase();
const pictures = join(target, 'browser');
/** How many files of tests run side by side. */
const LANES = 2;
const TEST_MS = 150_000;

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs')).sort();
const begun = Date.now();
const failures = [];
let passed = 0;

/** What a test works with. */
class Bench {
  /** Where pictures go. */
  pictures = pictures;
  people = [];
  servers = [];
  constructor(browser, shared) {
    this.browser = browser;
    this.shared = shared;
  }
  /** The server of the file. */
  async server() {
    this.shared.server ??= new Server().start();
    return this.shared.server;
  }
  /** A server that only this test uses. */
  async ownServer(options) {
    const server = new Server(options);
    this.servers.push(server);
    return server.start();
  }
  /** Somebody with an empty browser; `at` is a server, else the one of the file. */
  async person(options = {}, at) {
    const { address } = at ?? (await this.server());
    const person = await Person.of(this.browser, address, options);
    this.people.push(person);
    return person;
  }
  /** Keeps a picture of a page. */
  async picture(page, name) {
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }
}

const slug = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').slice(0, 80);
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

async function one(browser, shared, { name, run }) {
  const from = Date.now();
  const bench = new Bench(browser, shared);
  let failure;
  let timer;
  try {
    const late = new Promise((_, failed) => {
      timer = setTimeout(() => failed(new Error(`not done after ${TEST_MS / 1000} s`)), TEST_MS);
    });
    await Promise.race([run(bench), late]);
    const troubles = bench.people.flatMap((person) => person.troubles);
    if (troubles.length > 0) throw new Error(`the page had trouble:\n${troubles.join('\n')}`);
  } catch (error) {
    failure = error;
  }
  clearTimeout(timer);
  if (failure) {
    const shots = [];
    for (const [i, { page }] of bench.people.entries()) {
      const path = join(pictures, 'failed', `${slug(name)}-${i}.png`);
      await page.screenshot({ path, fullPage: true }).then(() => shots.push(path), () => undefined);
    }
    const troubles = bench.people.flatMap((person) => person.troubles);
    failures.push(name);
    const indented = `${failure.stack ?? failure}`.replaceAll('\n', '\n     ');
    const more = troubles.length > 0 && !`${failure}`.includes('had trouble') ? `\n     in the page: ${troubles.join('\n       ')}` : '';
    console.log(`✗ ${name} (${seconds(from)})\n     ${indented}${more}\n     pictures: ${shots.join(' ')}`);
  } else {
    passed += 1;
    console.log(`✓ ${name} (${seconds(from)})`);
  }
  for (const person of bench.people) await person.context.close().catch(() => undefined);
  for (const server of bench.servers) await server.close();
}

async function lane(browser, queue) {
  for (let file = queue.shift(); file; file = queue.shift()) {
    const { default: tests } = await import(`./${file}`);
    const wanted = tests.filter((test) => test.name.toLowerCase().includes(words) || file.startsWith(`${words}.`));
    const shared = {};
    for (const test of wanted) await one(browser, shared, test);
    if (shared.server) await (await shared.server.catch(() => undefined))?.close();
  }
}

mkdirSync(pictures, { recursive: true });
const browser = await openBrowser();
const queue = [...files];
await Promise.all(Array.from({ length: LANES }, () => lane(browser, queue)));
await browser.close();
console.log(`${passed} passed, ${failures.length} failed, ${seconds(begun)}; pictures in ${pictures}`);
if (passed + failures.length === 0) console.log(`no test has “${words}” in its name`);
process.exit(failures.length > 0 || passed === 0 ? 1 : 0);
