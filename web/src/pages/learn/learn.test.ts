import { describe, expect, it } from 'vitest';
import { marked } from './marked';

const mark = (from: number, to: number) => ({ from, to, severity: 'error', message: '', help: null });

describe('a typed text with marks', () => {
  it('is cut where the marks begin and end', () => {
    expect(marked('K[carl] p', [mark(2, 6)])).toEqual([
      { text: 'K[', wrong: false },
      { text: 'carl', wrong: true },
      { text: '] p', wrong: false },
    ]);
  });
  it('gives back the whole text however the marks lie', () => {
    const text = 'K[a] (p & q';
    const whole = marked(text, [mark(11, 11), mark(2, 5), mark(3, 4), mark(20, 30)]);
    expect(whole.map((piece) => piece.text).join('').trim()).toBe(text);
  });
});
