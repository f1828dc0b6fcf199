// A browser for tests, and people at it. Whatever goes wrong in a page, even quietly, fails the test.
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Sizes of windows: a desk, and the narrowest phone that is supported. */
export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 360, height: 740 };

export async function openBrowser() {
  const executablePath = process.env.KEN_CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

const waiting = new WeakMap();

/** Counts the requests of a page that are not answered yet. The live channel is never done. */
function count(page) {
  const open = new Set();
  waiting.set(page, open);
  page.on('request', (request) => !request.url().endsWith('/live') && open.add(request));
  const done = (request) => open.delete(request);
  page.on('requestfinished', done);
  page.on('requestfailed', done);
}

/** Waits until a page has asked for nothing for a moment, and has drawn what it got. */
export async function quiet(page) {
  const MOMENT = 60;
  for (let since = Date.now(); Date.now() - since < MOMENT; ) {
    await new Promise((done) => setTimeout(done, 15));
    if ((waiting.get(page)?.size ?? 0) > 0) since = Date.now();
  }
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A person: a browser profile of its own with one page open. */
export class Person {
  /** What went wrong in the pages of this person. */
  troubles = [];
  /** Messages that a test expects: patterns. */
  expected = [];

  static async of(browser, address, options = {}) {
    const person = new Person();
    person.address = address;
    person.context = await browser.newContext({ viewport: WIDE, baseURL: address, reducedMotion: 'reduce', ...options });
    person.context.setDefaultTimeout(20_000);
    person.context.on('page', (page) => person.#watch(page));
    person.page = await person.context.newPage();
    return person;
  }

  /** Says that messages of this kind are part of the test. */
  expect(pattern) {
    this.expected.push(pattern);
  }

  #trouble(words) {
    if (!this.expected.some((pattern) => pattern.test(words))) this.troubles.push(words);
  }

  #watch(page) {
    count(page);
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      this.#trouble(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.#trouble(`page error: ${error.stack ?? error}`));
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A page that is left drops what it was waiting for.
      if (why !== 'net::ERR_ABORTED') this.#trouble(`request failed: ${request.url()} ${why}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#trouble(`answer ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (['http:', 'https:', 'ws:', 'wss:'].includes(url.protocol) && url.host !== new URL(this.address).host) {
        this.troubles.push(`request to another host: ${request.url()}`);
      }
    });
  }
}
