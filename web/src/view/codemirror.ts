/**
 * The editor of the manifest: CodeMirror with YAML, and the engine's diagnostics at their lines.
 *
 * Invariant: what the person types goes out through `changed`; a text set from outside does not come
 * back through it.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { Annotation, EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import { say } from '../text.ts';

const fromOutside = Annotation.define<boolean>();

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--code-str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-num)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--code-punct)' },
]);

export class ManifestEditor {
  /** Where the page puts it. */
  readonly host = document.createElement('div');
  readonly #view: EditorView;
  #marks: readonly Diagnostic[] = [];

  constructor(changed: (text: string) => void) {
    this.host.className = 'manifest';
    this.#view = new EditorView({ parent: this.host, state: EditorState.create({ extensions: extensions(changed) }) });
  }

  /** Takes over a text that came from elsewhere, and the marks that belong to it. */
  show(text: string, diagnostics: readonly Diagnostic[]): void {
    const { doc } = this.#view.state;
    if (doc.toString() !== text) {
      this.#view.dispatch({
        changes: { from: 0, to: doc.length, insert: text },
        annotations: fromOutside.of(true),
      });
    }
    if (diagnostics === this.#marks) return;
    this.#marks = diagnostics;
    const marks = diagnostics.map((one) => toMark(one, this.#view.state.doc));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** Puts the cursor there. */
  goTo(diagnostic: Diagnostic): void {
    const { from } = toMark(diagnostic, this.#view.state.doc);
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }
}

function extensions(changed: (text: string) => void) {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    highlightActiveLine(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    yaml(),
    lintGutter(),
    syntaxHighlighting(colours),
    keymap.of([
      { key: 'Escape', run: leave },
      ...defaultKeymap,
      ...historyKeymap,
      ...lintKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': say('ui.editor.label'), tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      const own = !update.transactions.some((one) => one.annotation(fromOutside) === true);
      if (update.docChanged && own) changed(update.state.doc.toString());
    }),
  ];
}

/** Escape goes back to the page, so that its keys work again. */
function leave(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}

/** Line and column, both from 1, as a stretch of the document; clamped, for the text may have moved on. */
function toMark(one: Diagnostic, doc: Text): Mark {
  const from = offset(doc, one.line, one.column);
  const to = Math.max(offset(doc, one.endLine, one.endColumn), Math.min(from + 1, doc.length));
  return { from, to, severity: one.severity, message: one.message };
}

/** Columns count characters; the document counts UTF-16 units. */
function offset(doc: Text, lineNumber: number, column: number): number {
  const line = doc.line(Math.min(Math.max(lineNumber, 1), doc.lines));
  const before = Array.from(line.text).slice(0, Math.max(column - 1, 0));
  return line.from + before.join('').length;
}
