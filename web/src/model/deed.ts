/**
 * What a person did in a session, as plain data that fits into a link.
 *
 * Invariant: a deed names its pod by the order of creation, and its place by decision and write, so that it means the
 * same wherever it is played again. What an action does is the engine's business.
 */
import type { JsonValue } from '../gen/serde_json/JsonValue.ts';

/** A place in a session: after a decision, and so many writes of the next one. */
export interface Place {
  readonly step: number;
  readonly write: number;
}

export const START: Place = { step: 0, write: 0 };

/** One action of a scenario's step: `{"crash": {"afterWrites": 1}}`. */
export type ScenarioAction = Readonly<Record<string, JsonValue>>;

export type Act =
  /** Something from the menu of a pod; the pod is the how-manieth that was made, from 1. */
  | { readonly kind: 'pod'; readonly pod: number; readonly action: string; readonly exitCode: number | null }
  /** Actions of a scenario, one after the other. */
  | { readonly kind: 'do'; readonly actions: readonly ScenarioAction[] };

/** An act and where it was done. */
export interface Planned {
  readonly at: Place;
  readonly act: Act;
}

/** The same, with the virtual time for the timeline. */
export interface Deed extends Planned {
  readonly atMs: number;
}

/** The names of deeds on the timeline; each has a text `ui.deed.NAME`. */
export type DeedName =
  | 'crash' | 'lost' | 'stop' | 'start' | 'hold' | 'release' | 'drop' | 'fault' | 'patch' | 'scale' | 'suspend' | 'resume'
  | 'delete-job' | 'pods' | 'other';

/** What a deed of scenario actions is called; the first action says most. */
export function deedName(actions: readonly ScenarioAction[]): DeedName {
  const [first] = actions;
  if (first === undefined) return 'other';
  if ('crash' in first) return 'lost';
  if ('controller' in first) return first.controller === 'stop' ? 'stop' : first.controller === 'start' ? 'start' : 'crash';
  if ('fault' in first) return 'fault';
  if ('pods' in first) return 'pods';
  if ('watch' in first) return watchName(first.watch);
  return 'job' in first ? jobName(first.job) : 'other';
}

function watchName(watch: JsonValue | undefined): DeedName {
  if (has(watch, 'hold')) return 'hold';
  return has(watch, 'release') ? 'release' : 'drop';
}

function jobName(job: JsonValue | undefined): DeedName {
  if (has(job, 'delete')) return 'delete-job';
  const spec = member(member(job, 'patch'), 'spec');
  const keys = typeof spec === 'object' && spec !== null && !Array.isArray(spec) ? Object.keys(spec) : [];
  if (keys.length !== 1) return 'patch';
  if (keys[0] === 'parallelism') return 'scale';
  if (keys[0] === 'suspend') return member(spec, 'suspend') === true ? 'suspend' : 'resume';
  return 'patch';
}

function has(value: JsonValue | undefined, key: string): boolean {
  return member(value, key) !== undefined;
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value[key];
}
