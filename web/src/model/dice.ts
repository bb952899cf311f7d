/**
 * Outcomes by chance, from a seed.
 *
 * Invariant: the same seed gives the same script, on every machine.
 */

/** How often each entry comes, of all. */
const ENTRIES: readonly (readonly [string, number])[] = [
  ['0', 9],
  ['1', 4],
  ['42', 1],
  ['oom', 1],
  ['evict', 1],
  ['delete', 1],
  ['0@20s', 2],
];

const LENGTH = 12;

export function roll(seed: number): string {
  const total = ENTRIES.reduce((sum, [, weight]) => sum + weight, 0);
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    // xorshift32: small, and the same everywhere.
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return Array.from({ length: LENGTH }, () => entry(next() % total)).join(',');
}

function entry(ticket: number): string {
  let left = ticket;
  for (const [word, weight] of ENTRIES) {
    if (left < weight) return word;
    left -= weight;
  }
  return '0';
}
