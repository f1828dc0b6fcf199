import { afterEach, describe, expect, it, vi } from 'vitest';
import { address, api, ApiError, problemOf } from './api';

const answer = (status: number, body: string) => vi.stubGlobal('fetch', vi.fn(async () => new Response(body, { status })));
const failure = async (asked: Promise<unknown>) => problemOf(await asked.then(() => undefined, (error: unknown) => error));

afterEach(() => vi.unstubAllGlobals());

describe('a request', () => {
  it('gives back what the server sent', async () => {
    answer(200, '[{"name":"cluedo"}]');
    expect(await api.games()).toEqual([{ name: 'cluedo' }]);
  });

  it('that is refused carries the words of the server', async () => {
    const problem = { code: 'not-your-turn', message: 'it is not your turn', help: 'wait' };
    answer(409, JSON.stringify(problem));
    expect(await failure(api.move('m', 0, 'end', 3))).toEqual(problem);
    answer(409, JSON.stringify(problem));
    await expect(api.games()).rejects.toBeInstanceOf(ApiError);
  });

  it('with an unreadable answer says so', async () => {
    answer(502, '<html>bad gateway</html>');
    expect((await failure(api.games())).code).toBe('unreadable');
  });

  it('that never arrives says that the server is away', async () => {
    vi.stubGlobal('fetch', vi.fn(() => Promise.reject(new TypeError('network'))));
    expect((await failure(api.matches())).code).toBe('offline');
  });

  it('leaves out what is not asked, and keeps what is zero', () => {
    expect(address('/a', { at: undefined, filter: '' })).toBe('/a');
    expect(address('/a', { at: 0, fact: 'K[1] env(rope)' })).toBe('/a?at=0&fact=K%5B1%5D+env%28rope%29');
  });
});
