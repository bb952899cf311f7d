/** Small helpers of the editor and of sharing: schema, format, dice, names of deeds, Markdown. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Diagnostic } from '../src/gen/Diagnostic.ts';
import { deedName } from '../src/model/deed.ts';
import { roll } from '../src/model/dice.ts';
import { fixesFor } from '../src/model/fixes.ts';
import { formatted } from '../src/model/format.ts';
import { toMarkdown } from '../src/model/markdown.ts';
import { pathAbove, pathAt, Schema, typeWords } from '../src/model/schema.ts';
import { initialState } from '../src/model/state.ts';

const WEB = new URL('../../', import.meta.url).pathname;
const schema = new Schema(readFileSync(`${WEB}../crates/jobwright-api/schema/v1.37.txt`, 'utf8'));

test('the table knows what stands at a path, through lists and maps', () => {
  assert.ok(schema.fieldsAt(['spec'])?.some((field) => field.name === 'backoffLimit'));
  assert.equal(schema.typeAt(['spec', 'backoffLimit']), 'i');
  assert.ok(schema.fieldsAt(['spec', 'template', 'spec', 'containers'])?.some((field) => field.name === 'image'));
  assert.equal(schema.typeAt(['metadata', 'labels', 'app.kubernetes.io/name']), 's');
  assert.equal(schema.fieldsAt(['spec', 'replicas']), null);
  assert.equal(typeWords('[]s'), '[]string');
});

const LINES = ['job:', '  spec:', '    template:', '      spec:', '        containers:', '        - name: main', '          image: x', '  metadata:'];

test('the path of a line follows from indentation, and a scenario is seen through', () => {
  assert.deepEqual(pathAt(LINES, 6), ['spec', 'template', 'spec', 'containers', 'image']);
  assert.deepEqual(pathAt(LINES, 7), ['metadata']);
  assert.deepEqual(pathAbove(LINES, 7, 4), ['spec']);
  assert.deepEqual(pathAbove([], 0, 0), []);
});

test('every field of the Job spec has a sentence', () => {
  const texts = JSON.parse(readFileSync(`${WEB}../crates/jobwright-api/catalogue/en.json`, 'utf8')) as Record<string, string>;
  assert.deepEqual(schema.fieldsAt(['spec'])?.map((field) => field.name).filter((name) => !(`ui.field.spec.${name}` in texts)), []);
  const sentences = Object.keys(texts).filter((id) => id.startsWith('ui.field.')).map((id) => id.slice('ui.field.'.length));
  assert.deepEqual(sentences.filter((path) => schema.typeAt(path.split('.')) === null), []);
});

test('tidying keeps what the text says', () => {
  assert.equal(formatted('a:  \r\n\n\n\nb: 1'), 'a:\n\nb: 1\n');
  assert.equal(formatted('a:\n    b:\n        c: 1\n'), 'a:\n  b:\n    c: 1\n');
  assert.equal(formatted('a:\n    b: |\n        text\n'), 'a:\n    b: |\n        text\n');
  assert.equal(formatted('\n\n'), '');
});

test('the same seed rolls the same, another another', () => {
  assert.equal(roll(1), roll(1));
  assert.notEqual(roll(1), roll(2));
  assert.match(roll(7), /^[\w@,]+$/);
});

test('deeds have names', () => {
  const names = [
    [{ controller: 'restart' }], [{ controller: 'stop' }], [{ crash: { afterWrites: 1 } }], [{ fault: {} }], [{ watch: { hold: 'pods' } }],
    [{ watch: { release: 'pods' } }], [{ job: { patch: { spec: { parallelism: 2 } } } }], [{ job: { patch: { spec: { suspend: true } } } }],
    [{ job: { patch: { spec: { suspend: false } } } }], [{ job: { patch: { metadata: {} } } }], [{ job: { delete: {} } }], [{ pods: {} }], [],
  ].map((actions) => deedName(actions as never));
  assert.deepEqual(names, ['crash', 'stop', 'lost', 'fault', 'hold', 'release', 'scale', 'suspend', 'resume', 'patch', 'delete-job', 'pods', 'other']);
});

test('a fence is longer than any in the text', () => {
  const text = toMarkdown(initialState('', '# ```\nkind: Job\n', ''), 'Mine', 'https://example.org/#1=x', ['crash']);
  assert.match(text, /````yaml\n# ```\nkind: Job\n````/);
  assert.match(text, /^### \[Mine\]\(https:\/\/example\.org\/#1=x\)/);
});

const finding: Diagnostic = { severity: 'info', code: 'lint', field: null, meant: null, lint: null, message: '', line: 3, column: 3, endLine: 3, endColumn: 12 };
const JOB = 'kind: Job\nspec:\n  suspend: true\n  template: {}\n';
const FIELDS = [{ field: 'spec.suspend', line: 3 }, { field: 'spec.template', line: 4 }];

test('quick fixes change the marked place, a value, or a line', () => {
  const texts = (one: Partial<Diagnostic>, text = JOB): readonly string[] => fixesFor(text, { ...finding, ...one }, FIELDS).map((fix) => fix.text);
  const typo = JOB.replace('suspend', 'suspended');
  assert.deepEqual(texts({ code: 'unknown-field', meant: 'suspend' }, typo), [JOB]);
  assert.deepEqual(texts({ lint: 'suspended' }), [JOB.replace('true', 'false'), JOB.replace('true', 'true # jobwright: allow(suspended)')]);
  assert.equal(texts({ lint: 'no-deadline' })[0], JOB.replace('  suspend', '  activeDeadlineSeconds: 3600\n  suspend'));
  assert.equal(texts({ lint: 'limit-never-reached' })[0], JOB.replace('  suspend: true\n', ''));
  assert.deepEqual(texts({ code: 'invalid', field: 'spec.template.spec.restartPolicy' }), []);
});
