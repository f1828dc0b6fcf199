// What seats are called.
import type { SeatInfo } from '../../lib/types';
import { strings } from '../../strings';

/** "you" for the seat whose page it is, else "seat 2": as in the log. */
export const seatName =
  (self: number | undefined) =>
  (seat: number): string =>
    seat === self ? strings.match.you : strings.match.seat(seat);

/** Who sits there. */
export function sitter(seat: SeatInfo): string {
  if (seat.kind === 'machine') return seat.player;
  if (seat.kind === 'friend') return strings.match.friend;
  return strings.match.person;
}

/** A line of the log as its reader says it: what is shown "to seat 2" is shown "to you". */
export const addressed = (line: string, self: number | undefined): string =>
  self === undefined ? line : line.replace(new RegExp(`\\bto seat ${self}\\b`, 'g'), `to ${strings.match.you}`);
