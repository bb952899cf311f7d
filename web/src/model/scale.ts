/**
 * Seconds on a line: how much of the time to show, and where the marks stand.
 *
 * Invariant: the span only grows in steps, so that boxes do not creep while one reads.
 */

const SPANS = [12, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800, 3600] as const;

/** Seconds to draw so that `seconds` fits with some room on its right. */
export function spanFor(seconds: number): number {
  const wanted = seconds * 1.12 + 1;
  const found = SPANS.find((span) => span >= wanted);
  if (found !== undefined) return found;
  return 3600 * Math.ceil(wanted / 3600);
}

/** Marks of the axis, in seconds: at most `most` of them, at round distances. */
export function ticks(span: number, most: number): { readonly step: number; readonly at: readonly number[] } {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  const step = steps.find((one) => span / one <= most) ?? 3600 * Math.ceil(span / most / 3600);
  const count = Math.floor(span / step) + 1;
  return { step, at: Array.from({ length: count }, (_, index) => index * step) };
}

/** `0:07`, `12:30` or `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The clock with a tenth, as two parts: the tenth is drawn lighter. */
export function clockParts(ms: number): readonly [string, string] {
  const tenths = Math.floor(ms / 100);
  return [clock(tenths / 10), `.${tenths % 10}`];
}

/** `0:07.5` */
export function clockText(ms: number): string {
  return clockParts(ms).join('');
}
