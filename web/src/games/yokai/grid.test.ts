import { expect, test } from 'vitest';
import { grow, nearest, next, type Place, same } from './grid';

const SQUARE: Place[] = [15, 16].flatMap((row) => [15, 16].map((column): Place => [row, column]));

test('the picture has a rim and grows with the cards', () => {
  const first = grow(undefined, SQUARE);
  expect(first).toEqual({ top: 14, left: 14, bottom: 17, right: 17 });
  const wider = grow(first, [...SQUARE, [15, 17]]);
  expect(wider).toEqual({ ...first, right: 18 });
});

test('the picture does not shrink when a card comes back', () => {
  const wide = grow(undefined, [...SQUARE, [15, 19]]);
  expect(same(wide, grow(wide, SQUARE))).toBe(true);
});

test('arrows lead to the nearest card in their direction', () => {
  expect(next(SQUARE, [15, 15], 'ArrowRight')).toBe(1);
  expect(next(SQUARE, [15, 15], 'ArrowDown')).toBe(2);
  expect(next(SQUARE, [15, 15], 'ArrowUp')).toBeUndefined();
  expect(next([[15, 15], [17, 16], [20, 15]], [15, 15], 'ArrowDown')).toBe(1);
  expect(next(SQUARE, [15, 15], 'x')).toBeUndefined();
});

test('a card is dropped on the nearest place if it is near enough', () => {
  expect(nearest(SQUARE, [15.3, 15.8], 0.7)).toBe(1);
  expect(nearest(SQUARE, [19, 19], 0.7)).toBeUndefined();
});
