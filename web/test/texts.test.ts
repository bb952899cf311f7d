/** The page's part of the message catalogue: nothing is missing, nothing is left over. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WEB = new URL('../../', import.meta.url).pathname;
const catalogue = JSON.parse(readFileSync(join(WEB, '../crates/jobwright-api/catalogue/en.json'), 'utf8')) as Record<string, string>;
const own = Object.keys(catalogue).filter((id) => id.startsWith('ui.'));

function source(): string {
  const files = readdirSync(join(WEB, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.map((name) => readFileSync(join(WEB, 'src', name), 'utf8')).join('\n');
}

test('every text of the page is used', () => {
  const code = source();
  // Ids that end in a value, such as `ui.state.${state}`.
  const stems = [...code.matchAll(/`(ui\.[\w.]+\.)\$\{/g)].map((match) => match[1] ?? '');
  const unused = own.filter((id) => !code.includes(`'${id}'`) && !stems.some((stem) => id.startsWith(stem)));
  assert.deepEqual(unused, []);
});

test('every example has a title and a lesson, and the other way round', () => {
  const files = readdirSync(join(WEB, 'examples')).filter((name) => name.endsWith('.yaml'));
  const wanted = files.flatMap((name) => ['title', 'lesson'].map((part) => `ui.example.${name.replace('.yaml', '')}.${part}`));
  assert.deepEqual(own.filter((id) => id.startsWith('ui.example.')).sort(), wanted.sort());
});

test('every example stands in the picker', () => {
  const order = readFileSync(join(WEB, 'examples/index.ts'), 'utf8');
  const files = readdirSync(join(WEB, 'examples')).filter((name) => name.endsWith('.yaml'));
  assert.deepEqual(files.filter((name) => !order.includes(`'${name.replace('.yaml', '')}'`)), []);
});
