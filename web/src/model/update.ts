/**
 * How the page's state changes: (state, action) -> state.
 *
 * Invariant: pure. It never looks into a Job; it only keeps what the engine sent and what the person
 * did.
 */
import type { Answer } from '../engine/protocol.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import type { Deed, PodsView, Speed, State, Tab } from './state.ts';

/** The switches that a click turns over. */
export type Toggle = 'helpOpen' | 'recordOpen' | 'ladderOpen' | 'quietHidden';

export type Action =
  | { readonly kind: 'exampleChosen'; readonly example: string; readonly text: string; readonly outcomes: string }
  | { readonly kind: 'textEdited'; readonly text: string }
  | { readonly kind: 'outcomesEdited'; readonly outcomes: string }
  /** The engine answered a load, for the text as it is now. */
  | { readonly kind: 'loaded'; readonly answer: Answer }
  /** The engine answered a move; `deed` if a person did something to a pod. */
  | { readonly kind: 'moved'; readonly answer: Answer; readonly deed: Omit<Deed, 'step' | 'atMs'> | null }
  | { readonly kind: 'playSet'; readonly playing: boolean }
  | { readonly kind: 'speedSet'; readonly speed: Speed }
  | { readonly kind: 'menuOpened'; readonly pod: string }
  | { readonly kind: 'menuClosed' }
  | { readonly kind: 'toggled'; readonly what: Toggle }
  | { readonly kind: 'tabChosen'; readonly tab: Tab }
  | { readonly kind: 'podsViewChosen'; readonly view: PodsView }
  | { readonly kind: 'podFocused'; readonly pod: string };

export function update(state: State, action: Action): State {
  switch (action.kind) {
    case 'exampleChosen':
      return { ...state, example: action.example, text: action.text, outcomes: action.outcomes, playing: false, menu: null };
    case 'textEdited':
      return { ...state, text: action.text, playing: false };
    case 'outcomesEdited':
      return { ...state, outcomes: action.outcomes, playing: false };
    case 'loaded':
      return loaded(state, action.answer);
    case 'moved':
      return moved(state, action.answer, action.deed);
    case 'playSet':
      return { ...state, playing: action.playing && !isOver(state), menu: action.playing ? null : state.menu };
    case 'speedSet':
      return { ...state, speed: action.speed };
    case 'menuOpened':
      return { ...state, menu: { pod: action.pod, refused: null }, playing: false, focusPod: action.pod };
    case 'menuClosed':
      return { ...state, menu: null };
    case 'toggled':
      return { ...state, [action.what]: !state[action.what] };
    case 'tabChosen':
      return { ...state, tab: action.tab, menu: null };
    case 'podsViewChosen':
      return { ...state, podsView: action.view, menu: null };
    case 'podFocused':
      return { ...state, focusPod: action.pod };
  }
}

/** Whether the engine said that nothing more happens by itself. */
export function isOver(state: State): boolean {
  return state.frame?.ended !== null;
}

function loaded(state: State, answer: Answer): State {
  switch (answer.kind) {
    case 'frame':
      return {
        ...state,
        diagnostics: answer.diagnostics,
        outcomesProblem: null,
        stale: false,
        broken: null,
        frame: answer.frame,
        explanation: answer.explanation ?? null,
        statusBefore: null,
        known: answer.frame.past,
        deeds: [],
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
    case 'refused':
      return state;
    case 'broken':
      return { ...state, broken: answer.message, playing: false, menu: null };
  }
}

function moved(state: State, answer: Answer, deed: Omit<Deed, 'step' | 'atMs'> | null): State {
  switch (answer.kind) {
    case 'frame':
      return shown(state, answer.frame, deed);
    case 'rejected':
      return state;
    case 'refused':
      return { ...state, menu: state.menu && { ...state.menu, refused: answer.why } };
    case 'broken':
      return { ...state, broken: answer.message, playing: false, menu: null };
  }
}

function shown(state: State, frame: Frame, deed: Omit<Deed, 'step' | 'atMs'> | null): State {
  const before = state.frame;
  const kept = before !== null && deed !== null ? state.deeds.filter((one) => one.step <= before.step) : state.deeds;
  const done = before !== null && deed !== null ? [{ ...deed, step: before.step, atMs: frame.atMs }] : [];
  return {
    ...state,
    frame,
    statusBefore: before !== null && before.step + 1 === frame.step ? before.job : null,
    known: deed === null ? longer(state.known, frame.past) : frame.past,
    deeds: [...kept, ...done],
    menu: null,
    playing: state.playing && frame.ended === null,
  };
}

/** What was seen of the future stays known until a deed changes it. */
function longer(known: readonly PastDecision[], past: readonly PastDecision[]): readonly PastDecision[] {
  return past.length >= known.length ? past : known;
}
