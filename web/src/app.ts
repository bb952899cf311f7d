/**
 * The page at work: keeps the state, asks the engine, and has the result drawn.
 *
 * Invariant: the state changes only through `update`; an answer to an older text than the present one
 * is dropped.
 */
import type { Client } from './engine/client.ts';
import type { Answer, Move, Question, Scope } from './engine/protocol.ts';
import { START, type Act, type Place, type Planned, type ScenarioAction } from './model/deed.ts';
import { placeOf, type Branch, type EditorTab, type ObjectView, type PodsView, type Sheet, type Speed, type State, type Tab } from './model/state.ts';
import { branchOf, isOver, update, type Action, type Toggle } from './model/update.ts';
import type { Pace } from './pace.ts';

/** A preset: a Job, what its pods do, and where its lesson shows. */
export interface Preset {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  readonly outcomes: string;
  readonly at: Place;
}

/** A whole session, as a link has it. */
export interface Saved {
  readonly preset: string;
  readonly text: string;
  readonly outcomes: string;
  readonly deeds: readonly Planned[];
  readonly at: Place;
}

/** Every session of the page starts from this seed, so that what one person sees another sees too. */
export const SEED = 1;

/** Milliseconds of rest after a key stroke before the text goes to the engine. */
const TYPING_REST = 250;

/** Milliseconds between two decisions at speed 1 while playing. */
const BEAT = 900;

/** What a load begins with and keeps. */
interface Start {
  readonly deeds: readonly Planned[];
  readonly at: Place;
  readonly branch: string;
  readonly other: Branch | null;
}

const AFRESH: Start = { deeds: [], at: START, branch: 'A', other: null };

/** What the views may ask for. */
export class App {
  state: State;
  readonly presets: readonly Preset[];
  readonly #client: Client;
  readonly #explorer: Client;
  readonly #pace: Pace;
  readonly #draw: (state: State) => void;
  #loads = 0;

  constructor(start: State, presets: readonly Preset[], clients: { main: Client; explorer: Client }, pace: Pace, draw: (state: State) => void) {
    this.state = start;
    this.presets = presets;
    this.#client = clients.main;
    this.#explorer = clients.explorer;
    this.#pace = pace;
    this.#draw = draw;
  }

  dispatch(action: Action): void {
    this.state = update(this.state, action);
    this.#draw(this.state);
  }

  choose(id: string): void {
    const preset = this.presets.find((one) => one.id === id);
    if (preset === undefined) return;
    this.dispatch({ kind: 'presetChosen', preset: preset.id, text: preset.text, outcomes: preset.outcomes });
    void this.load({ ...AFRESH, at: preset.at });
  }

  /** The preset that is `by` places further on; round at both ends. */
  chooseNext(by: 1 | -1): void {
    const place = this.presets.findIndex((one) => one.id === this.state.preset);
    const next = this.presets.at((place + by) % this.presets.length);
    if (next !== undefined) this.choose(next.id);
  }

