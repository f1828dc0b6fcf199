// A typed text in pieces, with what is wrong in it marked.
import type { Squiggle } from '../../lib/types';

export interface Piece {
  text: string;
  wrong: boolean;
}

/** The text in pieces; what is missing at the end is marked behind it. */
export function marked(text: string, marks: readonly Squiggle[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const mark of [...marks].sort((a, b) => a.from - b.from)) {
    const from = Math.min(Math.max(done, mark.from), text.length);
    const to = Math.min(Math.max(mark.to, from + 1), text.length);
    if (from > done) pieces.push({ text: text.slice(done, from), wrong: false });
    if (to > from) pieces.push({ text: text.slice(from, to), wrong: true });
    else if (from === text.length && done <= from) pieces.push({ text: '\u00a0\u00a0', wrong: true });
    done = Math.max(done, to);
  }
  if (done < text.length) pieces.push({ text: text.slice(done), wrong: false });
  return pieces;
}
