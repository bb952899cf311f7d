/**
 * How the page's state changes: (state, action) -> state.
 *
 * Invariant: pure. It never looks into a Job; it only keeps what the engine sent and what the person
 * did.
 */
import type { Answer } from '../engine/protocol.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import type { PodActionFrame } from '../gen/PodActionFrame.ts';
import { placeOf, type Branch, type EditorTab, type Exploration, type ObjectView, type PodsView, type Sheet, type Speed, type State, type Tab } from './state.ts';
import type { Act, Deed, Place } from './deed.ts';

/** The switches that a click turns over. */
export type Toggle = 'recordOpen' | 'ladderOpen' | 'quietHidden';

/** An act, and where it is done. */
export interface Doing {
  readonly act: Act;
  readonly at: Place;
}

export type Action =
  | { readonly kind: 'presetChosen'; readonly preset: string; readonly text: string; readonly outcomes: string }
  | { readonly kind: 'textEdited'; readonly text: string }
  | { readonly kind: 'outcomesEdited'; readonly outcomes: string }
  /** The engine answered a load, for the text as it is now. */
  | { readonly kind: 'loaded'; readonly answer: Answer; readonly branch: string; readonly other: Branch | null }
  /** The engine answered a move; `doing` if a person did something. */
  | { readonly kind: 'moved'; readonly answer: Answer; readonly doing: Act | null }
  | { readonly kind: 'forked' }
  | { readonly kind: 'endsSeen'; readonly own: Frame | null; readonly other: Frame | null }
  | { readonly kind: 'otherDropped' }
  | { readonly kind: 'playSet'; readonly playing: boolean }
  | { readonly kind: 'speedSet'; readonly speed: Speed }
  | { readonly kind: 'menuOpened'; readonly pod: string }
  | { readonly kind: 'menuFilled'; readonly pod: string; readonly actions: readonly PodActionFrame[] }
  | { readonly kind: 'menuClosed' }
  | { readonly kind: 'toggled'; readonly what: Toggle }
  | { readonly kind: 'sheetSet'; readonly sheet: Sheet | null }
  | { readonly kind: 'tourMoved'; readonly stop: number }
  | { readonly kind: 'noticed'; readonly text: string | null }
  | { readonly kind: 'explored'; readonly exploration: Partial<Exploration> }
  | { readonly kind: 'exported'; readonly scenario: string; readonly trace: string }
  | { readonly kind: 'tabChosen'; readonly tab: Tab }
  | { readonly kind: 'editorTabChosen'; readonly tab: EditorTab }
  | { readonly kind: 'podsViewChosen'; readonly view: PodsView }
  | { readonly kind: 'objectViewChosen'; readonly view: ObjectView }
  | { readonly kind: 'podFocused'; readonly pod: string }
  | { readonly kind: 'fieldPointed'; readonly field: string | null }
  | { readonly kind: 'scrolled'; readonly firstRow: number };

export function update(state: State, action: Action): State {
  switch (action.kind) {
    case 'presetChosen':
      return { ...state, preset: action.preset, text: action.text, outcomes: action.outcomes, playing: false, menu: null, firstRow: 0 };
    case 'textEdited':
      return { ...state, text: action.text, playing: false };
    case 'outcomesEdited':
      return { ...state, outcomes: action.outcomes, playing: false };
    case 'loaded':
      return loaded(state, action.answer, action);
    case 'moved':
      return moved(state, action.answer, action.doing);
    case 'forked':
      return { ...state, branch: otherName(state.branch), other: branchOf(state), end: null };
    case 'endsSeen':
      return { ...state, end: action.own ?? state.end, other: state.other && { ...state.other, end: action.other ?? state.other.end } };
    case 'otherDropped':
      return { ...state, other: null, sheet: null };
    default:
      return shown(state, action);
  }
}

/** What concerns the page alone. */
function shown(state: State, action: Action): State {
  switch (action.kind) {
    case 'playSet':
      return { ...state, playing: action.playing && !isOver(state), menu: action.playing ? null : state.menu };
    case 'speedSet':
      return { ...state, speed: action.speed };
    case 'menuOpened':
      return { ...state, menu: { pod: action.pod, actions: null, refused: null }, playing: false, focusPod: action.pod };
    case 'menuFilled':
      return { ...state, menu: state.menu?.pod === action.pod ? { ...state.menu, actions: action.actions } : state.menu };
    case 'menuClosed':
      return { ...state, menu: null };
    case 'toggled':
      return { ...state, [action.what]: !state[action.what] };
    case 'sheetSet':
      return { ...state, sheet: action.sheet, tourStop: 0, notice: null, menu: null };
    case 'tourMoved':
      return { ...state, tourStop: action.stop };
    case 'noticed':
      return { ...state, notice: action.text };
    case 'explored':
      return { ...state, exploration: { ...state.exploration, ...action.exploration } };
    case 'exported':
      return { ...state, exported: { scenario: action.scenario, trace: action.trace } };
    default:
      return looked(state, action);
  }
}

