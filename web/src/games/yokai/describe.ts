// What is said of a card, for those who do not see it and for the line below the table.
import type { YokaiCard } from '../../lib/types';
import { strings } from '../../strings';
import { words } from './colours';

/** What the seat itself has before it: "red, you looked in this turn", "face down, can be red or blue". */
export function own(card: YokaiCard, over: boolean): string[] {
  const text = strings.yokai;
  const parts: string[] = [];
  if (card.colour !== null) {
    const colour = words([card.colour]);
    parts.push(over ? text.shown(colour) : card.fresh ? text.seenNow(colour) : text.seen(colour));
  } else {
    parts.push(text.faceDown);
    if (card.fresh) parts.push(text.youLooked);
    if (card.possible.length === 1) parts.push(text.mustBe(words(card.possible)));
    else if (card.possible.length > 1 && card.possible.length < 4) parts.push(text.canBe(words(card.possible)));
  }
  if (card.mark.length > 0) parts.push(text.marked(words(card.mark)));
  return parts;
}

/** In which turns the partner looked. */
export const looked = (card: YokaiCard): string =>
  card.partner_looked.length === 0
    ? strings.yokai.partnerNever
    : strings.yokai.partnerLooked(card.partner_looked.join(', '), card.partner_looked.length > 1);

/** What the seat knows of what its partner knows. */
export function partners(card: YokaiCard): string[] {
  const text = strings.yokai;
  const parts = [looked(card)];
  const colour = card.colour ?? (card.possible.length === 1 ? (card.possible[0] ?? null) : null);
  if (card.partner_knows === true) parts.push(text.partnerKnows(colour === null ? '' : words([colour])));
  // Whoever never looked does not know it, as a rule: that needs no words.
  else if (card.partner_knows === false && card.partner_looked.length > 0) parts.push(text.partnerOpen);
  if (card.mark.length > 0) parts.push(text.marked(words(card.mark)));
  return parts;
}

/** The name of a card for a screen reader. */
export function label(card: YokaiCard, over: boolean, notebook: boolean, partner: boolean): string {
  const text = strings.yokai;
  const where = text.at(card.cell[0], card.cell[1]);
  const said = partner ? partners(card) : own(card, over);
  if (!partner && notebook && card.partner_looked.length > 0) said.push(looked(card));
  return [text.card(card.card), ...said, where].join(', ');
}
