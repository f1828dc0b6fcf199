// The games that the server knows, as they describe themselves: asked once.
import { api } from './api';
import type { GameInfo } from './types';

let asked: Promise<GameInfo[]> | undefined;
const known = $state<{ all: GameInfo[] }>({ all: [] });

/** Every game. A failure is forgotten, so that the next call asks again. */
export function games(): Promise<GameInfo[]> {
  asked ??= api.games().then(
    (all) => (known.all = all),
    (error: unknown) => {
      asked = undefined;
      throw error;
    },
  );
  return asked;
}

/** How a game describes itself; nothing until the server has said it. */
export const described = (game: string): GameInfo | undefined => known.all.find((info) => info.name === game);

/** What people call a game; its name in addresses until the server has said it. */
export const titled = (game: string): string => described(game)?.title ?? game;