/** Where the person looks. */
function looked(state: State, action: Action): State {
  switch (action.kind) {
    case 'tabChosen':
      return { ...state, tab: action.tab, menu: null };
    case 'editorTabChosen':
      return { ...state, editorTab: action.tab };
    case 'podsViewChosen':
      return { ...state, podsView: action.view, menu: null, firstRow: 0 };
    case 'objectViewChosen':
      return { ...state, objectView: action.view };
    case 'podFocused':
      return { ...state, focusPod: action.pod };
    case 'fieldPointed':
      return { ...state, field: action.field };
    case 'scrolled':
      return { ...state, firstRow: action.firstRow };
    default:
      return state;
  }
}

/** Whether the engine said that nothing more happens by itself. */
export function isOver(state: State): boolean {
  return state.frame?.ended !== null;
}

/** The way that is shown, to be kept. */
export function branchOf(state: State): Branch {
  return { name: state.branch, deeds: state.deeds, known: state.known, place: placeOf(state), end: state.end };
}

export function otherName(name: string): string {
  return name === 'A' ? 'B' : 'A';
}

function loaded(state: State, answer: Answer, kept: { branch: string; other: Branch | null }): State {
  switch (answer.kind) {
    case 'frame':
      return {
        ...state,
        diagnostics: answer.diagnostics,
        outcomesProblem: null,
        stale: false,
        broken: null,
        played: state.text,
        frame: answer.frame,
        write: answer.write,
        explanation: answer.explanation ?? null,
        lines: answer.lines ?? [],
        before: null,
        known: answer.frame.past,
        deeds: answer.deeds ?? [],
        branch: kept.branch,
        other: kept.other,
        end: null,
        exported: null,
        exploration: { running: false, states: 0, explored: null, problem: null },
        playing: false,
        menu: null,
        focusPod: null,
      };
    case 'rejected':
      return {
        ...state,
        diagnostics: answer.diagnostics,
        outcomesProblem: answer.outcomesProblem,
        stale: true,
        broken: null,
        playing: false,
      };
    case 'broken':
      return { ...state, broken: answer.message, playing: false, menu: null };
    default:
      return state;
  }
}

function moved(state: State, answer: Answer, doing: Act | null): State {
  switch (answer.kind) {
    case 'frame':
      return at(state, answer.frame, answer.write, doing === null ? null : { act: doing, at: answer.doneAt ?? placeOf(state) });
    case 'refused':
      return state.menu === null
        ? { ...state, notice: answer.why, playing: false }
        : { ...state, menu: { ...state.menu, refused: answer.why } };
    case 'broken':
      return { ...state, broken: answer.message, playing: false, menu: null };
    default:
      return state;
  }
}

function at(state: State, frame: Frame, write: number, doing: Doing | null): State {
  const before = state.frame;
  const oneOn = before !== null && (before.step + 1 === frame.step || (before.step === frame.step && state.write + 1 === write));
  const next: State = {
    ...state,
    frame,
    write,
    before: oneOn ? before.job : null,
    known: doing === null ? longer(state.known, frame.past) : frame.past,
    exported: null,
    menu: null,
    notice: null,
    playing: state.playing && frame.ended === null,
  };
  return doing === null ? next : withDeed(state, next, { ...doing, atMs: frame.atMs });
}

/** A deed in the past drops what came after it; the way that was seen stays as the other branch. */
function withDeed(state: State, next: State, deed: Deed): State {
  const kept = state.deeds.filter((one) => isBefore(one.at, deed.at));
  const losesSomething = kept.length < state.deeds.length || state.known.length > next.known.length;
  const forks = losesSomething
    ? { branch: otherName(state.branch), other: { ...branchOf(state), place: deed.at }, end: null }
    : { end: null };
  return { ...next, ...forks, deeds: [...kept, deed] };
}

/** At the same place what was done first stays first. */
function isBefore(one: Place, other: Place): boolean {
  return one.step < other.step || (one.step === other.step && one.write <= other.write);
}

/** What was seen of the future stays known until a deed changes it. */
function longer(known: readonly PastDecision[], past: readonly PastDecision[]): readonly PastDecision[] {
  return past.length >= known.length ? past : known;
}
