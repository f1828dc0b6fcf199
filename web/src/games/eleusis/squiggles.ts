// The server counts places in a rule whose blanks are single; a text box has them as they were typed.
import type { Squiggle } from '../../lib/types';

/** A piece of a text, perhaps with something wrong in it. */
export interface Piece {
  text: string;
  mark?: Squiggle;
}

/** A rule as it is sent: one line with single blanks. */
export const normal = (text: string): string => text.trim().split(/\s+/).join(' ');

/** Where a place of the normal text stands in the text that was typed. */
export function placeIn(typed: string, place: number): number {
  let at = typed.length - typed.trimStart().length;
  for (let left = place; left > 0 && at < typed.length; left--) {
    if (/\s/.test(typed.charAt(at))) while (at < typed.length && /\s/.test(typed.charAt(at))) at++;
    else at++;
  }
  return at;
}

/** The text in pieces, with the marks in their places. */
export function pieces(typed: string, marks: readonly Squiggle[]): Piece[] {
  const found: Piece[] = [];
  let done = 0;
  for (const mark of [...marks].sort((a, b) => a.from - b.from)) {
    const from = Math.max(done, placeIn(typed, mark.from));
    const to = Math.max(placeIn(typed, mark.to), from + 1);
    if (from > done) found.push({ text: typed.slice(done, from) });
    // What is missing at the end is marked behind it.
    found.push({ text: typed.slice(from, to) || '\u00a0\u00a0', mark });
    done = Math.min(to, typed.length);
  }
  if (done < typed.length) found.push({ text: typed.slice(done) });
  return found;
}
