import { describe, expect, it } from 'vitest';
import { following, moved } from './cells';

describe('the note sheet', () => {
  it('goes through its marks and back to none', () => {
    const marks = [undefined, '✓', '✗', '?'].map(following);
    expect(marks).toEqual(['✓', '✗', '?', undefined]);
  });

  it('moves by arrows and stops at its edges', () => {
    expect(moved('ArrowDown', [0, 0], 21, 4)).toEqual([1, 0]);
    expect(moved('ArrowUp', [0, 0], 21, 4)).toEqual([0, 0]);
    expect(moved('ArrowRight', [3, 3], 21, 4)).toEqual([3, 3]);
    expect(moved('End', [3, 1], 21, 4)).toEqual([3, 3]);
    expect(moved('PageDown', [3, 1], 21, 4)).toEqual([20, 1]);
    expect(moved('x', [3, 1], 21, 4)).toBeUndefined();
  });
});
