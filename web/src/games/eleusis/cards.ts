// How a card that is written `7C` or `R3` looks and what it is called.
import { strings } from '../../strings';

/** A card as it is drawn. */
export interface Face {
  /** What stands in the corner: `10`, `K`. */
  rank: string;
  /** The letter of the suit: C D H S, or R and B in the small deck. */
  suit: string;
  red: boolean;
  /** "7 of clubs", "red 3". */
  name: string;
}

const RED = ['D', 'H', 'R'];

/** Reads what the server wrote. */
export function face(card: string): Face {
  const text = strings.eleusis;
  const small = /^[RB]\d+$/.test(card);
  const suit = small ? card.charAt(0) : card.slice(-1);
  const written = small ? card.slice(1) : card.slice(0, -1);
  const rank = written === 'T' ? '10' : written;
  const suitName = text.suits[suit] ?? suit;
  const rankName = small ? rank : (text.ranks[written] ?? rank);
  return { rank, suit, red: RED.includes(suit), name: small ? text.smallCard(suitName, rankName) : text.card(rankName, suitName) };
}

/** Cards in words, one after the other. */
export const names = (cards: readonly string[]): string => cards.map((card) => face(card).name).join(', ');
