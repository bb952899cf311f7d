/**
 * Quick fixes: what a finding of the engine asks for, as a change of the text.
 *
 * Invariant: a fix is one change of whole lines or of the marked place; the engine judges the text anew after it.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { FieldLine } from '../gen/FieldLine.ts';

/** A change of the text, and what it is. */
export interface Fix {
  readonly kind: 'replace' | 'set' | 'remove' | 'allow';
  /** What is put there, for the label. */
  readonly what: string;
  readonly text: string;
}

/** Values that a lint or a refusal asks for, by the id of the lint or the field. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  'no-deadline': ['spec.activeDeadlineSeconds', '3600'],
  'logs-deleted': ['spec.template.spec.restartPolicy', 'Never'],
  'per-index-on-failure': ['spec.template.spec.restartPolicy', 'Never'],
  suspended: ['spec.suspend', 'false'],
  'deleted-at-once': ['spec.ttlSecondsAfterFinished', '300'],
  'parallelism-zero': ['spec.parallelism', '1'],
  'completions-zero': ['spec.completions', '1'],
  'work-queue': ['spec.completions', '1'],
  'spec.template.spec.restartPolicy': ['spec.template.spec.restartPolicy', 'Never'],
};

/** Lints whose field had better go. */
const NEEDLESS = new Set(['deadline-zero', 'limit-never-reached']);

export function fixesFor(text: string, one: Diagnostic, lines: readonly FieldLine[]): readonly Fix[] {
  const fixes: Fix[] = [];
  if (one.meant !== null) fixes.push(replace(text, one, one.meant));
  const wanted = VALUES[one.lint ?? (one.code === 'invalid' ? (one.field ?? '') : '')];
  if (wanted !== undefined) fixes.push(...set(text, wanted[0], wanted[1], lines));
  if (one.lint !== null && NEEDLESS.has(one.lint)) fixes.push(remove(text, one));
  if (one.lint !== null) fixes.push(allow(text, one.line, one.lint));
  return fixes;
}

function replace(text: string, one: Diagnostic, by: string): Fix {
  const lines = text.split('\n');
  const letters = Array.from(lines[one.line - 1] ?? '');
  letters.splice(one.column - 1, one.endColumn - one.column, by);
  lines[one.line - 1] = letters.join('');
  return { kind: 'replace', what: by, text: lines.join('\n') };
}

/** Gives a field a value where it stands, or as the first field of the spec. */
function set(text: string, field: string, value: string, known: readonly FieldLine[]): readonly Fix[] {
  const lines = text.split('\n');
  const name = field.slice(field.lastIndexOf('.') + 1);
  const at = known.find((line) => line.field === field);
  if (at !== undefined) {
    lines[at.line - 1] = (lines[at.line - 1] ?? '').replace(/^(\s*[\w]+\s*:).*$/, `$1 ${value}`);
  } else {
    const first = known.find((line) => /^spec\.\w+$/.test(line.field));
    if (first === undefined || field.split('.').length !== 2) return [];
    const indent = /^\s*/.exec(lines[first.line - 1] ?? '')?.[0] ?? '';
    lines.splice(first.line - 1, 0, `${indent}${name}: ${value}`);
  }
  return [{ kind: 'set', what: `${name}: ${value}`, text: lines.join('\n') }];
}

function remove(text: string, one: Diagnostic): Fix {
  const lines = text.split('\n');
  const [gone] = lines.splice(one.line - 1, 1);
  return { kind: 'remove', what: (gone ?? '').trim(), text: lines.join('\n') };
}

function allow(text: string, line: number, id: string): Fix {
  const lines = text.split('\n');
  lines[line - 1] = `${(lines[line - 1] ?? '').trimEnd()} # jobwright: allow(${id})`;
  return { kind: 'allow', what: id, text: lines.join('\n') };
}
