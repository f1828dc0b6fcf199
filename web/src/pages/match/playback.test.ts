import { afterEach, describe, expect, it, vi } from 'vitest';
import { Match } from './match.svelte';

/** The page of a dealer of Eleusis after so many events. */
const desk = (at: number): object => ({
  id: 'm', seat: 0, mine: true, at, of: at, revision: at, notes: { marks: {} }, board: { kind: 'eleusis', dealer: 0, phase: 'play' },
});

describe('a round that its dealer watches', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function after(reduced: boolean): Promise<Match> {
    let events = 3;
    vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
    const seats = [{ seat: 0, kind: 'person', player: '', mine: true, helper: 3 }];
    const answer = async (path: string): Promise<Response> =>
      Response.json(path.includes('/seats/') ? desk(events) : { id: 'm', seats, turn: 1, revision: events, ended: null });
    vi.stubGlobal('fetch', vi.fn(answer));
    const match = new Match('m');
    await match.load();
    events = 9;
    await match.load();
    return match;
  }

  it('is shown as it is now with reduced motion, and can be stepped through from where it was left', async () => {
    const match = await after(true);
    expect([match.desk?.at, match.watching, match.missed]).toEqual([9, undefined, 3]);
    await match.load();
    expect(match.missed).toBe(3);
  });

  it('is played back otherwise, so that nothing is missed', async () => {
    expect((await after(false)).missed).toBeUndefined();
  });
});
