/**
 * Everything the page knows, as one value.
 *
 * Invariant: plain data. What concerns the Job is a frame of the engine, kept as it came; the rest is
 * about the page itself: what is open, what was typed, what the person did.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Explanation } from '../gen/Explanation.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import type { PodAction } from '../engine/protocol.ts';

/** The tabs of the narrow layout. */
export type Tab = 'job' | 'pods' | 'decision';

/** Two ways to show the pods. */
export type PodsView = 'lanes' | 'table';

/** Playing speeds, in decisions a second. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Something that the person did to a pod. */
export interface Deed {
  readonly step: number;
  readonly atMs: number;
  readonly pod: string;
  readonly action: PodAction;
  readonly exitCode: number | null;
}

/** The menu of a pod. */
export interface Menu {
  readonly pod: string;
  readonly refused: string | null;
}

export interface State {
  /** Id of the example that the text came from. */
  readonly example: string;
  /** The manifest and the outcomes as typed. */
  readonly text: string;
  readonly outcomes: string;
  /** What the engine says about the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the outcomes. */
  readonly outcomesProblem: string | null;
  /** Whether the moment shown belongs to an earlier text, because this one cannot be played. */
  readonly stale: boolean;
  /** The moment shown; none before the first good text. */
  readonly frame: Frame | null;
  /** Why the Job was where it was at the start, if the text is a dump. */
  readonly explanation: Explanation | null;
  /** `status` of the moment before, if it was one decision earlier: to mark what changed. */
  readonly statusBefore: Frame['job'];
  /** Every decision seen of this session, those after the present one too. */
  readonly known: readonly PastDecision[];
  readonly deeds: readonly Deed[];
  readonly playing: boolean;
  readonly speed: Speed;
  readonly menu: Menu | null;
  readonly helpOpen: boolean;
  readonly recordOpen: boolean;
  readonly ladderOpen: boolean;
  readonly quietHidden: boolean;
  readonly tab: Tab;
  readonly podsView: PodsView;
  /** Pod that the arrow keys stand on, by name. */
  readonly focusPod: string | null;
  /** Set when the engine broke; a new text starts it again. */
  readonly broken: string | null;
}

export function initialState(example: string, text: string, outcomes: string): State {
  return {
    example,
    text,
    outcomes,
    diagnostics: [],
    outcomesProblem: null,
    stale: false,
    frame: null,
    explanation: null,
    statusBefore: null,
    known: [],
    deeds: [],
    playing: false,
    speed: 1,
    menu: null,
    helpOpen: false,
    recordOpen: false,
    ladderOpen: false,
    quietHidden: false,
    tab: 'pods',
    podsView: 'lanes',
    focusPod: null,
    broken: null,
  };
}
