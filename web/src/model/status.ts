/**
 * `status` as lines to read, with what changed since the decision before.
 *
 * Invariant: a plain comparison of two JSON values; no field is known here.
 */
import type { JsonValue } from '../gen/serde_json/JsonValue.ts';

export interface StatusLine {
  readonly depth: number;
  readonly key: string;
  readonly value: string | null;
  /** The value before, if it was another; `''` if the line is new. */
  readonly before: string | null;
}

/** Lines of `now`, in its order; `before` null means: do not compare. */
export function statusLines(now: JsonValue, before: JsonValue | null): readonly StatusLine[] {
  const old = before === null ? null : new Map(flatten(before).map((line) => [line.path, line.value]));
  return flatten(now).map(({ path, depth, key, value }) => {
    const was = old?.get(path);
    const changed = old !== null && value !== null && was !== value;
    return { depth, key, value, before: changed ? (was ?? '') : null };
  });
}

interface Flat {
  readonly path: string;
  readonly depth: number;
  readonly key: string;
  readonly value: string | null;
}

function flatten(value: JsonValue, depth = 0, path = ''): readonly Flat[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => entry(`- `, item, depth, `${path}/${place}`));
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => entry(key, item ?? null, depth, `${path}/${key}`));
}

function entry(key: string, value: JsonValue, depth: number, path: string): readonly Flat[] {
  const inner = flatten(value, depth + 1, path);
  const [first] = inner;
  if (key === '- ' && first !== undefined) {
    return [{ ...first, depth, key: `- ${first.key}` }, ...inner.slice(1)];
  }
  return [{ path, depth, key, value: inner.length > 0 ? null : JSON.stringify(value) }, ...inner];
}
