// What a board gets from the page around it, and which board draws what. A new board is a line in `boards`.
import type { Component } from 'svelte';
import type { Board, Desk, Preview } from '../lib/types';

/** What every board receives. A board draws `desk.board` and says what the person wants; it decides nothing. */
export interface BoardProps {
  /** The page of the seat. */
  desk: Desk;
  /** Whether moves can be made now: it is this seat's turn, the page is of now and nothing is being sent. */
  active: boolean;
  /** Plays an action in the game's notation. The page shows what goes wrong; the answer is whether it was stored. */
  play: (action: string) => Promise<boolean>;
  /** What an action would do; nothing if the answer does not come. */
  preview: (action: string) => Promise<Preview | undefined>;
  /** Puts words into the move box and goes there. */
  write: (words: string) => void;
  /** Whether the inspector can be opened here. */
  inspects: boolean;
  /** Opens the inspector on a fact, from helper level 3 on; the chain is the seat itself unless others are given. */
  inspect: (fact: string, chain?: number[]) => void;
  /** Sets or removes a private note. */
  note: (key: string, mark: string | undefined) => void;
  /** The name of a seat: "you", "seat 2". */
  name: (seat: number) => string;
}

type Kind = Exclude<Board['kind'], 'nothing'>;
type Lazy = () => Promise<{ default: Component<BoardProps> }>;

/** The board of each kind. */
export const boards: Record<Kind, Lazy> = {
  cluedo: () => import('./cluedo/Board.svelte'),
  eleusis: () => import('./eleusis/Board.svelte'),
  yokai: () => import('./yokai/Board.svelte'),
  plain: () => import('./plain/Board.svelte'),
};
