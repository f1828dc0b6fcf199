// A position inside an address: behind the #, so that it is never sent to a server by opening it.

/** A position with the game that it is of. */
export interface Packed {
  game: string;
  position: string;
}

/** The address of the page that opens a position. */
export function pack({ game, position }: Packed): string {
  const bytes = new TextEncoder().encode(position);
  const text = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `/position#${encodeURIComponent(game)}:${text}`;
}

/** What an address holds behind its #; nothing if it is no position. */
export function unpack(hash: string): Packed | undefined {
  const [, game, text] = /^#?([^:]+):([\w-]+)$/.exec(hash) ?? [];
  if (game === undefined || text === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
    return { game: decodeURIComponent(game), position: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return undefined;
  }
}
