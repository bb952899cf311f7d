/**
 * The ladder of rules, short enough to read: neighbours that did not fire and say nothing are folded.
 *
 * Invariant: order and wording are the engine's; folding only hides.
 */
import type { TriedLine } from '../gen/TriedLine.ts';

export type Rung = { readonly kind: 'rule'; readonly rule: TriedLine } | { readonly kind: 'folded'; readonly count: number };

export interface LadderPart {
  readonly stage: string;
  readonly rungs: readonly Rung[];
}

/** Runs of at least this many quiet rules are folded. */
const FOLD_FROM = 3;

export function ladder(tried: readonly TriedLine[], whole: boolean): readonly LadderPart[] {
  const stages: { stage: string; rules: TriedLine[] }[] = [];
  for (const rule of tried) {
    const last = stages.at(-1);
    if (last?.stage === rule.stage) last.rules.push(rule);
    else stages.push({ stage: rule.stage, rules: [rule] });
  }
  return stages.map(({ stage, rules }) => ({ stage, rungs: whole ? rules.map(asRung) : fold(rules) }));
}

function asRung(rule: TriedLine): Rung {
  return { kind: 'rule', rule };
}

function fold(rules: readonly TriedLine[]): readonly Rung[] {
  const rungs: Rung[] = [];
  let quiet: TriedLine[] = [];
  const flush = (): void => {
    if (quiet.length >= FOLD_FROM) rungs.push({ kind: 'folded', count: quiet.length });
    else rungs.push(...quiet.map(asRung));
    quiet = [];
  };
  for (const rule of rules) {
    if (rule.fired) {
      flush();
      rungs.push(asRung(rule));
    } else quiet.push(rule);
  }
  flush();
  return rungs;
}
