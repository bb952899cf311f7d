/** The page's state: what is kept, what is dropped, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../src/engine/protocol.ts';
import type { Act } from '../src/model/deed.ts';
import type { Diagnostic } from '../src/gen/Diagnostic.ts';
import { initialState, type State } from '../src/model/state.ts';
import { isOver, update, type Action } from '../src/model/update.ts';
import { frame, job, past, pod } from './fixture.ts';

const wrong: Diagnostic = {
  severity: 'error',
  code: 'syntax',
  field: null,
  meant: null,
  lint: null,
  message: 'no YAML',
  line: 3,
  column: 1,
  endLine: 3,
  endColumn: 2,
};

function at(step: number, write = 0): Answer {
  return { kind: 'frame', frame: frame({ step, atMs: step * 1000, past: past(step) }), write, diagnostics: [] };
}

function loaded(answer: Answer): Action {
  return { kind: 'loaded', answer, branch: 'A', other: null };
}

function playedTo(step: number): State {
  let state = update(initialState('x', 'text', ''), loaded(at(0)));
  for (let one = 1; one <= step; one += 1) state = update(state, { kind: 'moved', answer: at(one), doing: null });
  return state;
}

test('a text that cannot be played keeps the last moment and says so', () => {
  const state = update(playedTo(3), loaded({ kind: 'rejected', diagnostics: [wrong], outcomesProblem: null }));
  assert.equal(state.stale, true);
  assert.equal(state.frame?.step, 3);
  assert.deepEqual(state.diagnostics, [wrong]);
});

test('a good text after a bad one starts anew', () => {
  const bad = update(playedTo(3), loaded({ kind: 'rejected', diagnostics: [wrong], outcomesProblem: null }));
  const good = update(bad, loaded(at(0)));
  assert.equal(good.stale, false);
  assert.equal(good.frame?.step, 0);
  assert.deepEqual(good.diagnostics, []);
  assert.deepEqual(good.known, []);
});

test('stepping back keeps the decisions that were seen', () => {
  const state = update(playedTo(3), { kind: 'moved', answer: at(1), doing: null });
  assert.equal(state.frame?.step, 1);
  assert.equal(state.known.length, 3);
});

const fail: Act = { kind: 'pod', pod: 1, action: 'fail', exitCode: 1 };
const crash: Act = { kind: 'do', actions: [{ controller: 'restart' }] };

test('a deed drops the future that was seen, and keeps it as the other branch', () => {
  const first = update(playedTo(3), { kind: 'moved', answer: { ...at(3), doneAt: { step: 3, write: 0 } } as Answer, doing: fail });
  assert.deepEqual(first.deeds.map((deed) => deed.at.step), [3]);
  assert.equal(first.other, null, 'nothing was lost');
  const back = update(first, { kind: 'moved', answer: at(1), doing: null });
  const other = update(back, { kind: 'moved', answer: { ...at(1), doneAt: { step: 1, write: 0 } } as Answer, doing: crash });
  assert.deepEqual(other.deeds.map((deed) => [deed.at.step, deed.act]), [[1, crash]]);
  assert.equal(other.known.length, 1);
  assert.deepEqual([other.branch, other.other?.name, other.other?.known.length, other.other?.deeds.length], ['B', 'A', 3, 1]);
});

test('what was done first at a place stays first', () => {
  const here = { step: 2, write: 1 };
  const first = update(playedTo(2), { kind: 'moved', answer: { ...at(2, 1), doneAt: here } as Answer, doing: fail });
  const second = update(first, { kind: 'moved', answer: { ...at(2, 1), doneAt: here } as Answer, doing: crash });
  assert.deepEqual(second.deeds.map((deed) => deed.act), [fail, crash]);
  assert.equal(second.other, null);
});

test('a fork keeps this way under its name', () => {
  const forked = update(playedTo(2), { kind: 'forked' });
  assert.deepEqual([forked.branch, forked.other?.name, forked.other?.place], ['B', 'A', { step: 2, write: 0 }]);
  assert.equal(update(forked, { kind: 'otherDropped' }).other, null);
});

test('a refusal without a menu is said once', () => {
  const refused = update(playedTo(1), { kind: 'moved', answer: { kind: 'refused', why: 'immutable' }, doing: crash });
  assert.equal(refused.notice, 'immutable');
  assert.deepEqual(refused.deeds, []);
  assert.equal(update(refused, { kind: 'moved', answer: at(2), doing: null }).notice, null);
});

test('the status before is known only one decision later', () => {
  const job1 = job({ status: { active: 1 } });
  const first = update(playedTo(0), { kind: 'moved', answer: { kind: 'frame', frame: frame({ step: 1, job: job1 }), write: 0, diagnostics: [] }, doing: null });
  assert.equal(update(first, { kind: 'moved', answer: at(2), doing: null }).before, job1);
  assert.equal(update(first, { kind: 'moved', answer: at(5), doing: null }).before, null);
});

test('what is refused leaves the moment and shows in the menu', () => {
  const open = update(playedTo(1), { kind: 'menuOpened', pod: 'a' });
  const refused = update(open, { kind: 'moved', answer: { kind: 'refused', why: 'it has ended' }, doing: null });
  assert.equal(refused.frame, open.frame);
  assert.deepEqual(refused.menu, { pod: 'a', actions: null, refused: 'it has ended' });
});

test('the menu closes when the moment changes', () => {
  const open = update(playedTo(1), { kind: 'menuOpened', pod: 'a' });
  assert.equal(update(open, { kind: 'moved', answer: at(2), doing: null }).menu, null);
});

test('playing stops at the end, and does not start after it', () => {
  const playing = update(playedTo(1), { kind: 'playSet', playing: true });
  assert.equal(playing.playing, true);
  const ended = frame({ step: 2, ended: { kind: 'complete', text: 'Complete.' } });
  const over = update(playing, { kind: 'moved', answer: { kind: 'frame', frame: ended, write: 0, diagnostics: [] }, doing: null });
  assert.equal(over.playing, false);
  assert.equal(isOver(over), true);
  assert.equal(update(over, { kind: 'playSet', playing: true }).playing, false);
});

test('without a moment there is nothing to play', () => {
  assert.equal(isOver(initialState('x', '', '')), true);
});

test('a broken engine is said, and the moment stays in sight', () => {
  const state = update(playedTo(2), { kind: 'moved', answer: { kind: 'broken', message: 'unreachable' }, doing: null });
  assert.equal(state.broken, 'unreachable');
  assert.equal(state.frame?.step, 2);
});

test('a pod keeps the focus stop of the lanes', () => {
  const moment = frame({ pods: [pod()] });
  const state = update(initialState('x', '', ''), loaded({ kind: 'frame', frame: moment, write: 0, diagnostics: [] }));
  assert.equal(update(state, { kind: 'podFocused', pod: 'hello-abcde' }).focusPod, 'hello-abcde');
});
