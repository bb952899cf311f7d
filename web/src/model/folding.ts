/**
 * The ladder of rules, short enough to read: what did not fire is folded, so that what did stands out.
 *
 * Invariant: order and wording are the engine's; folding only hides.
 */
import type { TriedLine } from '../gen/TriedLine.ts';

export type Rung = { readonly kind: 'rule'; readonly rule: TriedLine } | { readonly kind: 'folded'; readonly count: number };

export interface LadderPart {
  readonly stage: string;
  /** Where nothing fired the whole part is one line: how many rules were looked at. */
  readonly quiet: number | null;
  readonly rungs: readonly Rung[];
}

/** Runs of at least this many rules that did not fire are folded. */
const FOLD_FROM = 2;

export function ladder(tried: readonly TriedLine[], whole: boolean): readonly LadderPart[] {
  const stages: { stage: string; rules: TriedLine[] }[] = [];
  for (const rule of tried) {
    const last = stages.at(-1);
    if (last?.stage === rule.stage) last.rules.push(rule);
    else stages.push({ stage: rule.stage, rules: [rule] });
  }
  return stages.map(({ stage, rules }) => {
    if (whole) return { stage, quiet: null, rungs: rules.map(asRung) };
    if (rules.every((rule) => !rule.fired)) return { stage, quiet: rules.length, rungs: [] };
    return { stage, quiet: null, rungs: fold(rules) };
  });
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
