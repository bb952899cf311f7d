/** Time as text and as length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, clockText, spanFor, ticks } from '../src/model/scale.ts';

test('the span has room on the right, and grows in steps', () => {
  assert.equal(spanFor(0), 12);
  assert.equal(spanFor(10), 20);
  assert.equal(spanFor(15), 20);
  assert.equal(spanFor(4000), 7200);
});

test('marks are round and not more than asked for', () => {
  assert.deepEqual(ticks(30, 6), { step: 5, at: [0, 5, 10, 15, 20, 25, 30] });
  assert.equal(ticks(7200, 8).step, 900);
});

test('clocks', () => {
  assert.equal(clock(7), '0:07');
  assert.equal(clock(754.9), '12:34');
  assert.equal(clock(3723), '1:02:03');
  assert.equal(clockText(18_050), '0:18.0');
  assert.equal(clockText(250), '0:00.2');
});
