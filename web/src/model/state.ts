/**
 * Everything the page knows, as one value.
 *
 * Invariant: plain data. What concerns the Job is a frame of the engine, kept as it came; the rest is
 * about the page itself: what is open, what was typed, what the person did.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Explanation } from '../gen/Explanation.ts';
import type { Explored } from '../gen/Explored.ts';
import type { FieldLine } from '../gen/FieldLine.ts';
import type { Frame } from '../gen/Frame.ts';
import type { JobFrame } from '../gen/JobFrame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import type { PodActionFrame } from '../gen/PodActionFrame.ts';
import type { Deed, Place } from './deed.ts';

/** The tabs of the narrow layout. */
export type Tab = 'job' | 'pods' | 'decision';

/** The tabs of the left column. */
export type EditorTab = 'job' | 'outcomes' | 'test';

/** Two ways to show the pods. */
export type PodsView = 'lanes' | 'table';

/** What the object view shows. */
export type ObjectView = 'status' | 'whole';

/** Playing speeds, in decisions a second. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** What stands over the page, or beside it. */
export type Sheet = 'help' | 'share' | 'powers' | 'explore' | 'compare' | 'tour';

/** The menu of a pod. */
export interface Menu {
  readonly pod: string;
  /** What may be done; null until the engine has said so. */
  readonly actions: readonly PodActionFrame[] | null;
  readonly refused: string | null;
}

/** A way that the session went, kept beside the one that is shown. */
export interface Branch {
  readonly name: string;
  readonly deeds: readonly Deed[];
  readonly known: readonly PastDecision[];
  readonly place: Place;
  /** How it ends if nobody acts; null until the engine has said so. */
  readonly end: Frame | null;
}

/** The walk through all ends. */
export interface Exploration {
  readonly running: boolean;
  readonly states: number;
  readonly explored: Explored | null;
  readonly problem: string | null;
}

/** What "make a test of this" gave. */
export interface Exported {
  readonly scenario: string;
  readonly trace: string;
}

export interface State {
  /** Id of the preset that the text came from; empty if it came from elsewhere. */
  readonly preset: string;
  /** The manifest and the outcomes as typed. */
  readonly text: string;
  readonly outcomes: string;
  /** What the engine says about the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the outcomes. */
  readonly outcomesProblem: string | null;
  /** Whether the moment shown belongs to an earlier text, because this one cannot be played. */
  readonly stale: boolean;
  /** The text that the moment shown belongs to. */
  readonly played: string | null;
  /** The moment shown; none before the first good text. */
  readonly frame: Frame | null;
  /** Writes of the decision under way that lie behind. */
  readonly write: number;
  /** Why the Job was where it was at the start, if the text is a dump. */
  readonly explanation: Explanation | null;
  /** Where the fields of the Job stand in the text. */
  readonly lines: readonly FieldLine[];
  /** The Job of the moment before, if that was one move earlier: to mark what changed. */
  readonly before: JobFrame | null;
  /** Every decision seen of this session, those after the present one too. */
  readonly known: readonly PastDecision[];
  readonly deeds: readonly Deed[];
  /** Name of the branch that is shown. */
  readonly branch: string;
  readonly other: Branch | null;
  /** How the branch that is shown ends; asked for by the comparison. */
  readonly end: Frame | null;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly menu: Menu | null;
  readonly sheet: Sheet | null;
  /** Where the guided tour is. */
  readonly tourStop: number;
  /** Why the last deed that came from no menu was refused, or another thing to say once. */
  readonly notice: string | null;
  readonly exploration: Exploration;
  readonly exported: Exported | null;
  readonly recordOpen: boolean;
  readonly ladderOpen: boolean;
  readonly quietHidden: boolean;
  readonly tab: Tab;
  readonly editorTab: EditorTab;
  readonly podsView: PodsView;
  readonly objectView: ObjectView;
  /** Pod that the arrow keys stand on, by name. */
  readonly focusPod: string | null;
  /** Field of the manifest that is pointed at, to light what it took part in. */
  readonly field: string | null;
  /** First row of the lanes that is drawn, of many. */
  readonly firstRow: number;
  /** Set when the engine broke; a new text starts it again. */
  readonly broken: string | null;
}

const NO_EXPLORATION: Exploration = { running: false, states: 0, explored: null, problem: null };

export function initialState(preset: string, text: string, outcomes: string): State {
  return {
    preset,
    text,
    outcomes,
    diagnostics: [],
    outcomesProblem: null,
    stale: false,
    played: null,
    frame: null,
    write: 0,
    explanation: null,
    lines: [],
    before: null,
    known: [],
    deeds: [],
    branch: 'A',
    other: null,
    end: null,
    playing: false,
    speed: 1,
    menu: null,
    sheet: null,
    tourStop: 0,
    notice: null,
    exploration: NO_EXPLORATION,
    exported: null,
    recordOpen: false,
    ladderOpen: false,
    quietHidden: false,
    tab: 'pods',
    editorTab: 'job',
    podsView: 'lanes',
    objectView: 'status',
    focusPod: null,
    field: null,
    firstRow: 0,
    broken: null,
  };
}

/** Where the session stands. */
export function placeOf(state: State): Place {
  return { step: state.frame?.step ?? 0, write: state.write };
}
