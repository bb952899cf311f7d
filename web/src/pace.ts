/**
 * The only timers of the page.
 *
 * Invariant: one wait for each name; a new one replaces the old. They set how fast the page plays,
 * never what the engine decides.
 */
export class Pace {
  readonly #waits = new Map<string, ReturnType<typeof setTimeout>>();

  later(name: string, milliseconds: number, then: () => void): void {
    this.cancel(name);
    const wait = setTimeout(() => {
      this.#waits.delete(name);
      then();
    }, milliseconds);
    this.#waits.set(name, wait);
  }

  cancel(name: string): void {
    clearTimeout(this.#waits.get(name));
    this.#waits.delete(name);
  }
}
