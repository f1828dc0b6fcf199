// Others' moves, shown one after another instead of all at once.
import type { Desk } from '../../lib/types';

/** The longest and the shortest time for which a move is shown, and how long a playback takes in between. */
const CALM_MS = 900;
const BRISK_MS = 400;
const WHOLE_MS = 30_000;

/** For how long each of so many moves is shown: it says nothing about how long anybody thought. */
export const pace = (moves: number): number => Math.min(CALM_MS, Math.max(BRISK_MS, WHOLE_MS / Math.max(moves, 1)));

/** Whether this browser may show things that move by themselves. */
export const moves = (): boolean => typeof matchMedia === 'function' && !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Whether what came between two pages is worth seeing move by move: the dealer of Eleusis has nothing to do but to watch the round. */
export function worthWatching(before: Desk, after: Desk): boolean {
  const { board } = before;
  const deals = board?.kind === 'eleusis' && board.dealer === before.seat && board.phase !== 'over';
  return deals && before.mine && before.seat === after.seat && after.at === after.of && after.at > before.at + 1;
}

/** A pause that can be cut short. */
export class Pause {
  private wake: (() => void) | undefined;

  wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  end(): void {
    this.wake?.();
  }
}
