/**
 * The examples of the picker, in their order.
 *
 * Invariant: a file of this folder is a Job, or a scenario with one, that the command line runs too; title and
 * lesson stand in the message catalogue under the name of the file.
 */
import type { Example } from '../src/app.ts';

const texts = import.meta.glob<string>('./*.yaml', { query: '?raw', import: 'default', eager: true });

/** Name of the file, and what its pods do; the rest succeeds. */
const ORDER: readonly (readonly [string, string])[] = [
  ['indexed', 'idx1: 1,0'],
  ['single-pod', ''],
  ['fixed-completions', ''],
  ['work-queue', ''],
  ['per-index-limit', 'idx3: 1,1'],
  ['suspended', ''],
  ['deadline', ''],
  ['restart-never', '1,1,0'],
  ['restart-on-failure', ''],
  ['more-pods-than-limit', '1x5'],
  ['back-off-delays', '1x3,0'],
  ['deadline-first', '1x*'],
  ['pods-gone', ''],
  ['one-bad-index', 'idx2: 1x*'],
  ['stuck-pending', 'pending'],
  ['suspend-resume', ''],
  ['crash', ''],
];

export const EXAMPLES: readonly Example[] = ORDER.map(([id, outcomes]) => ({
  id,
  text: texts[`./${id}.yaml`] ?? '',
  outcomes,
}));
