/** The ladder of rules, folded. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ladder } from '../src/model/folding.ts';
import { tried } from './fixture.ts';

const rules = [
  tried('a', 'Ends?'),
  tried('b', 'Ends?'),
  tried('c', 'Ends?'),
  tried('d', 'Pods?'),
  tried('e', 'Pods?', true),
];

const shape = (whole: boolean): unknown =>
  ladder(rules, whole).map((part) => [part.stage, part.rungs.map((rung) => (rung.kind === 'rule' ? rung.rule.rule : rung.count))]);

test('runs of quiet rules are folded, short ones stay', () => {
  assert.deepEqual(shape(false), [['Ends?', [3]], ['Pods?', ['d', 'e']]]);
});

test('nothing is folded when the whole is asked for', () => {
  assert.deepEqual(shape(true), [['Ends?', ['a', 'b', 'c']], ['Pods?', ['d', 'e']]]);
});
