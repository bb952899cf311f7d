/**
 * The messages between the page and the worker that holds the engine.
 *
 * Invariant: every question carries an id and gets exactly one answer with the same id; answers are
 * plain data. A frame is whole: the page never patches one.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Explanation } from '../gen/Explanation.ts';
import type { Explored } from '../gen/Explored.ts';
import type { FieldLine } from '../gen/FieldLine.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PodActionFrame } from '../gen/PodActionFrame.ts';
import type { Act, Place, Planned } from '../model/deed.ts';

/** A Job to play: its manifest, the scripted outcomes of its pods, and the seed of names. */
export interface Source {
  readonly text: string;
  readonly outcomes: string;
  readonly seed: number;
}

/** What may go wrong while all ends of a Job are looked for. */
export interface Scope {
  readonly anyOf: string;
  readonly crashes: number;
  readonly conflicts: number;
  readonly statesMax: number;
}

/** A move through the session in hand. */
export type Move =
  | { readonly kind: 'step' }
  | { readonly kind: 'stepWrite' }
  | { readonly kind: 'stepTimer' }
  | { readonly kind: 'stepBack' }
  | { readonly kind: 'seek'; readonly at: Place }
  | { readonly kind: 'do'; readonly act: Act; readonly at: Place | null };

/** What the page may ask. */
export type Question =
  /** The texts of a language, by id; the first question of all. */
  | { readonly kind: 'texts'; readonly texts: Readonly<Record<string, string>> }
  | { readonly kind: 'load'; readonly source: Source; readonly deeds: readonly Planned[]; readonly at: Place }
  | Move
  /** What may be done to a pod. */
  | { readonly kind: 'actions'; readonly pod: string }
  /** How the session ends if nobody acts; it stays where it is. */
  | { readonly kind: 'peek' }
  | { readonly kind: 'export'; readonly name: string }
  | { readonly kind: 'explore'; readonly text: string; readonly scope: Scope };

/** What the worker may answer. */
export type Answer =
  | { readonly kind: 'done' }
  /** The moment after the question; what is beside the frame comes only after a `load`. */
  | {
      readonly kind: 'frame';
      readonly frame: Frame;
      /** Writes of the decision under way that lie behind. */
      readonly write: number;
      readonly diagnostics: readonly Diagnostic[];
      /** After a deed: where it was done. */
      readonly doneAt?: Place;
      readonly explanation?: Explanation | null;
      readonly lines?: readonly FieldLine[];
      /** Deeds that were done, with their times; those that are impossible now are left out. */
      readonly deeds?: readonly (Planned & { readonly atMs: number })[];
    }
  /** Manifest or outcomes cannot be played; the session before it is untouched. */
  | { readonly kind: 'rejected'; readonly diagnostics: readonly Diagnostic[]; readonly outcomesProblem: string | null }
  /** The action is not possible now, and why; nothing changed. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'actions'; readonly actions: readonly PodActionFrame[] }
  | { readonly kind: 'exported'; readonly scenario: string; readonly trace: string }
  | { readonly kind: 'explored'; readonly explored: Explored }
  /** The engine itself broke; the worker must be replaced. */
  | { readonly kind: 'broken'; readonly message: string };

/** A question on its way. */
export interface Envelope {
  readonly id: number;
  readonly question: Question;
}

/** An answer on its way back, or how far a long answer is. */
export type Reply =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly states: number };
