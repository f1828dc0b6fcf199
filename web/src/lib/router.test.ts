import { describe, expect, it } from 'vitest';
import { find, read, type Route } from './router';

const page = () => Promise.reject(new Error('not loaded in tests'));
const routes: Route[] = ['/', '/learn/:lesson', '/join/:code', '/:game/new', '/:game/:match', '/:game/:match/replay'].map((path) => ({
  path,
  page,
}));
const found = (path: string) => {
  const hit = find(routes, path);
  return hit && [hit.route.path, hit.params];
};

describe('an address', () => {
  it('leads to its page with what it says', () => {
    expect(found('/')).toEqual(['/', {}]);
    expect(found('/cluedo/new')).toEqual(['/:game/new', { game: 'cluedo' }]);
    expect(found('/high-card/ab12')).toEqual(['/:game/:match', { game: 'high-card', match: 'ab12' }]);
    expect(found('/yokai/ab12')).toEqual(['/:game/:match', { game: 'yokai', match: 'ab12' }]);
    expect(found('/express/ab12/replay/')).toEqual(['/:game/:match/replay', { game: 'express', match: 'ab12' }]);
  });

  it('of a lesson or an invitation is not taken for a match', () => {
    expect(found('/learn/first')).toEqual(['/learn/:lesson', { lesson: 'first' }]);
    expect(found('/join/c0de')).toEqual(['/join/:code', { code: 'c0de' }]);
  });

  it('that means nothing leads nowhere', () => {
    expect(found('/logic/new')).toBeUndefined();
    expect(found('/Cluedo/new')).toBeUndefined();
    expect(found('/cluedo')).toBeUndefined();
    expect(found('/cluedo/a/replay/b')).toBeUndefined();
  });

  it('is read with its signs, and a broken sign is left as it is', () => {
    expect(read('/join/:code', '/join/a%20b')).toEqual({ code: 'a b' });
    expect(read('/join/:code', '/join/a%zz')).toEqual({ code: 'a%zz' });
  });
});