  /** A session from a link, from storage or from the explorer. */
  open(saved: Saved): Promise<void> {
    this.dispatch({ kind: 'presetChosen', preset: saved.preset, text: saved.text, outcomes: saved.outcomes });
    return this.load({ ...AFRESH, deeds: saved.deeds, at: saved.at });
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

  async load(start: Start = AFRESH): Promise<void> {
    this.#pace.cancel('load');
    this.#pace.cancel('play');
    this.#explorer.stop();
    const mine = ++this.#loads;
    const { text, outcomes } = this.state;
    const source = { text, outcomes, seed: SEED };
    const answer = await this.#client.ask({ kind: 'load', source, deeds: start.deeds, at: start.at });
    if (mine === this.#loads) this.dispatch({ kind: 'loaded', answer, branch: start.branch, other: start.other });
  }

  /** The same session, played again by a new engine. */
  reload(): Promise<void> {
    const { deeds, branch, other } = this.state;
    return this.load({ deeds, at: placeOf(this.state), branch, other });
  }

  step(): Promise<void> {
    return this.#move({ kind: 'step' });
  }

  stepWrite(): Promise<void> {
    this.pause();
    return this.#move({ kind: 'stepWrite' });
  }

  stepTimer(): Promise<void> {
    this.pause();
    return this.#move({ kind: 'stepTimer' });
  }

  back(): Promise<void> {
    this.pause();
    return this.#move({ kind: 'stepBack' });
  }

  seek(step: number, write = 0): Promise<void> {
    this.pause();
    return this.#move({ kind: 'seek', at: { step, write } });
  }

  reset(): Promise<void> {
    return this.load();
  }

  /** Something from the menu of a pod. */
  async inject(pod: string, action: string, exitCode: number | null): Promise<void> {
    const place = this.state.frame?.pods.findLastIndex((one) => one.name === pod) ?? -1;
    if (place >= 0) await this.#do({ kind: 'pod', pod: place + 1, action, exitCode }, null);
  }

  /** Actions of a scenario, here or at an earlier place. */
  perform(actions: readonly ScenarioAction[], at: Place | null = null): Promise<void> {
    return this.#do({ kind: 'do', actions }, at);
  }

  /** The controller crashes now, or between two writes of an earlier decision. */
  crash(at: Place | null = null): Promise<void> {
    return this.perform([{ controller: 'restart' }], at);
  }

  /** Takes the last deed back, and goes to where it was done. */
  async undo(): Promise<void> {
    const last = this.state.deeds.at(-1);
    if (last === undefined) return;
    const { branch, other } = this.state;
    await this.load({ deeds: this.state.deeds.slice(0, -1), at: last.at, branch, other });
  }

  /** From here on there are two ways: this one is kept beside the one that goes on. */
  fork(): void {
    this.pause();
    if (this.state.frame !== null) this.dispatch({ kind: 'forked' });
  }

  /** The other way comes to the front. */
  async switchBranch(): Promise<void> {
    const { other } = this.state;
    if (other === null) return;
    await this.load({ deeds: other.deeds, at: other.place, branch: other.name, other: branchOf(this.state) });
  }

  /** How both ways end, side by side. */
  async compare(): Promise<void> {
    const { other } = this.state;
    this.show('compare');
    if (other === null) return;
    const own = await this.#ask({ kind: 'peek' });
    const here = { deeds: this.state.deeds, at: placeOf(this.state) };
    const source = { text: this.state.text, outcomes: this.state.outcomes, seed: SEED };
    const there = await this.#ask({ kind: 'load', source, deeds: other.deeds, at: other.place });
    const theirs = there === null ? null : await this.#ask({ kind: 'peek' });
    await this.#ask({ kind: 'load', source, ...here });
    this.dispatch({ kind: 'endsSeen', own: frameOf(own), other: frameOf(theirs) });
  }

  dropOther(): void {
    this.dispatch({ kind: 'otherDropped' });
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

  async openMenu(pod: string): Promise<void> {
    this.#pace.cancel('play');
    this.dispatch({ kind: 'menuOpened', pod });
    const place = this.state.frame?.pods.findLastIndex((one) => one.name === pod) ?? -1;
    const answer = await this.#ask({ kind: 'actions', pod: `#${place + 1}` });
    if (answer?.kind === 'actions') this.dispatch({ kind: 'menuFilled', pod, actions: answer.actions });
  }

  closeMenu(): void {
    if (this.state.menu !== null) this.dispatch({ kind: 'menuClosed' });
  }

  toggle(what: Toggle): void {
    this.dispatch({ kind: 'toggled', what });
  }

  show(sheet: Sheet | null): void {
    this.pause();
    this.dispatch({ kind: 'sheetSet', sheet });
  }

  toggleSheet(sheet: Sheet): void {
    this.show(this.state.sheet === sheet ? null : sheet);
  }

  tourTo(stop: number): void {
    this.dispatch({ kind: 'tourMoved', stop });
  }

  notice(text: string | null): void {
    this.dispatch({ kind: 'noticed', text });
  }

  chooseTab(tab: Tab): void {
    this.dispatch({ kind: 'tabChosen', tab });
  }

  chooseEditorTab(tab: EditorTab): void {
    this.dispatch({ kind: 'editorTabChosen', tab });
    if (tab === 'test') void this.makeTest();
  }

  choosePodsView(view: PodsView): void {
    this.dispatch({ kind: 'podsViewChosen', view });
  }

  chooseObjectView(view: ObjectView): void {
    this.dispatch({ kind: 'objectViewChosen', view });
  }

  focusPod(pod: string): void {
    if (this.state.focusPod !== pod) this.dispatch({ kind: 'podFocused', pod });
  }

  pointAt(field: string | null): void {
    if (this.state.field !== field) this.dispatch({ kind: 'fieldPointed', field });
  }

  scrollTo(firstRow: number): void {
    if (this.state.firstRow !== firstRow) this.dispatch({ kind: 'scrolled', firstRow });
  }

  /** The session so far as a scenario with its trace. */
  async makeTest(): Promise<void> {
    const name = this.state.frame?.job?.name ?? 'session';
    const answer = await this.#ask({ kind: 'export', name });
    if (answer?.kind === 'exported') this.dispatch({ kind: 'exported', scenario: answer.scenario, trace: answer.trace });
  }

  /** Looks for all ends of the Job, beside the session. */
  async explore(scope: Scope): Promise<void> {
    this.#explorer.stop();
    this.dispatch({ kind: 'explored', exploration: { running: true, states: 0, explored: null, problem: null } });
    const { text } = this.state;
    const progress = (states: number): void => this.dispatch({ kind: 'explored', exploration: { states } });
    const answer = await this.#explorer.ask({ kind: 'explore', text, scope }, progress);
    if (text !== this.state.text || answer.kind === 'broken') {
      this.dispatch({ kind: 'explored', exploration: { running: false } });
      return;
    }
    const explored = answer.kind === 'explored' ? answer.explored : null;
    const problem = answer.kind === 'rejected' ? (answer.diagnostics[0]?.message ?? null) : null;
    this.dispatch({ kind: 'explored', exploration: { running: false, explored, problem } });
  }

  /** Gives the walk up. */
  stopExploring(): void {
    this.#explorer.stop();
  }

  /** A scenario of the explorer comes into the editor and plays. */
  async watch(scenario: string): Promise<void> {
    await this.open({ preset: '', text: scenario, outcomes: '', deeds: [], at: START });
    this.show(null);
    this.togglePlay();
  }

  async #beat(): Promise<void> {
    await this.step();
    if (this.state.playing && !isOver(this.state)) {
      this.#pace.later('play', BEAT / this.state.speed, () => void this.#beat());
    }
  }

  async #move(question: Move): Promise<void> {
    const answer = await this.#ask(question);
    if (answer !== null) this.dispatch({ kind: 'moved', answer, doing: null });
  }

  async #do(act: Act, at: Place | null): Promise<void> {
    this.#pace.cancel('play');
    const answer = await this.#ask({ kind: 'do', act, at });
    if (answer !== null) this.dispatch({ kind: 'moved', answer, doing: act });
  }

  /** Null if another text was loaded meanwhile, or if there is nothing to play yet. */
  async #ask(question: Question): Promise<Answer | null> {
    if (this.state.frame === null || this.state.broken !== null) return null;
    const mine = this.#loads;
    const answer = await this.#client.ask(question);
    return mine === this.#loads ? answer : null;
  }
}

function frameOf(answer: Answer | null): State['frame'] {
  return answer?.kind === 'frame' ? answer.frame : null;
}
