import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../lib/types';
import MatchCard from './MatchCard.svelte';

const whole: Summary = { id: 'abc', game: 'cluedo', players: ['you', 'exact'], mine: [0], touched: 0, moves: 4, ended: null, damaged: null };

/** The card of a match as a page has it, without the marks of the framework. */
const card = (match: Partial<Summary>): string => render(MatchCard, { props: { match: { ...whole, ...match } } }).body.replaceAll(/<!--.*?-->/g, '');

describe('the card of a match on the home page', () => {
  it('leads to the match', () => {
    expect(card({})).toContain('href="/cluedo/abc"');
    expect(card({})).not.toContain('Damaged');
  });

  it('says what is wrong with a damaged match, saves what is left, and leads nowhere else', () => {
    const body = card({ damaged: 'who sits where cannot be read' });
    expect(body).toContain('Damaged: who sits where cannot be read.');
    expect(body).toContain('you · exact');
    expect(body.match(/href="[^"]*"/g)).toEqual(['href="/api/matches/abc/saved"']);
    expect(body).toMatch(/<a[^>]* download/);
  });

  it('promises nothing that can be saved where no seat is one\'s own and the match was not over', () => {
    const lost = card({ damaged: 'who sits where cannot be read', mine: [] });
    expect(lost).not.toContain('href=');
    expect(lost).toContain('nothing of it can be shown to you');
    expect(card({ damaged: 'the end of its log is missing', mine: [], ended: 'over' })).toContain('/api/matches/abc/saved');
  });

  it('names no game that cannot be read', () => {
    const body = card({ damaged: 'its setup cannot be read', game: '', players: [] });
    expect(body).toContain('A match that cannot be opened');
    expect(body).not.toContain(' · ');
  });
});
