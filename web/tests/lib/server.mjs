// A server of its own for tests: a fresh data folder and a free port, and for work on the pages a built folder before it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const web = resolve(import.meta.dirname, '..', '..');
/** Where builds go. */
export const target = resolve(web, '..', process.env.CARGO_TARGET_DIR ?? 'target');
const binary = process.env.KEN_BIN ?? join(target, 'debug', process.platform === 'win32' ? 'ken.exe' : 'ken');
/** A folder made by `vite build`, to try pages without building the server again. */
const pages = process.env.KEN_PAGES;

/** All tests come from one address and click faster than people: the limits are for neither. */
const LIMITS = ['--rate', '10000', '--newcomers', '10000'];
const START_MS = 60_000;

export class Server {
  /** @param {{ grace?: boolean }} options with grace, machines wait while an action can still be taken back */
  constructor({ grace = false } = {}) {
    this.data = mkdtempSync(join(tmpdir(), 'ken-browser-'));
    this.options = grace ? LIMITS : [...LIMITS, '--no-grace'];
    this.port = 0;
  }

  /** Starts, on the same port again if it ran before. */
  async start() {
    if (!existsSync(binary)) throw new Error(`there is no ${binary}: \`cargo build --package ken\` makes it`);
    const args = ['serve', '--json', '--port', String(this.port), '--data', this.data, ...this.options];
    this.process = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = [];
    this.process.stderr.on('data', (chunk) => said.push(chunk));
    const line = await new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error('the server did not start in time')), START_MS);
      createInterface({ input: this.process.stdout }).once('line', (first) => {
        clearTimeout(timer);
        done(first);
      });
      this.process.once('exit', (code) => {
        clearTimeout(timer);
        failed(new Error(`the server ended (${code}): ${Buffer.concat(said)}`));
      });
    });
    this.address = JSON.parse(line).address;
    this.port = Number(new URL(this.address).port);
    if (pages) await this.#before();
    return this;
  }

  /** Ends at once, as in a crash: the data stays. */
  async kill() {
    if (this.process?.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((done) => this.process.once('exit', done));
      this.process.kill('SIGKILL');
      await ended;
    }
  }

  async close() {
    await this.kill();
    this.proxy?.closeAllConnections();
    this.proxy?.close();
    rmSync(this.data, { recursive: true, force: true });
  }

  /** Puts the built folder before the server: its files, and everything else from the server. */
  async #before() {
    if (this.proxy) {
      this.address = this.front;
      return;
    }
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png' };
    this.proxy = createServer((incoming, outgoing) => {
      const path = new URL(incoming.url, 'http://x').pathname;
      if (path.startsWith('/api') || path === '/health') {
        const to = { port: this.port, path: incoming.url, method: incoming.method, headers: incoming.headers };
        const ask = request(to, (answer) => {
          outgoing.writeHead(answer.statusCode, answer.headers);
          outgoing.flushHeaders();
          answer.on('error', () => outgoing.destroy());
          answer.pipe(outgoing);
        });
        ask.on('error', () => outgoing.destroy());
        outgoing.on('close', () => ask.destroy());
        incoming.pipe(ask);
        return;
      }
      const file = join(pages, path);
      const found = extname(path) !== '' && existsSync(file) ? file : join(pages, 'index.html');
      outgoing.writeHead(200, { 'content-type': types[extname(found)] ?? 'application/octet-stream' });
      outgoing.end(readFileSync(found));
    });
    await new Promise((done) => this.proxy.listen(0, '127.0.0.1', done));
    this.front = `http://127.0.0.1:${this.proxy.address().port}`;
    this.address = this.front;
  }
}
