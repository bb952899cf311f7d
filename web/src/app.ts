/**
 * The page at work: keeps the state, asks the engine, and has the result drawn.
 *
 * Invariant: the state changes only through `update`; an answer to an older text than the present one
 * is dropped.
 */
import type { Client } from './engine/client.ts';
import type { Answer, PodAction, Question } from './engine/protocol.ts';
import type { PodsView, Speed, State, Tab } from './model/state.ts';
import { isOver, update, type Action, type Toggle } from './model/update.ts';
import type { Pace } from './pace.ts';

/** An example of the picker. */
export interface Example {
  readonly id: string;
  readonly text: string;
  readonly outcomes: string;
}

/** Every session of the page starts from this seed, so that what one person sees another sees too. */
export const SEED = 1;

/** Milliseconds of rest after a key stroke before the text goes to the engine. */
const TYPING_REST = 250;

/** Milliseconds between two decisions at speed 1 while playing. */
const BEAT = 900;

/** What the views may ask for. */
export class App {
  state: State;
  readonly examples: readonly Example[];
  readonly #client: Client;
  readonly #pace: Pace;
  readonly #draw: (state: State) => void;
  #loads = 0;

  constructor(start: State, examples: readonly Example[], client: Client, pace: Pace, draw: (state: State) => void) {
    this.state = start;
    this.examples = examples;
    this.#client = client;
    this.#pace = pace;
    this.#draw = draw;
  }

  dispatch(action: Action): void {
    this.state = update(this.state, action);
    this.#draw(this.state);
  }

  choose(id: string): void {
    const example = this.examples.find((one) => one.id === id);
    if (example === undefined) return;
    this.dispatch({ kind: 'exampleChosen', example: example.id, text: example.text, outcomes: example.outcomes });
    void this.load();
  }

  /** The example that is `by` places further on; round at both ends. */
  chooseNext(by: 1 | -1): void {
    const place = this.examples.findIndex((one) => one.id === this.state.example);
    const next = this.examples.at((place + by) % this.examples.length);
    if (next !== undefined) this.choose(next.id);
  }

  edit(text: string): void {
    if (text === this.state.text) return;
    this.dispatch({ kind: 'textEdited', text });
    this.#pace.later('load', TYPING_REST, () => void this.load());
  }

  editOutcomes(outcomes: string): void {
    this.dispatch({ kind: 'outcomesEdited', outcomes });
    this.#pace.later('load', TYPING_REST, () => void this.load());
  }

  async load(): Promise<void> {
    this.#pace.cancel('load');
    this.#pace.cancel('play');
    const mine = ++this.#loads;
    const { text, outcomes } = this.state;
    const answer = await this.#client.ask({ kind: 'load', source: { text, outcomes, seed: SEED } });
    if (mine === this.#loads) this.dispatch({ kind: 'loaded', answer });
  }

  step(): Promise<void> {
    return this.#move({ kind: 'step' });
  }

  back(): Promise<void> {
    this.pause();
    return this.#move({ kind: 'stepBack' });
  }

  seek(step: number): Promise<void> {
    this.pause();
    return this.#move({ kind: 'seek', step });
  }

  reset(): Promise<void> {
    return this.load();
  }

  async inject(pod: string, action: PodAction, exitCode: number | null): Promise<void> {
    const answer = await this.#ask({ kind: 'inject', pod, action, exitCode });
    if (answer !== null) this.dispatch({ kind: 'moved', answer, deed: { pod, action, exitCode } });
  }

  togglePlay(): void {
    this.dispatch({ kind: 'playSet', playing: !this.state.playing });
    if (this.state.playing) void this.#beat();
    else this.#pace.cancel('play');
  }

  pause(): void {
    this.#pace.cancel('play');
    if (this.state.playing) this.dispatch({ kind: 'playSet', playing: false });
  }

  setSpeed(speed: Speed): void {
    this.dispatch({ kind: 'speedSet', speed });
  }

  openMenu(pod: string): void {
    this.#pace.cancel('play');
    this.dispatch({ kind: 'menuOpened', pod });
  }

  closeMenu(): void {
    if (this.state.menu !== null) this.dispatch({ kind: 'menuClosed' });
  }

  toggle(what: Toggle): void {
    this.dispatch({ kind: 'toggled', what });
  }

  chooseTab(tab: Tab): void {
    this.dispatch({ kind: 'tabChosen', tab });
  }

  choosePodsView(view: PodsView): void {
    this.dispatch({ kind: 'podsViewChosen', view });
  }

  focusPod(pod: string): void {
    if (this.state.focusPod !== pod) this.dispatch({ kind: 'podFocused', pod });
  }

  async #beat(): Promise<void> {
    await this.step();
    if (this.state.playing && !isOver(this.state)) {
      this.#pace.later('play', BEAT / this.state.speed, () => void this.#beat());
    }
  }

  async #move(question: Question): Promise<void> {
    const answer = await this.#ask(question);
    if (answer !== null) this.dispatch({ kind: 'moved', answer, deed: null });
  }

  /** Null if another text was loaded meanwhile, or if there is nothing to play yet. */
  async #ask(question: Question): Promise<Answer | null> {
    if (this.state.frame === null || this.state.broken !== null) return null;
    const mine = this.#loads;
    const answer = await this.#client.ask(question);
    return mine === this.#loads ? answer : null;
  }
}
