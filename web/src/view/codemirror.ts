/**
 * The editor of the manifest: CodeMirror with YAML, and the engine's diagnostics at their lines.
 *
 * Invariant: what the person types goes out through `changed`; a text set from outside does not come
 * back through it.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Action, type Diagnostic as Mark } from '@codemirror/lint';
import { Annotation, EditorState, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { FieldLine } from '../gen/FieldLine.ts';
import { fixesFor } from '../model/fixes.ts';
import { formatted } from '../model/format.ts';
import { say } from '../text.ts';
import { assistance } from './assist.ts';
import type { Shown, Told } from './editorslot.ts';

const fromOutside = Annotation.define<boolean>();
const light = StateEffect.define<readonly number[]>();

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--code-str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-num)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--code-punct)' },
]);

/** The lines whose fields took part in the decision that is shown. */
const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lit, transaction) {
    const wanted = transaction.effects.find((effect) => effect.is(light));
    if (wanted === undefined) return lit.map(transaction.changes);
    const { doc } = transaction.state;
    const mark = Decoration.line({ class: 'cm-tookpart' });
    const lines = [...new Set(wanted.value)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
    return Decoration.set(lines.map((line) => mark.range(doc.line(line).from)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class ManifestEditor {
  readonly #view: EditorView;
  readonly #told: Told;
  #marks: readonly Diagnostic[] = [];
  #lines: readonly FieldLine[] = [];
  #lit = '';

  constructor(host: HTMLElement, told: Told) {
    this.#told = told;
    const pointed = (line: number): void => told.pointed(this.#lines.find((one) => one.line === line)?.field ?? null);
    this.#view = new EditorView({ parent: host, state: EditorState.create({ extensions: extensions(told.changed, pointed) }) });
  }

  /** Takes over a text that came from elsewhere, and the marks that belong to it. */
  show({ text, diagnostics, lines, lit }: Shown): void {
    const { doc } = this.#view.state;
    this.#lines = lines;
    if (doc.toString() !== text) {
      this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, annotations: fromOutside.of(true) });
    }
    const places = lit.flatMap((field) => lines.filter((one) => one.field === field).map((one) => one.line));
    if (places.join() !== this.#lit) {
      this.#lit = places.join();
      this.#view.dispatch({ effects: light.of(places) });
    }
    if (diagnostics === this.#marks) return;
    this.#marks = diagnostics;
    const marks = diagnostics.map((one) => ({ ...toMark(one, this.#view.state.doc), actions: this.#actions(text, one) }));
    this.#view.dispatch(setDiagnostics(this.#view.state, marks));
  }

  /** What the editor offers to change. */
  #actions(text: string, one: Diagnostic): Action[] {
    return fixesFor(text, one, this.#lines).map((fix) => ({
      name: say(`ui.fix.${fix.kind}`, { what: fix.what }),
      apply: (view) => {
        // A text that has changed meanwhile is judged again first.
        if (view.state.doc.toString() !== text) return;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: fix.text } });
      },
    }));
  }

  /** Puts the cursor there. */
  goTo(diagnostic: Diagnostic): void {
    const { from } = toMark(diagnostic, this.#view.state.doc);
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }

  /** Tidies the text without touching what it says. */
  format(): void {
    const text = formatted(this.#view.state.doc.toString());
    if (text === this.#view.state.doc.toString()) return;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, annotations: fromOutside.of(true) });
    this.#told.changed(text);
  }

  close(): void {
    this.#view.destroy();
  }
}

function extensions(changed: (text: string) => void, pointed: (line: number) => void): Extension[] {
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
    litLines,
    syntaxHighlighting(colours),
    assistance() as Extension[],
    keymap.of([{ key: 'Escape', run: leave }, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': say('ui.editor.label'), tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      const own = !update.transactions.some((one) => one.annotation(fromOutside) === true);
      if (update.docChanged && own) changed(update.state.doc.toString());
      const { state } = update;
      // A cursor that moves points at its line, the same as a mouse.
      if (update.selectionSet && update.view.hasFocus) pointed(state.doc.lineAt(state.selection.main.head).number);
    }),
    EditorView.domEventHandlers({
      blur: () => pointed(0),
      mousemove: (event, view) => {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (at !== null && !view.hasFocus) pointed(view.state.doc.lineAt(at).number);
      },
      mouseleave: () => pointed(0),
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
