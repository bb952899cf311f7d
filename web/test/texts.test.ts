/** The page's part of the message catalogue: nothing is missing, nothing is left over. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WEB = new URL('../../', import.meta.url).pathname;

const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(WEB, `../crates/jobwright-api/catalogue/${name}.json`), 'utf8')) as Record<string, string>;
const catalogue = read('en');
const own = Object.keys(catalogue).filter((id) => id.startsWith('ui.'));

function source(): string {
  const files = readdirSync(join(WEB, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.map((name) => readFileSync(join(WEB, 'src', name), 'utf8')).join('\n');
}

test('every text of the page is used', () => {
  const code = source();
  // Ids that end in a value, such as `ui.state.${state}`.
  const stems = [...code.matchAll(/`(ui\.(?:[\w]+\.)+)\$\{/g)].map((match) => match[1] ?? '');
  const unused = own.filter((id) => !code.includes(`'${id}'`) && !stems.some((stem) => id.startsWith(stem)));
  assert.deepEqual(unused, []);
});

const files = readdirSync(join(WEB, 'presets')).filter((name) => name.endsWith('.yaml')).map((name) => name.replace('.yaml', ''));
const presets = JSON.parse(readFileSync(join(WEB, 'presets/presets.json'), 'utf8')) as { id: string; group: string }[];

test('every preset has a title and a lesson, and the other way round', () => {
  const wanted = [...files, 'own'].flatMap((name) => ['title', 'lesson'].map((part) => `ui.preset.${name}.${part}`));
  assert.deepEqual(own.filter((id) => id.startsWith('ui.preset.')).sort(), wanted.sort());
});

test('every preset stands in the picker, in a group with a name', () => {
  assert.deepEqual(presets.map((preset) => preset.id).sort(), files.sort());
  assert.deepEqual([...new Set(presets.map((preset) => preset.group))].filter((group) => !(`ui.group.${group}` in catalogue)), []);
  assert.ok(presets.length >= 20);
});

/** What a text puts values into. */
function slots(text: string): string {
  return [...new Set([...text.matchAll(/\{(\w+)[:}]/g)].map((match) => match[1]))].sort().join();
}

test('Korean has every text that the page and its engine say, with the same values', () => {
  const korean = read('ko');
  const wanted = Object.keys(catalogue).filter((id) => !id.startsWith('cli.'));
  assert.deepEqual(wanted.filter((id) => !(id in korean)), [], 'without a translation');
  assert.deepEqual(Object.keys(korean).filter((id) => !wanted.includes(id)), [], 'of no use');
  assert.deepEqual(wanted.filter((id) => slots(catalogue[id] ?? '') !== slots(korean[id] ?? '')), [], 'with other values');
});

/** Texts that are the same in both languages: names of the API, keys, codes. */
const SAME = /^[\w\s.,:;/()<>{}|×+'"=·…∞-]*$/;

test('no text of the Korean page is left in English', () => {
  const korean = read('ko');
  const left = Object.keys(korean).filter((id) => korean[id] === catalogue[id] && /[a-z]{3,} [a-z]{3,}/.test(korean[id] ?? ''));
  assert.deepEqual(left, []);
  const without = Object.entries(korean).filter(([, text]) => !/[가-힣]/.test(text) && !SAME.test(text));
  assert.deepEqual(without.map(([id]) => id), []);
});
