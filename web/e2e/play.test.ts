/** A person plays a Job: forward, back, to its end, and with a hand in what the pods do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atStep, jobText, playsJob, stepOf, stepOnce, stepToEnd, typeJob, withPage } from './harness.ts';

test('a typed Job steps to Complete', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('typed', { completions: 3, parallelism: 2 }));
    await playsJob(page, 'typed');
    assert.equal(await stepToEnd(page), 'complete');
    assert.equal(await page.locator('[data-phase]').getAttribute('data-phase'), 'Complete');
    assert.equal(await page.locator('[data-sum="succeeded"] dd b').innerText(), '3');
    assert.equal(await page.locator('.att[data-state="succeeded"]').count(), 3);
  }));

test('a Job whose pods fail too often steps to Failed', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('unlucky', { backoffLimit: 1 }), '1x*');
    await playsJob(page, 'unlucky');
    assert.equal(await stepToEnd(page), 'failed');
    assert.equal(await page.locator('[data-phase]').getAttribute('data-phase'), 'Failed');
    assert.equal(await page.locator('.att[data-state="failed"]').count(), 2);
    assert.match(await page.locator('.status').innerText(), /BackoffLimitExceeded/);
  }));

test('stepping back shows the moment before, and forward the same again', () =>
  withPage({}, async (page) => {
    for (let step = 0; step < 4; step += 1) await stepOnce(page);
    const there = await page.locator('.say').innerText();
    const clock = await page.locator('.clock').innerText();
    await page.getByRole('button', { name: 'Previous decision' }).click();
    await atStep(page, 3);
    assert.equal(await page.locator('.older li').count(), 4, 'the decision after stays known');
    await stepOnce(page);
    assert.equal(await page.locator('.say').innerText(), there);
    assert.equal(await page.locator('.clock').innerText(), clock);
  }));

test('an exit code given through the menu is the pod\'s own', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('asked', { backoffLimit: 3 }), 'hang,0');
    await playsJob(page, 'asked');
    await stepOnce(page);
    const pod = page.locator('.att').first();
    while ((await pod.getAttribute('data-state')) !== 'ready') await stepOnce(page);
    await pod.click();
    await page.getByLabel('Exit code', { exact: true }).fill('42');
    await page.locator('.podmenu [data-action="fail"]').click();
    await page.locator('.att[data-state="failed"]').first().waitFor();
    assert.match(await pod.innerText(), /exit 42/);
    await page.locator('.podmenu').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-pod') !== null), true, 'focus is back on the pod');
    assert.equal(await stepToEnd(page), 'complete');
  }));

test('what a pod cannot do any more is refused, with the reason', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('over'));
    await playsJob(page, 'over');
    await stepToEnd(page);
    await page.locator('.att').first().click();
    const fail = page.locator('.podmenu [data-action="fail"]');
    assert.equal(await fail.getAttribute('aria-disabled'), 'true');
    assert.notEqual((await page.locator('#why-1').innerText()).trim(), '');
    await page.keyboard.press('Escape');
    await page.locator('.podmenu').waitFor({ state: 'detached' });
  }));

test('a click on an earlier decision goes there', () =>
  withPage({}, async (page) => {
    for (let step = 0; step < 5; step += 1) await stepOnce(page);
    await page.locator('.older [data-step="2"]').click();
    await atStep(page, 2);
    assert.match(await page.locator('.card header').innerText(), /#2/);
  }));

test('the keys step, but not while one types', () =>
  withPage({}, async (page) => {
    await page.keyboard.press('.');
    await atStep(page, 1);
    await page.keyboard.press('.');
    await atStep(page, 2);
    await page.keyboard.press(',');
    await atStep(page, 1);
    await page.locator('#outcomes').focus();
    await page.keyboard.type('.');
    await page.locator('#outcomes[aria-invalid="true"]').waitFor();
    assert.equal(await stepOf(page), 1);
  }));

test('the page plays by itself until it is paused or the Job ends', () =>
  withPage({}, async (page) => {
    await page.keyboard.press('Space');
    await page.waitForFunction(() => Number(document.querySelector('[role="slider"]')?.getAttribute('aria-valuenow')) >= 2);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.getByLabel('Speed').selectOption('4');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.locator('[data-end]').waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
  }));

test('reset goes back to the start', () =>
  withPage({}, async (page) => {
    for (let step = 0; step < 3; step += 1) await stepOnce(page);
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await atStep(page, 0);
    assert.equal(await page.locator('.older').count(), 0);
  }));
