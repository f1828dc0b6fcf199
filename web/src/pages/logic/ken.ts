// Colours for the words of a `.ken` file. What they mean is the engine's business.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const STATEMENTS = new Set(
  ('belief param enum agents props vars law observe worlds confuse edges let action point check where count system environment ' +
    'actions protocol next initial program fair red').split(' '),
);
const WORDS = new Set('for in of if sees expect valid otherwise events pre recall none perfect hidden seen may end'.split(' '));
const QUANTIFIERS = new Set('true false forall exists announce now atmost atleast exactly oneof'.split(' '));
const TEMPORAL = new Set('AX EX AG EG AF EF U'.split(' '));
const BEFORE_BRACKET = new Set('K S Kw E C D O L B I'.split(' '));
const NAME = /^[\p{L}_][\p{L}\p{N}_']*/u;

interface State {
  first: boolean;
}

export const ken = StreamLanguage.define<State>({
  name: 'ken',
  startState: () => ({ first: true }),
  token(stream, state) {
    if (stream.sol()) state.first = true;
    if (stream.eatSpace()) return null;
    if (stream.match('--')) {
      stream.skipToEnd();
      return 'comment';
    }
    const first = state.first;
    state.first = false;
    if (stream.match(/^\d+/)) return 'number';
    if (stream.match(NAME)) {
      const word = stream.current();
      if (first && STATEMENTS.has(word)) return 'keyword';
      if (TEMPORAL.has(word) || (BEFORE_BRACKET.has(word) && stream.peek() === '[')) return 'modifier';
      if (WORDS.has(word)) return 'keyword';
      if (QUANTIFIERS.has(word)) return 'atom';
      return 'variableName';
    }
    if (stream.match(/^(<->|->|<=|>=|!=|:=|\.\.|&&)/)) return 'operator';
    const sign = stream.next() ?? '';
    return '()[]{},;:'.includes(sign) ? 'punctuation' : 'operator';
  },
  languageData: { commentTokens: { line: '--' } },
});

/** Colours of the page's theme: they follow light and dark by themselves. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
    { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
    { tag: tags.modifier, color: 'var(--no)', fontWeight: '600' },
    { tag: tags.atom, color: 'var(--maybe)' },
    { tag: tags.number, color: 'var(--yes)' },
    { tag: tags.operator, color: 'var(--soft)' },
    { tag: tags.punctuation, color: 'var(--soft)' },
  ]),
);
