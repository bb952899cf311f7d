/**
 * The messages between the page and the worker that holds the engine.
 *
 * Invariant: every question carries an id and gets exactly one answer with the same id; answers are
 * plain data. A frame is whole: the page never patches one.
 */
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { Explanation } from '../gen/Explanation.ts';
import type { Frame } from '../gen/Frame.ts';

/** What happens to a pod, in the engine's words. */
export type PodAction = 'succeed' | 'fail' | 'evict' | 'delete';

/** A Job to play: its manifest, the scripted outcomes of its pods, and the seed of names. */
export interface Source {
  readonly text: string;
  readonly outcomes: string;
  readonly seed: number;
}

/** What the page may ask. */
export type Question =
  | { readonly kind: 'load'; readonly source: Source }
  | { readonly kind: 'step' }
  | { readonly kind: 'stepBack' }
  | { readonly kind: 'seek'; readonly step: number }
  | { readonly kind: 'inject'; readonly pod: string; readonly action: PodAction; readonly exitCode: number | null };

/** What the worker may answer. */
export type Answer =
  /** The moment after the question; diagnostics and, of a dump, the explanation only after a `load`. */
  | {
      readonly kind: 'frame';
      readonly frame: Frame;
      readonly diagnostics: readonly Diagnostic[];
      readonly explanation?: Explanation | null;
    }
  /** Manifest or outcomes cannot be played; the session before it is untouched. */
  | { readonly kind: 'rejected'; readonly diagnostics: readonly Diagnostic[]; readonly outcomesProblem: string | null }
  /** The action is not possible now, and why; nothing changed. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The engine itself broke; the worker must be replaced. */
  | { readonly kind: 'broken'; readonly message: string };

/** A question on its way. */
export interface Envelope {
  readonly id: number;
  readonly question: Question;
}

/** An answer on its way back. */
export interface Reply {
  readonly id: number;
  readonly answer: Answer;
}
