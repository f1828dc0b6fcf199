// Where the inspector gets its answers from: a seat of a match, or anything else that can say who knows what.
import { api } from '../lib/api';
import type { Assumption, Desk, Inspection, Why } from '../lib/types';

/** Somebody who can stand in a chain. */
export interface Knower {
  id: number;
  name: string;
}

/** A place that answers. */
export interface Source {
  /** Changes when the answers may: the inspector then asks again. */
  key: string;
  /** Who asks: the first of every chain. */
  self: Knower;
  /** Who can be added to a chain. */
  knowers: Knower[];
  /** What event 0 is called, if it is not a deal. */
  start?: string;
  /** How a later event is called. */
  since?: (event: number) => string;
  /** What can be assumed beyond what was seen. */
  assumptions?: Assumption[];
  know: (chain: number[], filter: string, assume?: string) => Promise<Inspection>;
  why: (chain: number[], fact: string, assume?: string) => Promise<Why>;
}

/** The page of a seat as a source. */
export function deskSource(desk: Desk, name: (seat: number) => string): Source {
  const at = desk.at < desk.of ? desk.at : undefined;
  const knowers = desk.seats.map((seat) => ({ id: seat.seat, name: name(seat.seat) }));
  return {
    key: `${desk.id}/${desk.seat}/${desk.revision}/${desk.at}`,
    self: { id: desk.seat, name: name(desk.seat) },
    knowers,
    assumptions: desk.assumptions,
    know: (chain, filter, assume) => api.know(desk.id, desk.seat, chain, filter, at, assume),
    why: (chain, fact, assume) => api.why(desk.id, desk.seat, chain, fact, at, assume),
  };
}
