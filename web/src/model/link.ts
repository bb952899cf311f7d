/**
 * A session as the fragment of an address, and back.
 *
 * The fragment is `#1=` and base64url of deflated JSON; the digit is the version of the form. What is as it would be
 * anyway is left out. Every version that was ever given out stays readable.
 *
 * Invariant: what comes in is foreign. It is bounded in size before and after it is inflated, each value is checked, and
 * what does not fit gives a problem, never a fault. Nothing of it is code or markup.
 */
import type { Saved } from '../app.ts';
import type { JsonValue } from '../gen/serde_json/JsonValue.ts';
import { START, type Act, type Place, type Planned, type ScenarioAction } from './deed.ts';

/** Why a link cannot be used. */
export type LinkProblem = 'too-long' | 'newer' | 'broken';

export type Opened = { readonly saved: Saved } | { readonly problem: LinkProblem };

/** Longest fragment, and longest JSON in it, in characters. */
const LONGEST_FRAGMENT = 400_000;
const LONGEST_JSON = 2_000_000;
const MOST_DEEDS = 1_000;
const MOST_STEPS = 1_000_000;
const DEEPEST = 40;

/** The texts that belong to a preset, so that they need not stand in the link. */
export type PresetTexts = (id: string) => { readonly text: string; readonly outcomes: string; readonly at: Place } | null;

interface Wire {
  p?: string;
  t?: string;
  o?: string;
  d?: JsonValue[];
  s?: number;
  w?: number;
}

export async function toFragment(saved: Saved, presets: PresetTexts): Promise<string> {
  const json = JSON.stringify(toWire(saved, presets));
  return json === '{}' ? '' : `#1=${toBase64((await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw'), Infinity)) ?? new Uint8Array())}`;
}

export async function fromFragment(fragment: string, presets: PresetTexts): Promise<Opened | null> {
  const [, version, payload] = /^#(\d{1,6})=([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined || payload === undefined) return /^#\d+=/.test(fragment) ? { problem: 'broken' } : null;
  if (fragment.length > LONGEST_FRAGMENT) return { problem: 'too-long' };
  if (version !== '1') return { problem: Number(version) > 1 ? 'newer' : 'broken' };
  try {
    const bytes = await through(fromBase64(payload), new DecompressionStream('deflate-raw'), LONGEST_JSON);
    if (bytes === null) return { problem: 'too-long' };
    const saved = fromWire(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue, presets);
    return saved === null ? { problem: 'broken' } : { saved };
  } catch {
    return { problem: 'broken' };
  }
}

function toWire(saved: Saved, presets: PresetTexts): Wire {
  const known = presets(saved.preset);
  const wire: Wire = {};
  if (saved.preset !== '') wire.p = saved.preset;
  if (saved.text !== known?.text) wire.t = saved.text;
  if (saved.outcomes !== (known?.outcomes ?? '')) wire.o = saved.outcomes;
  if (saved.deeds.length > 0) wire.d = saved.deeds.map(deedToWire);
  const usual = known?.at ?? START;
  if (saved.at.step !== usual.step) wire.s = saved.at.step;
  if (saved.at.write !== usual.write) wire.w = saved.at.write;
  return wire;
}

function deedToWire({ at, act }: Planned): JsonValue {
  if (act.kind === 'do') return [at.step, at.write, act.actions.map((one) => ({ ...one }))];
  return [at.step, at.write, act.pod, act.action, act.exitCode];
}

function fromWire(wire: JsonValue, presets: PresetTexts): Saved | null {
  if (!isObject(wire)) return null;
  const preset = text(wire.p, '');
  const known = preset === null ? null : presets(preset);
  const body = text(wire.t, known?.text ?? null);
  const outcomes = text(wire.o, known?.outcomes ?? '');
  const step = count(wire.s, known?.at.step ?? 0, MOST_STEPS);
  const write = count(wire.w, known?.at.write ?? 0, MOST_STEPS);
  const deeds = wire.d === undefined ? [] : deedsFromWire(wire.d);
  if (preset === null || body === null || outcomes === null || step === null || write === null || deeds === null) return null;
  return { preset: known === null ? '' : preset, text: body, outcomes, deeds, at: { step, write } };
}

function deedsFromWire(wire: JsonValue): readonly Planned[] | null {
  if (!Array.isArray(wire) || wire.length > MOST_DEEDS) return null;
  const deeds = wire.map(deedFromWire);
  return deeds.every((deed) => deed !== null) ? deeds : null;
}

function deedFromWire(wire: JsonValue): Planned | null {
  if (!Array.isArray(wire)) return null;
  const step = count(wire[0], null, MOST_STEPS);
  const write = count(wire[1], null, MOST_STEPS);
  const act = Array.isArray(wire[2]) ? actions(wire[2]) : podAct(wire);
  return step === null || write === null || act === null ? null : { at: { step, write }, act };
}

function podAct(wire: readonly JsonValue[]): Act | null {
  const pod = count(wire[2], null, 10_000_000);
  const action = text(wire[3], null);
  const exitCode = wire[4] === null ? null : count(wire[4], null, 255);
  if (pod === null || action === null || !/^[a-z-]{1,20}$/.test(action) || (exitCode === null && wire[4] !== null)) return null;
  return { kind: 'pod', pod, action, exitCode };
}

function actions(wire: readonly JsonValue[]): Act | null {
  const good = wire.length > 0 && wire.length <= 10 && wire.every((one) => isObject(one) && depth(one) < DEEPEST);
  return good ? { kind: 'do', actions: wire as readonly ScenarioAction[] } : null;
}

function isObject(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depth(value: JsonValue, so = 0): number {
  if (typeof value !== 'object' || value === null || so > DEEPEST) return so;
  return Math.max(so, ...Object.values(value).map((one) => depth(one ?? null, so + 1)));
}

function text(value: JsonValue | undefined, usual: string | null): string | null {
  if (value === undefined) return usual;
  return typeof value === 'string' ? value : null;
}

function count(value: JsonValue | undefined, usual: number | null, most: number): number | null {
  if (value === undefined) return usual;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most ? value : null;
}

/** Through a stream of the platform; null if more comes out than may. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array | null> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      return null;
    }
    parts.push(next.value);
  }
  const all = new Uint8Array(size);
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

function toBase64(bytes: Uint8Array): string {
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(letters: string): Uint8Array {
  return Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
}
