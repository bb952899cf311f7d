/** What a person may do besides stepping: writes, timers, crashes, faults, changes of the live Job, branches, undo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { atStep, choosePreset, jobText, playsJob, stepOnce, stepToEnd, typeJob, withPage } from './harness.ts';

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(' ')) await page.keyboard.press(key);
}

/** Three pods at once: the first decision has three writes. */
async function threePods(page: Page): Promise<void> {
  await typeJob(page, jobText('three', { completions: 3, parallelism: 3 }));
  await playsJob(page, 'three');
  await page.keyboard.press('Escape');
}

test('stepping goes into a decision, write by write, and back to its start', () =>
  withPage({}, async (page) => {
    await threePods(page);
    await page.keyboard.press('>');
    await page.locator('[data-write="1"]').waitFor();
    assert.equal(await page.locator('[data-open="1"] .here').count(), 1);
    assert.equal(await page.locator('.att').count(), 1);
    await page.keyboard.press('>');
    await page.locator('[data-write="2"]').waitFor();
    assert.match(await page.locator('main > [aria-live]').innerText(), /Within decision 1, after write 2/);
    await page.keyboard.press(',');
    await page.locator('[data-write="0"]').waitFor();
    await atStep(page, 0);
  }));

test('a crash between two writes loses the rest of the decision and nothing else', () =>
  withPage({}, async (page) => {
    await choosePreset(page, 'fixed-completions');
    for (let step = 0; step < 4; step += 1) await stepOnce(page);
    // Decision 4 makes pods, stores the status and takes finalizers off: between its writes there are places to crash.
    const places = page.locator('.crashhere');
    assert.ok((await places.count()) >= 2);
    await places.nth(1).click();
    await page.locator('.inj', { hasText: 'crash' }).waitFor();
    assert.equal(await stepToEnd(page), 'complete');
    assert.equal(await page.locator('[data-sum="succeeded"] dd b').innerText(), '6');
    assert.equal(await page.locator('.att').count(), 6);
  }));

test('the next timer is the back-off or the deadline', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('late', { activeDeadlineSeconds: 40 }), 'hang');
    await playsJob(page, 'late');
    await page.keyboard.press('Escape');
    await page.locator('[data-mark="deadline"]').waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.locator('.clock[data-ms="40000"]').waitFor();
    assert.match(await page.locator('.say').first().innerText(), /active for 40 s/);
  }));

test('the API server refuses, and the controller tries again', () =>
  withPage({}, async (page) => {
    await threePods(page);
    await page.keyboard.press('i');
    const panel = page.locator('#powers');
    await panel.locator('select[name="error"]').selectOption('internal');
    await panel.getByRole('button', { name: 'Let the next calls fail' }).click();
    await page.locator('.inj', { hasText: 'API fault' }).waitFor();
    await page.keyboard.press('Escape');
    await stepOnce(page);
    assert.ok((await page.locator('.refusedwrite').count()) > 0);
    assert.equal(await stepToEnd(page), 'complete');
  }));

test('a live Job is changed through the rules of the API, and a refusal changes nothing', () =>
  withPage({}, async (page) => {
    await threePods(page);
    await stepOnce(page);
    await page.keyboard.press('i');
    const panel = page.locator('#powers');
    await panel.getByLabel('JSON merge patch').fill('{"spec":{"completionMode":"Indexed"}}');
    await panel.getByRole('button', { name: 'Patch' }).click();
    assert.match(await panel.getByRole('alert').innerText(), /spec\.completionMode: .*immutable/);
    assert.equal(await page.locator('.inj').count(), 0);
    await panel.getByRole('button', { name: 'Suspend' }).click();
    await page.locator('.inj', { hasText: 'suspended' }).waitFor();
    await panel.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Whole Job' }).click();
    await page.locator('.status .ln', { hasText: 'suspend: true' }).waitFor();
    assert.equal(await stepToEnd(page), 'waiting');
    assert.equal(await page.locator('[data-phase]').getAttribute('data-phase'), 'Suspended');
  }));

test('undo takes the last deed back', () =>
  withPage({}, async (page) => {
    await threePods(page);
    await press(page, '. x');
    await page.locator('.inj').waitFor();
    await page.keyboard.press('u');
    await page.locator('.inj').waitFor({ state: 'detached' });
    await atStep(page, 1);
  }));

test('a fork keeps both ways, and they are compared at their ends', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('ways', { backoffLimit: 0 }), '0@20s');
    await playsJob(page, 'ways');
    await page.keyboard.press('Escape');
    await press(page, '. .');
    await atStep(page, 2);
    await page.keyboard.press('f');
    await page.locator('.branches').waitFor();
    await page.locator('.att').click();
    await page.locator('.podmenu [data-action="oom"]').click();
    await page.locator('.att[data-state="failed"]').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    const end = (branch: string) => page.locator(`[data-branch="${branch}"] dd`).first();
    await end('B').waitFor();
    assert.deepEqual([await end('B').innerText(), await end('A').innerText()], ['Failed', 'Complete']);
    await page.locator('.compare').getByRole('button', { name: 'Go to branch A' }).click();
    await page.locator('.att[data-state="failed"]').waitFor({ state: 'detached' });
    assert.equal(await stepToEnd(page), 'complete');
  }));

test('all ends of a small Job are found, and one is watched', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('small', { backoffLimit: 1 }));
    await playsJob(page, 'small');
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    const sheet = page.locator('.explore');
    await sheet.getByRole('button', { name: 'Explore' }).click();
    await sheet.locator('tbody tr').first().waitFor();
    assert.deepEqual(await sheet.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-end-of')).sort()), ['Complete', 'Failed']);
    assert.match(await sheet.innerText(), /Everything was seen/);
    await sheet.locator('[data-end-of="Failed"]').getByRole('button').click();
    await page.locator('[data-end="failed"]').waitFor();
  }));

test('a line of the manifest and the decisions that it took part in light each other', () =>
  withPage({ asOpened: true }, async (page) => {
    await page.locator('.fields button', { hasText: 'completions' }).click();
    assert.ok((await page.locator('.plot .dec.lit').count()) > 0);
    await page.locator('.cm-tookpart').first().waitFor();
    await page.locator('.specs button', { hasText: 'CRE-8' }).click();
    await page.locator('.spec', { hasText: /CRE-8 .{12,}/ }).waitFor();
  }));

test('the editor knows the fields: completion and hover', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('typed'));
    await page.locator('.cm-line', { hasText: /^spec:/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('  backo');
    const list = page.locator('.cm-tooltip-autocomplete');
    await list.waitFor();
    assert.match(await list.innerText(), /backoffLimit\s*int32/);
    await page.keyboard.press('Escape');
    await page.locator('.cm-line span', { hasText: 'restartPolicy' }).first().hover();
    await page.locator('.fieldtip', { hasText: 'Never makes a new pod' }).waitFor();
  }));
