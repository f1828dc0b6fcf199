import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, pause, type Source } from './live';

class Wire implements Source {
  static all: Wire[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;
  heard: (event: { data: string }) => void = () => {};
  constructor() {
    Wire.all.push(this);
  }
  addEventListener(_: 'changed', heard: (event: { data: string }) => void): void {
    this.heard = heard;
  }
  close(): void {
    this.closed = true;
  }
}

const wire = (n: number): Wire => {
  const found = Wire.all[n];
  if (!found) throw new Error(`there is no wire ${n}`);
  return found;
};

/** The page as the browser sees it: hidden or not. */
class Page extends EventTarget {
  hidden = false;
  turn(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}
let page = new Page();

beforeEach(() => {
  Wire.all = [];
  page = new Page();
  vi.stubGlobal('document', page);
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('news of a match', () => {
  it('are not listened to by a hidden page, which asks when it is seen again', () => {
    const changed = vi.fn();
    const stop = listen('/live', changed, () => {}, () => new Wire());
    page.turn(true);
    expect(wire(0).closed).toBe(true);
    page.turn(false);
    wire(1).onopen?.();
    expect(changed).toHaveBeenCalledWith();
    stop();
    page.turn(true);
    page.turn(false);
    expect(Wire.all.length).toBe(2);
  });

  it('come with their revision', () => {
    const changed = vi.fn();
    listen('/live', changed, () => {}, () => new Wire());
    wire(0).heard({ data: '{"revision": 7}' });
    expect(changed).toHaveBeenCalledWith(7);
  });

  it('are asked for again after a gap, and what was missed is fetched', () => {
    const changed = vi.fn();
    const states: string[] = [];
    listen('/live', changed, (state) => states.push(state), () => new Wire());
    wire(0).onopen?.();
    expect(changed).not.toHaveBeenCalled();
    wire(0).onerror?.();
    expect(wire(0).closed).toBe(true);
    vi.advanceTimersByTime(pause(0));
    wire(1).onopen?.();
    expect(changed).toHaveBeenCalledWith();
    expect(states).toEqual(['live', 'waiting', 'live']);
  });

  it('stop when nobody listens any more', () => {
    const stop = listen('/live', () => {}, () => {}, () => new Wire());
    wire(0).onerror?.();
    stop();
    vi.advanceTimersByTime(60_000);
    expect(Wire.all.length).toBe(1);
  });

  it('are waited for ever longer, at most half a minute', () => {
    expect([0, 1, 2, 10].map(pause)).toEqual([500, 1000, 2000, 30_000]);
  });
});
