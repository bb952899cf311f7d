/**
 * Where each pod is drawn: rows, lines within a row, and the parts of a box.
 *
 * Invariant: layout only. Times and states come from the frame; nothing is concluded from them about
 * the Job.
 */
import type { Frame } from '../gen/Frame.ts';
import type { PodFrame } from '../gen/PodFrame.ts';
import type { PodState } from '../gen/PodState.ts';

/** As many rows are drawn at a time; the rest is room above and below. */
export const WINDOW = 60;

/** Height of a line within a row, and what a row has besides its lines, in pixels; as in `lanes.css`. */
const LINE = 46;
const MARGIN = 14;

/** A stretch of a pod's life, in milliseconds. */
export interface Part {
  readonly state: Exclude<PodState, 'succeeded' | 'failed'>;
  readonly from: number;
  readonly to: number;
}

/** A pod as a box. */
export interface Box {
  readonly pod: PodFrame;
  /** Line within its row: pods of one row that live at the same time are drawn below each other. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly parts: readonly Part[];
  /** Whether it still changes by itself. */
  readonly live: boolean;
  /** From its end to the moment shown, while the tracking finalizer is on. */
  readonly held: { readonly from: number; readonly to: number } | null;
  /** When the next box of the same line begins: what is written below this one has to end there. */
  readonly next: number | null;
}

/** A row: an index, or an attempt. */
export interface Row {
  readonly label: string;
  readonly lines: number;
  readonly boxes: readonly Box[];
}

export interface Rows {
  /** The rows that are drawn. */
  readonly rows: readonly Row[];
  /** Number of the first of them. */
  readonly first: number;
  readonly total: number;
  /** Room for the rows above and below, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** All rows of a frame: computed once, however often it is scrolled. */
interface Plan {
  readonly byRow: ReadonlyMap<number, readonly PodFrame[]>;
  readonly total: number;
  /** Where each row begins, and at last where all end. */
  readonly tops: Float64Array;
}

const plans = new WeakMap<Frame, Plan>();

/** The rows from `first` on. */
export function layOut(frame: Frame, first = 0, count = WINDOW): Rows {
  const { byRow, total, tops } = planOf(frame);
  const from = Math.max(0, Math.min(first, total - count));
  const to = Math.min(total, from + count);
  const rows: Row[] = [];
  for (let row = from; row < to; row += 1) {
    const boxes = stack((byRow.get(row) ?? []).map((pod) => box(pod, frame.atMs)));
    rows.push({ label: rowLabel(frame, row, boxes), lines: linesOf(boxes), boxes });
  }
  return { rows, first: from, total, above: tops[from] ?? 0, below: (tops[total] ?? 0) - (tops[to] ?? 0) };
}

/** The row at a distance from the top, in pixels. */
export function rowAt(frame: Frame, distance: number): number {
  const { tops, total } = planOf(frame);
  let [low, high] = [0, Math.max(0, total - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= distance) low = middle;
    else high = middle - 1;
  }
  return low;
}

function planOf(frame: Frame): Plan {
  const made = plans.get(frame) ?? plan(frame);
  plans.set(frame, made);
  return made;
}

function plan(frame: Frame): Plan {
  const byRow = new Map<number, PodFrame[]>();
  let most = 0;
  for (const pod of frame.pods) {
    const row = byRow.get(pod.row);
    if (row === undefined) byRow.set(pod.row, [pod]);
    else row.push(pod);
    most = Math.max(most, pod.row + 1);
  }
  const expected = frame.job?.indexed === true ? (frame.job.completions ?? 0) : 0;
  const total = Math.max(expected, most);
  const tops = new Float64Array(total + 1);
  for (let row = 0; row < total; row += 1) {
    const pods = byRow.get(row) ?? [];
    const lines = pods.length < 2 ? 1 : linesOf(stack(pods.map((pod) => box(pod, frame.atMs))));
    tops[row + 1] = (tops[row] ?? 0) + lines * LINE + MARGIN;
  }
  return { byRow, total, tops };
}

function linesOf(boxes: readonly Box[]): number {
  return boxes.reduce((most, one) => Math.max(most, one.line + 1), 1);
}

/** An index counts from 0 as Kubernetes does, an attempt from 1. */
function rowLabel(frame: Frame, row: number, boxes: readonly Box[]): string {
  const indexed = frame.job?.indexed ?? boxes[0]?.pod.index !== null;
  return String(indexed ? row : row + 1);
}

/** A box that has no place in its row yet. */
type Loose = Omit<Box, 'line' | 'next'>;

function box(pod: PodFrame, now: number): Loose {
  const end = pod.endedMs ?? pod.goneMs ?? now;
  const heldTo = pod.goneMs ?? now;
  const isHeld = pod.endedMs !== null && pod.trackingFinalizer && pod.goneMs === null;
  return {
    pod,
    from: pod.createdMs,
    to: end,
    parts: parts(pod, end),
    live: pod.endedMs === null && pod.goneMs === null,
    held: isHeld ? { from: end, to: heldTo } : null,
  };
}

function parts(pod: PodFrame, end: number): readonly Part[] {
  const starts: [Part['state'], number | null][] = [
    ['pending', pod.createdMs],
    ['running', pod.startedMs],
    ['ready', pod.readyMs],
    ['terminating', pod.deletedMs],
  ];
  const known = starts.filter((one): one is [Part['state'], number] => one[1] !== null && one[1] <= end);
  return known
    .map(([state, from], place) => ({ state, from, to: known[place + 1]?.[1] ?? end }))
    .filter((part, place) => part.to > part.from || place === known.length - 1);
}

/** Puts boxes that overlap in time on lines of their own, the oldest first. */
function stack(boxes: readonly Loose[]): readonly Box[] {
  const free: number[] = [];
  const placed = boxes.map((one) => {
    const until = Math.max(one.to, one.held?.to ?? 0, one.live ? Infinity : 0);
    const found = free.findIndex((at) => at <= one.from);
    const line = found === -1 ? free.length : found;
    free[line] = until;
    return { ...one, line };
  });
  return placed.map((one, place) => {
    const after = placed.slice(place + 1).find((other) => other.line === one.line);
    return { ...one, next: after?.from ?? null };
  });
}
