/** What a click on a card does now: an action, the choice of a place for it, or nothing and why. */
export type Use = { does: 'play'; action: string } | { does: 'choose' } | { does: 'nothing'; why: string };
