/** The ladder of rules, folded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ladder } from '../src/model/folding.ts';
import { tried } from './fixture.ts';

const rules = [
  tried('a', 'Ends?'),
  tried('b', 'Ends?'),
  tried('c', 'Pods?'),
  tried('d', 'Pods?'),
  tried('e', 'Pods?', true),
  tried('f', 'Pods?'),
];

const shape = (whole: boolean): unknown =>
  ladder(rules, whole).map((part) => [part.quiet, part.rungs.map((rung) => (rung.kind === 'rule' ? rung.rule.rule : rung.count))]);

test('a part where nothing fired is one line, and runs of quiet rules are folded', () => {
  assert.deepEqual(shape(false), [
    [2, []],
    [null, [2, 'e', 'f']],
  ]);
});

test('nothing is folded when the whole is asked for', () => {
  assert.deepEqual(shape(true), [
    [null, ['a', 'b']],
    [null, ['c', 'd', 'e', 'f']],
  ]);
});
