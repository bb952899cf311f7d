/** Links: what goes in comes out, and what is foreign does no harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import type { Saved } from '../src/app.ts';
import { fromFragment, toFragment, type PresetTexts } from '../src/model/link.ts';

const presets: PresetTexts = (id) => (id === 'known' ? { text: 'kind: Job\n', outcomes: '1,0', at: { step: 4, write: 0 } } : null);
const known: Saved = { preset: 'known', text: 'kind: Job\n', outcomes: '1,0', deeds: [], at: { step: 4, write: 0 } };

function link(json: unknown, version = 1): string {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return `#${version}=${deflateRawSync(Buffer.from(text)).toString('base64url')}`;
}

async function back(saved: Saved): Promise<unknown> {
  return fromFragment(await toFragment(saved, presets), presets);
}

test('a session comes back as it was', async () => {
  const saved: Saved = {
    preset: '',
    text: 'kind: Job # 잡\n',
    outcomes: 'idx3: 1,0',
    deeds: [
      { at: { step: 2, write: 0 }, act: { kind: 'pod', pod: 3, action: 'node-lost', exitCode: null } },
      { at: { step: 2, write: 1 }, act: { kind: 'pod', pod: 1, action: 'fail', exitCode: 42 } },
      { at: { step: 7, write: 0 }, act: { kind: 'do', actions: [{ job: { patch: { spec: { suspend: true } } } }, { controller: 'restart' }] } },
    ],
    at: { step: 9, write: 2 },
  };
  assert.deepEqual(await back(saved), { saved });
});

test('what is as it would be anyway is left out', async () => {
  assert.ok((await toFragment(known, presets)).length < 30);
  assert.deepEqual(await back(known), { saved: known });
  const moved = { ...known, outcomes: '', at: { step: 0, write: 0 } };
  assert.deepEqual(await back(moved), { saved: moved });
});

test('an address without a session is none', async () => {
  for (const fragment of ['', '#', '#decision', '#1', '#x=1']) assert.equal(await fromFragment(fragment, presets), null, fragment);
});

test('the first links that were given out stay readable', async () => {
  const fragment = '#1=q1YqULJSqlbKBVI6SslANhAXK1kZ6CiVKVmZ6CilKFlFG-oYxeoYxuoYArGhTnVxaWJ6ak5JYmpRfmlxTFlmSmp6fgkA';
  const opened = await fromFragment(fragment, presets);
  assert.ok(opened !== null && 'problem' in opened, 'a damaged one is told');
  assert.deepEqual(await fromFragment(link({ p: 'known', s: 2, d: [[1, 0, 1, 'fail', 3]] }), presets), {
    saved: { ...known, at: { step: 2, write: 0 }, deeds: [{ at: { step: 1, write: 0 }, act: { kind: 'pod', pod: 1, action: 'fail', exitCode: 3 } }] },
  });
});

test('a hostile link gives a problem and nothing else', async () => {
  const nested = `{"t":"x","d":[[0,0,[${'{"a":'.repeat(100)}1${'}'.repeat(100)}]]]}`;
  for (const [fragment, problem] of [
    [`#1=${'A'.repeat(500_000)}`, 'too-long'],
    [link({ t: 'x'.repeat(5_000_000) }), 'too-long'],
    [link({ t: 'x' }, 7), 'newer'],
    ['#0=abc', 'broken'],
    ['#1=%%%', 'broken'],
    ['#1=<script>alert(1)</script>', 'broken'],
    ['#1=AAAA', 'broken'],
    [link('{"t":'), 'broken'],
    [link('[1,2]'), 'broken'],
    [link({}), 'broken'],
    [link({ t: 3 }), 'broken'],
    [link({ t: 'x', s: -1 }), 'broken'],
    [link({ t: 'x', s: 1e12 }), 'broken'],
    [link({ t: 'x', d: 'all' }), 'broken'],
    [link({ t: 'x', d: [[0, 0, 1, 'FAIL<', 1]] }), 'broken'],
    [link({ t: 'x', d: [[0, 0, 1, 'fail', 999]] }), 'broken'],
    [link({ t: 'x', d: Array.from({ length: 2_000 }, () => [0, 0, 1, 'fail', 1]) }), 'broken'],
    [link(nested), 'broken'],
  ] as const) {
    assert.deepEqual(await fromFragment(fragment, presets), { problem }, fragment.slice(0, 60));
  }
});

test('a name that every object has is no preset', async () => {
  const opened = await fromFragment(link({ p: '__proto__', t: 'x' }), presets);
  assert.deepEqual(opened, { saved: { preset: '', text: 'x', outcomes: '', deeds: [], at: { step: 0, write: 0 } } });
});
