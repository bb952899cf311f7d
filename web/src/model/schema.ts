/**
 * The fields of a Job and of all that it holds, from the table of the API crate.
 *
 * Invariant: structure only; the table is the one that the engine reads manifests with.
 */

/** A field and its type as the table writes it. */
export interface Field {
  readonly name: string;
  readonly type: string;
}

const LETTERS: Readonly<Record<string, string>> = {
  s: 'string',
  i: 'int32',
  l: 'int64',
  b: 'boolean',
  t: 'time',
  q: 'quantity',
  p: 'port',
  '*': 'any',
  '-': 'object',
};

export class Schema {
  readonly #objects = new Map<string, readonly Field[]>();

  constructor(table: string) {
    for (const line of table.split('\n')) {
      const [object = '', ...fields] = line.split(' ');
      if (object === '' || object.startsWith('#')) continue;
      this.#objects.set(object, fields.map((field) => {
        const at = field.indexOf(':');
        return { name: field.slice(0, at), type: field.slice(at + 1) };
      }));
    }
  }

  /** The fields of what stands at a path from the root of a Job; null if it has none. */
  fieldsAt(path: readonly string[]): readonly Field[] | null {
    const type = this.typeAt(path);
    return type === null ? null : (this.#objects.get(bare(type)) ?? null);
  }

  /** The type at a path; lists are passed through, names of a map too. */
  typeAt(path: readonly string[]): string | null {
    let type = 'Job';
    for (const name of path) {
      if (type.startsWith('{}')) {
        type = type.slice(2);
        continue;
      }
      const found = this.#objects.get(bare(type))?.find((field) => field.name === name);
      if (found === undefined) return null;
      type = found.type;
    }
    return type;
  }
}

function bare(type: string): string {
  return type.replace(/^(\[\])+/, '');
}

/** A type in words: `list of string`. */
export function typeWords(type: string): string {
  if (type.startsWith('[]')) return `[]${typeWords(type.slice(2))}`;
  if (type.startsWith('{}')) return `map[string]${typeWords(type.slice(2))}`;
  return LETTERS[type] ?? type;
}

interface Open {
  readonly indent: number;
  readonly key: string;
}

/**
 * The keys that lead to a line of YAML in block style, by indentation; the last one is the key of the line itself.
 * A scenario's `job` does not count.
 */
export function pathAt(lines: readonly string[], line: number): readonly string[] {
  const open: Open[] = [];
  for (const text of lines.slice(0, line + 1)) {
    const [, before = '', key = ''] = /^(\s*(?:- +)*)([\w./-]+)\s*:(?:\s|$)/.exec(text) ?? [];
    if (key === '') continue;
    while ((open.at(-1)?.indent ?? -1) >= before.length) open.pop();
    open.push({ indent: before.length, key });
  }
  const keys = open.map((one) => one.key);
  return keys[0] === 'job' ? keys.slice(1) : keys;
}

/** The keys that a new line with this indentation would stand under. */
export function pathAbove(lines: readonly string[], line: number, indent: number): readonly string[] {
  const open: Open[] = [];
  for (const text of lines.slice(0, line)) {
    const [, before = '', key = ''] = /^(\s*(?:- +)*)([\w./-]+)\s*:(?:\s|$)/.exec(text) ?? [];
    if (key === '') continue;
    while ((open.at(-1)?.indent ?? -1) >= before.length) open.pop();
    open.push({ indent: before.length, key });
  }
  while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
  const keys = open.map((one) => one.key);
  return keys[0] === 'job' ? keys.slice(1) : keys;
}
