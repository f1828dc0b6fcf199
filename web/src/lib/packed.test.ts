import { describe, expect, it } from 'vitest';
import { pack, unpack } from './packed';

describe('a position in an address', () => {
  it('comes back as it was', () => {
    for (const position of ['{}', '{"hand": ["plum", "Yōkai"], "n": "ÿ>?/+"}', 'x'.repeat(5000)]) {
      const packed = { game: 'cluedo', position };
      const address = pack(packed);
      expect(address.startsWith('/position#')).toBe(true);
      expect(unpack(address.slice(address.indexOf('#')))).toEqual(packed);
    }
  });

  it('is refused if it is damaged', () => {
    for (const hash of ['', '#', '#cluedo', '#cluedo:', '#cluedo:%%%', '#:abc', '#cluedo:_w']) expect(unpack(hash)).toBeUndefined();
  });
});
