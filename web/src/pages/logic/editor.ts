// The editor itself: loaded only when the workbench is open.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import type { Squiggle } from '../../lib/types';
import { colours, ken } from './ken';
import type { Kind } from './wire';

/** An editor in the page. */
export interface Editor {
  text: (text: string) => void;
  mark: (squiggles: readonly Squiggle[]) => void;
  language: (kind: Kind) => void;
  go: (from: number, to: number) => void;
  close: () => void;
}

const look = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '0.92rem', height: '100%' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--sunk)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 45%, transparent)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-soft) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--maybe-soft) !important', outline: '1px solid var(--maybe)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', maxWidth: '30rem' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', whiteSpace: 'pre-line' },
  '.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--ink)' },
});

/** Puts an editor into an element. `changed` hears every change of the text. */
export function open(parent: HTMLElement, text: string, label: string, changed: (text: string) => void): Editor {
  const language = new Compartment();
  let quiet = false;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        language.of(ken),
        colours,
        look,
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text(next) {
      if (next === view.state.doc.toString()) return;
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, selection: { anchor: 0 }, scrollIntoView: true });
      quiet = false;
    },
    mark(squiggles) {
      const { length } = view.state.doc;
      const diagnostics = squiggles.map((squiggle): Diagnostic => {
        const from = Math.min(squiggle.from, length);
        // An empty place is widened to one sign, so that it can be seen.
        const to = Math.min(Math.max(squiggle.to, from + 1), length);
        const message = squiggle.help ? `${squiggle.message}\n${squiggle.help}` : squiggle.message;
        return { from: Math.min(from, Math.max(0, to - 1)), to, severity: squiggle.severity === 'warning' ? 'warning' : 'error', message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    language(kind) {
      view.dispatch({ effects: language.reconfigure(kind === 'ken' || kind === 'auto' ? ken : []) });
    },
    go(from, to) {
      const { length } = view.state.doc;
      view.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
