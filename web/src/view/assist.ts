/**
 * Help while one writes: completion of fields, and what a field is when one points at it.
 *
 * Invariant: fields and types come from the API's table; sentences about the fields of a Job from the catalogue.
 */
import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { hoverTooltip, keymap, type EditorView, type Tooltip } from '@codemirror/view';
import table from '../../../crates/jobwright-api/schema/v1.37.txt?raw';
import { pathAbove, pathAt, Schema, typeWords, type Field } from '../model/schema.ts';
import { sayAny } from '../text.ts';

const schema = new Schema(table);

/** Values that are words of the API, by the last field. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  restartPolicy: ['Never', 'OnFailure'],
  completionMode: ['NonIndexed', 'Indexed'],
  podReplacementPolicy: ['TerminatingOrFailed', 'Failed'],
  suspend: ['true', 'false'],
  action: ['FailJob', 'FailIndex', 'Ignore', 'Count'],
  operator: ['In', 'NotIn'],
  imagePullPolicy: ['IfNotPresent', 'Always', 'Never'],
  kind: ['Job'],
  apiVersion: ['batch/v1'],
};

export function assistance(): readonly unknown[] {
  return [autocompletion({ override: [complete], icons: false }), keymap.of(completionKeymap), hoverTooltip(hover)];
}

function lines(view: { readonly doc: { toString: () => string } }): readonly string[] {
  return view.doc.toString().split('\n');
}

function complete(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  return completeValue(context, before, line.from) ?? completeField(context, before, line);
}

function completeValue(context: CompletionContext, before: string, from: number): CompletionResult | null {
  const [, head = '', key = '', typed = ''] = /^(\s*(?:- +)*([\w]+):\s+)([\w/]*)$/.exec(before) ?? [];
  const words = WORDS[key];
  if (words === undefined || (typed === '' && !context.explicit && !before.endsWith(' '))) return null;
  return { from: from + head.length, options: words.map((label) => ({ label, type: 'constant' })) };
}

function completeField(context: CompletionContext, before: string, line: { readonly from: number; readonly number: number }): CompletionResult | null {
  const [, head, typed] = /^(\s*(?:- +)*)(\w*)$/.exec(before) ?? [];
  if (head === undefined || typed === undefined || (typed === '' && !context.explicit)) return null;
  const parent = pathAbove(lines(context.state), line.number - 1, head.length);
  const fields = schema.fieldsAt(parent);
  if (fields === null) return null;
  return { from: line.from + head.length, options: fields.map((field) => option(parent, field, head.length)), validFor: /^\w*$/ };
}

function option(parent: readonly string[], field: Field, indent: number): Completion {
  const nested = /^[A-Z]/.test(field.type) || field.type.startsWith('{}');
  const list = field.type.startsWith('[]');
  const more = `\n${' '.repeat(indent + 2)}`;
  const info = sentence([...parent, field.name]);
  return {
    label: field.name,
    detail: typeWords(field.type),
    type: 'property',
    apply: `${field.name}:${nested ? more : list ? `${more}- ` : ' '}`,
    ...(info === '' ? {} : { info }),
  };
}

/** Our own sentence about a field of the Job; others have none. */
function sentence(path: readonly string[]): string {
  return sayAny(`ui.field.${path.join('.')}`, '');
}

function hover(view: EditorView, pos: number): Tooltip | null {
  const line = view.state.doc.lineAt(pos);
  const [, head = '', key = ''] = /^(\s*(?:- +)*)([\w]+)\s*:/.exec(line.text) ?? [];
  const from = line.from + head.length;
  if (key === '' || pos < from || pos > from + key.length) return null;
  const path = pathAt(lines(view.state), line.number - 1);
  const type = schema.typeAt(path);
  if (type === null) return null;
  return { pos: from, end: from + key.length, create: () => ({ dom: tooltip(path, type) }) };
}

function tooltip(path: readonly string[], type: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'fieldtip';
  const head = document.createElement('code');
  head.textContent = `${path.join('.')}: ${typeWords(type)}`;
  const text = document.createElement('p');
  text.textContent = sentence(path);
  dom.append(head, ...(text.textContent === '' ? [] : [text]));
  return dom;
}
