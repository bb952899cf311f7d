/** Where pods are drawn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut, rowAt, WINDOW } from '../src/model/lanes.ts';
import { frame, job, pod } from './fixture.ts';

test('an Indexed Job has a row for each index, from 0, also where nothing started', () => {
  const { rows } = layOut(frame({ job: job({ indexed: true, completions: 3 }), pods: [pod({ row: 1, index: 1 })] }));
  assert.deepEqual(rows.map((row) => [row.label, row.boxes.length]), [['0', 0], ['1', 1], ['2', 0]]);
});

test('other Jobs have a row for each pod, from 1', () => {
  const { rows } = layOut(frame({ job: job({ completions: 5 }), pods: [pod({ row: 0 }), pod({ row: 1, name: 'b' })] }));
  assert.deepEqual(rows.map((row) => row.label), ['1', '2']);
});

test('pods of one row that live at the same time stand below each other', () => {
  const pods = [
    pod({ name: 'a', index: 0, state: 'terminating', createdMs: 0, startedMs: 1000, deletedMs: 4000 }),
    pod({ name: 'b', index: 0, attempt: 2, createdMs: 5000 }),
  ];
  const { rows } = layOut(frame({ atMs: 9000, job: job({ indexed: true }), pods }));
  assert.deepEqual(rows[0]?.boxes.map((box) => box.line), [0, 1]);
  assert.equal(rows[0].lines, 2);
});

test('a pod that starts after the other ended shares its line', () => {
  const pods = [
    pod({ name: 'a', index: 0, state: 'failed', endedMs: 4000, trackingFinalizer: false }),
    pod({ name: 'b', index: 0, attempt: 2, createdMs: 5000 }),
  ];
  const { rows } = layOut(frame({ atMs: 9000, job: job({ indexed: true }), pods }));
  assert.deepEqual(rows[0]?.boxes.map((box) => box.line), [0, 0]);
});

test('a life is drawn in parts, each until the next', () => {
  const one = pod({ state: 'succeeded', createdMs: 0, startedMs: 1000, readyMs: 1500, endedMs: 6000 });
  const [box] = layOut(frame({ atMs: 8000, pods: [one] })).rows[0]?.boxes ?? [];
  assert.ok(box);
  assert.deepEqual(box.parts, [
    { state: 'pending', from: 0, to: 1000 },
    { state: 'running', from: 1000, to: 1500 },
    { state: 'ready', from: 1500, to: 6000 },
  ]);
  assert.equal(box.live, false);
  assert.deepEqual(box.held, { from: 6000, to: 8000 });
});

test('nothing is held once the finalizer is off or the pod is gone', () => {
  const off = pod({ state: 'succeeded', endedMs: 6000, trackingFinalizer: false });
  const gone = pod({ state: 'succeeded', endedMs: 6000, goneMs: 7000, name: 'b', row: 1 });
  const { rows } = layOut(frame({ atMs: 8000, pods: [off, gone] }));
  assert.deepEqual(rows.map((row) => row.boxes[0]?.held), [null, null]);
});

test('a pod made just now has a part to draw', () => {
  const [box] = layOut(frame({ atMs: 5000, pods: [pod({ createdMs: 5000 })] })).rows[0]?.boxes ?? [];
  assert.ok(box);
  assert.deepEqual(box.parts, [{ state: 'pending', from: 5000, to: 5000 }]);
  assert.equal(box.live, true);
});

test('a Job that is gone still shows its pods under their index', () => {
  const { rows } = layOut(frame({ job: null, pods: [pod({ row: 2, index: 2 })] }));
  assert.deepEqual(rows.map((row) => row.label), ['0', '1', '2']);
});

test('of a very wide Job only a window is drawn, with room for the rest', () => {
  const wide = frame({ job: job({ indexed: true, completions: 10_000 }) });
  const { rows, first, total, above, below } = layOut(wide, 5_000);
  assert.equal(rows.length, WINDOW);
  assert.deepEqual([first, total, rows[0]?.label], [5_000, 10_000, '5000']);
  assert.equal(above + below + WINDOW * 60, 600_000);
  assert.equal(layOut(wide, 99_999).first, 10_000 - WINDOW);
  assert.deepEqual([rowAt(wide, 0), rowAt(wide, 60 * 777 + 5), rowAt(wide, 1e9)], [0, 777, 9_999]);
});

test('a box knows where the next one of its line begins', () => {
  const pods = [
    pod({ name: 'a', index: 0, state: 'failed', endedMs: 4000, trackingFinalizer: false }),
    pod({ name: 'b', index: 0, attempt: 2, createdMs: 5000 }),
  ];
  const { rows } = layOut(frame({ atMs: 9000, job: job({ indexed: true }), pods }));
  assert.deepEqual(rows[0]?.boxes.map((box) => box.next), [5000, null]);
});
