/** The stored status as lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusLines } from '../src/model/status.ts';

const text = (now: Parameters<typeof statusLines>[0], before: Parameters<typeof statusLines>[1] = null): string[] =>
  statusLines(now, before).map((line) => `${'  '.repeat(line.depth)}${line.key}: ${line.value ?? ''}${line.before === null ? '' : ` (${line.before})`}`);

test('objects and lists are indented as YAML', () => {
  const conditions = [{ type: 'Complete', status: 'True' }];
  assert.deepEqual(text({ active: 1, conditions, uncountedTerminatedPods: {} }), [
    'active: 1',
    'conditions: ',
    '  - type: "Complete"',
    '    status: "True"',
    'uncountedTerminatedPods: {}',
  ]);
});

test('what changed carries the value before, what is new an empty one', () => {
  assert.deepEqual(text({ active: 1, ready: 1, failed: 2 }, { active: 1, failed: 1 }), [
    'active: 1',
    'ready: 1 ()',
    'failed: 2 (1)',
  ]);
});

test('nothing is marked without a moment before', () => {
  assert.deepEqual(text({ active: 1 }), ['active: 1']);
});
