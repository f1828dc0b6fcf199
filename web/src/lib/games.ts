// The games that the server knows: asked once.
import { api } from './api';
import type { GameInfo } from './types';

let asked: Promise<GameInfo[]> | undefined;

/** Every game. A failure is forgotten, so that the next call asks again. */
export function games(): Promise<GameInfo[]> {
  asked ??= api.games().catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
