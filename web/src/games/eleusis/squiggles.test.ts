import { expect, test } from 'vitest';
import type { Squiggle } from '../../lib/types';
import { normal, pieces, placeIn } from './squiggles';

const mark = (from: number, to: number): Squiggle => ({ from, to, severity: 'error', message: 'what?', help: null });
const shown = (typed: string, marks: Squiggle[]) => pieces(typed, marks).map((piece) => (piece.mark ? `[${piece.text}]` : piece.text));

test('a rule is sent on one line', () => {
  expect(normal('  if red\n  then   even ')).toBe('if red then even');
});

test('places are found again however blanks were typed', () => {
  const typed = '  if  red\n then odd';
  const sent = normal(typed);
  for (const word of ['if', 'red', 'then', 'odd']) expect(placeIn(typed, sent.indexOf(word))).toBe(typed.indexOf(word));
});

test('marks cut the text into pieces', () => {
  expect(shown('same  siut', [mark(5, 9)])).toEqual(['same  ', '[siut]']);
  expect(shown('abc def', [mark(4, 7), mark(0, 3)])).toEqual(['[abc]', ' ', '[def]']);
});

test('what is missing at the end is marked behind it', () => {
  expect(shown('same', [mark(4, 4)])).toEqual(['same', '[\u00a0\u00a0]']);
});
