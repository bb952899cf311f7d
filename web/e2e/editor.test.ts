/** What a person sees who writes something that cannot be played. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { choosePreset, jobText, playsJob, stepOnce, stepToEnd, typeJob, withPage } from './harness.ts';

test('bad YAML shows an error at its line, and the last good Job stays', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('good'));
    await playsJob(page, 'good');
    await stepOnce(page);
    await typeJob(page, 'apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: [good\n');
    const problem = page.locator('.problem.s-failed').first();
    await problem.waitFor();
    const line = Number(await problem.getAttribute('data-line'));
    assert.ok(line >= 4 && line <= 5, `line ${line}`);
    await page.locator('.cm-lint-marker-error').first().waitFor();
    await page.locator('.stale').waitFor();
    assert.match(await page.locator('.status h2').innerText(), /good/);
    assert.equal(await page.locator('.att').count(), 1);
    await stepOnce(page);
  }));

test('a pasted dump says why its Job waits, and the session goes on from there', () =>
  withPage({}, async (page) => {
    await typeJob(page, readFileSync(new URL('../../../tests/dumps/backoff-wait.yaml', import.meta.url), 'utf8'));
    await playsJob(page, 'import');
    const explanation = page.getByRole('region', { name: 'Why the Job is here' });
    assert.equal(
      await explanation.locator('.why').innerText(),
      'The Job waits 40 s before it makes the next pod, because 3 pods in a row failed',
    );
    assert.equal(await page.locator('[data-sum="failed"] dd b').innerText(), '3');
    await stepOnce(page);
    assert.match(await page.locator('.say').innerText(), /New pods wait 40 s/);
    assert.equal(await stepToEnd(page), 'complete');
    await typeJob(page, jobText('plain'));
    await playsJob(page, 'plain');
    assert.equal(await explanation.count(), 0);
  }));

test('an unknown field is shown at its line, and the button goes there', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('typo', { completoins: 3 }));
    const problem = page.locator('.problem').first();
    await problem.waitFor();
    assert.equal(await problem.getAttribute('data-line'), '6');
    await problem.getByRole('button').click();
    assert.match(await page.locator('.cm-activeLine').innerText(), /completoins/);
  }));

test('restartPolicy Always is refused by the rule of the API', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('always').replace('Never', 'Always'));
    const problem = page.locator('.problem.s-failed', { hasText: 'restartPolicy' });
    await problem.waitFor();
    assert.equal(await problem.getAttribute('data-line'), '8');
  }));

test('text that is no Job, is empty or is huge is an error and not a fault', () =>
  withPage({}, async (page) => {
    for (const text of ['kind: Pod\napiVersion: v1\n', ' ', 'a: &a [x]\nb: *c\n', '['.repeat(5000)]) {
      await typeJob(page, text);
      await page.locator('.problem.s-failed').first().waitFor();
      await page.locator('.stale').waitFor();
      await typeJob(page, jobText('again'));
      await playsJob(page, 'again');
    }
  }));

test('a field that this version does not act on is said plainly', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('gang', { scheduling: '{}' }));
    await playsJob(page, 'gang');
    const notices = page.locator('.notices');
    assert.match(await notices.innerText(), /spec\.scheduling\s+line 6/);
  }));

test('limits for each index are accepted, and one bad index fails alone', () =>
  withPage({}, async (page) => {
    await choosePreset(page, 'per-index-limit');
    await playsJob(page, 'survey');
    assert.equal(await stepToEnd(page), 'failed');
    assert.equal(await page.locator('[data-sum="succeeded"] dd b').innerText(), '9');
    assert.match(await page.locator('.status').innerText(), /failedIndexes: "3"/);
  }));

test('a quick fix writes the field that is meant, and the Job plays', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('fixed', { completoins: 3 }));
    await page.locator('.problem.s-failed').waitFor();
    await page.locator('.cm-lintRange-error').first().hover();
    await page.locator('.cm-diagnosticAction', { hasText: 'Write completions' }).click();
    await playsJob(page, 'fixed');
    await page.locator('[data-sum="succeeded"] .of', { hasText: 'of 3' }).waitFor();
    await page.getByRole('button', { name: 'Format' }).click();
    assert.equal(await page.locator('.problem.s-failed').count(), 0);
  }));
