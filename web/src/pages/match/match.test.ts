import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Match } from './match.svelte';

interface Table {
  turn: number | null;
  mine: number[];
  ended?: boolean;
}
let table: Table;
let asked: string[];

beforeEach(() => {
  asked = [];
  const answers = async (path: string): Promise<Response> => {
    asked.push(path);
    const seat = /seats\/(\d+)/.exec(path)?.[1];
    if (seat !== undefined) return Response.json({ id: 'm', seat: Number(seat), revision: 1, notes: { marks: {} } });
    const seats = [0, 1, 2].map((each) => ({ seat: each, kind: 'person', player: '', mine: table.mine.includes(each), helper: 3 }));
    return Response.json({ id: 'm', seats, turn: table.turn, revision: 1, ended: table.ended ? {} : null });
  };
  vi.stubGlobal('fetch', vi.fn(answers));
});
afterEach(() => vi.unstubAllGlobals());

describe('a match on this device', () => {
  it('shows the only own seat at once', async () => {
    table = { turn: 2, mine: [1] };
    const match = new Match('m');
    await match.load();
    expect(match.desk?.seat).toBe(1);
  });

  it('shows nobody’s cards before somebody says who looks', async () => {
    table = { turn: 1, mine: [0, 1] };
    const match = new Match('m');
    await match.load();
    expect(match.desk).toBeUndefined();
    expect(match.handTo).toBe(1);
    expect(asked.some((path) => path.includes('/seats/'))).toBe(false);
  });

  it('hides a seat as soon as another of this device is to move', async () => {
    table = { turn: 0, mine: [0, 1] };
    const match = new Match('m');
    await match.show(0, undefined);
    expect(match.desk?.seat).toBe(0);
    table.turn = 2;
    await match.load();
    expect(match.desk?.seat).toBe(0);
    table.turn = 1;
    await match.load();
    expect(match.desk).toBeUndefined();
    expect(match.handTo).toBe(1);
  });

  it('asks for no seat when it only looks on', async () => {
    table = { turn: 0, mine: [] };
    const match = new Match('m');
    await match.load();
    expect(match.desk).toBeUndefined();
    expect(asked).toEqual(['/api/matches/m']);
  });

  it('takes back and resigns on the page that is shown, by its revision', async () => {
    table = { turn: 0, mine: [0] };
    const match = new Match('m');
    await match.load();
    await match.undo();
    expect(await match.resign()).toBeUndefined();
    const sent = vi.mocked(fetch).mock.calls.filter(([, init]) => init?.method === 'POST');
    expect(sent.map(([path, init]) => [path, init?.body])).toEqual([
      ['/api/matches/m/seats/0/undo', '{"revision":1}'],
      ['/api/matches/m/seats/0/resign', '{"revision":1}'],
    ]);
  });

  it('shows any seat once the match is over', async () => {
    table = { turn: null, mine: [], ended: true };
    const match = new Match('m');
    await match.show(2, undefined);
    expect(match.desk?.seat).toBe(2);
  });
});
