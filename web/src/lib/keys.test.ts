import { describe, expect, it, vi } from 'vitest';
import { type Key, pressed, type Pressed } from './keys';

const press = (key: string, change: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  defaultPrevented: false,
  target: null,
  ...change,
});
const keys: Key[] = [
  { key: 'u', what: 'undo', run: vi.fn() },
  { key: 'n', what: 'listed only' },
];
const at = (tagName: string, type?: string) => ({ target: { tagName, type } as unknown as EventTarget });

describe('a key', () => {
  it('is found by its name', () => {
    expect(pressed(press('u'), keys)?.what).toBe('undo');
    expect(pressed(press('x'), keys)).toBeUndefined();
  });

  it('that is only listed does nothing', () => {
    expect(pressed(press('n'), keys)).toBeUndefined();
  });

  it('belongs to the text while one types', () => {
    expect(pressed(press('u', at('INPUT')), keys)).toBeUndefined();
    expect(pressed(press('u', at('TEXTAREA')), keys)).toBeUndefined();
    expect(pressed(press('u', at('SELECT')), keys)).toBeUndefined();
    expect(pressed(press('u', at('INPUT', 'checkbox')), keys)?.what).toBe('undo');
    expect(pressed(press('u', at('BUTTON')), keys)?.what).toBe('undo');
  });

  it('with a modifier belongs to the browser', () => {
    expect(pressed(press('u', { ctrlKey: true }), keys)).toBeUndefined();
    expect(pressed(press('u', { metaKey: true }), keys)).toBeUndefined();
    expect(pressed(press('u', { defaultPrevented: true }), keys)).toBeUndefined();
  });
});
