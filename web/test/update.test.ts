/** The page's state: what is kept, what is dropped, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../src/engine/protocol.ts';
import type { Diagnostic } from '../src/gen/Diagnostic.ts';
import { initialState, type State } from '../src/model/state.ts';
import { isOver, update } from '../src/model/update.ts';
import { frame, job, past, pod } from './fixture.ts';

const wrong: Diagnostic = {
  severity: 'error',
  code: 'syntax',
  field: null,
  message: 'no YAML',
  line: 3,
  column: 1,
  endLine: 3,
  endColumn: 2,
};

function at(step: number, known = step): Answer {
  return { kind: 'frame', frame: frame({ step, atMs: step * 1000, past: past(step) }), diagnostics: known === step ? [] : [] };
}

function playedTo(step: number): State {
  let state = update(initialState('x', 'text', ''), { kind: 'loaded', answer: at(0) });
  for (let one = 1; one <= step; one += 1) state = update(state, { kind: 'moved', answer: at(one), deed: null });
  return state;
}

test('a text that cannot be played keeps the last moment and says so', () => {
  const state = update(playedTo(3), { kind: 'loaded', answer: { kind: 'rejected', diagnostics: [wrong], outcomesProblem: null } });
  assert.equal(state.stale, true);
  assert.equal(state.frame?.step, 3);
  assert.deepEqual(state.diagnostics, [wrong]);
});

test('a good text after a bad one starts anew', () => {
  const bad = update(playedTo(3), { kind: 'loaded', answer: { kind: 'rejected', diagnostics: [wrong], outcomesProblem: null } });
  const good = update(bad, { kind: 'loaded', answer: at(0) });
  assert.equal(good.stale, false);
  assert.equal(good.frame?.step, 0);
  assert.deepEqual(good.diagnostics, []);
  assert.deepEqual(good.known, []);
});

test('stepping back keeps the decisions that were seen', () => {
  const state = update(playedTo(3), { kind: 'moved', answer: at(1), deed: null });
  assert.equal(state.frame?.step, 1);
  assert.equal(state.known.length, 3);
});

test('a deed drops the future that was seen, and the deeds of it', () => {
  const fail = { pod: 'a', action: 'fail', exitCode: 1 } as const;
  const first = update(playedTo(3), { kind: 'moved', answer: at(3), deed: fail });
  assert.deepEqual(first.deeds.map((deed) => deed.step), [3]);
  const back = update(first, { kind: 'moved', answer: at(1), deed: null });
  const other = update(back, { kind: 'moved', answer: at(1), deed: { ...fail, action: 'delete', exitCode: null } });
  assert.deepEqual(other.deeds.map((deed) => [deed.step, deed.action]), [[1, 'delete']]);
  assert.equal(other.known.length, 1);
});

test('the status before is known only one decision later', () => {
  const job1 = job({ status: { active: 1 } });
  const before = update(playedTo(0), { kind: 'moved', answer: { kind: 'frame', frame: frame({ step: 1, job: job1 }), diagnostics: [] }, deed: null });
  assert.equal(update(before, { kind: 'moved', answer: at(2), deed: null }).statusBefore, job1);
  assert.equal(update(before, { kind: 'moved', answer: at(5), deed: null }).statusBefore, null);
});

test('what is refused leaves the moment and shows in the menu', () => {
  const open = update(playedTo(1), { kind: 'menuOpened', pod: 'a' });
  const refused = update(open, { kind: 'moved', answer: { kind: 'refused', why: 'it has ended' }, deed: null });
  assert.equal(refused.frame, open.frame);
  assert.deepEqual(refused.menu, { pod: 'a', refused: 'it has ended' });
});

test('the menu closes when the moment changes', () => {
  const open = update(playedTo(1), { kind: 'menuOpened', pod: 'a' });
  assert.equal(update(open, { kind: 'moved', answer: at(2), deed: null }).menu, null);
});

test('playing stops at the end, and does not start after it', () => {
  const playing = update(playedTo(1), { kind: 'playSet', playing: true });
  assert.equal(playing.playing, true);
  const ended = frame({ step: 2, ended: { kind: 'complete', text: 'Complete.' } });
  const over = update(playing, { kind: 'moved', answer: { kind: 'frame', frame: ended, diagnostics: [] }, deed: null });
  assert.equal(over.playing, false);
  assert.equal(isOver(over), true);
  assert.equal(update(over, { kind: 'playSet', playing: true }).playing, false);
});

test('without a moment there is nothing to play', () => {
  assert.equal(isOver(initialState('x', '', '')), true);
});

test('a broken engine is said, and the moment stays in sight', () => {
  const state = update(playedTo(2), { kind: 'moved', answer: { kind: 'broken', message: 'unreachable' }, deed: null });
  assert.equal(state.broken, 'unreachable');
  assert.equal(state.frame?.step, 2);
});

test('a pod keeps the focus stop of the lanes', () => {
  const moment = frame({ pods: [pod()] });
  const state = update(initialState('x', '', ''), { kind: 'loaded', answer: { kind: 'frame', frame: moment, diagnostics: [] } });
  assert.equal(update(state, { kind: 'podFocused', pod: 'hello-abcde' }).focusPod, 'hello-abcde');
});
