/** A Job of ten thousand indexes stays a page that one can use. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atStep, jobText, playsJob, stepOnce, typeJob, withPage } from './harness.ts';

test('10,000 indexes: stepped, scrolled and listed with fewer than 5,000 nodes', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('huge', { completionMode: 'Indexed', completions: 10_000, parallelism: 2_000 }));
    await playsJob(page, 'huge');
    const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
    await page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => Math.round(one.duration)))).observe({ entryTypes: ['longtask'] });
    });
    for (let step = 1; step <= 8; step += 1) {
      await stepOnce(page);
      await atStep(page, step);
    }
    assert.ok((await nodes()) < 5_000, String(await nodes()));
    await page.locator('.pods').evaluate((column) => column.scrollTo(0, 300_000));
    await page.locator('.lane[data-row="5000"]').waitFor();
    assert.ok((await nodes()) < 5_000);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Next pods' }).waitFor();
    assert.ok((await nodes()) < 5_000);
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
    console.log(`long tasks while stepping 10,000 indexes: ${tasks.join(', ')} ms`);
  }));

test('rewinding within a long session shows the same again', () =>
  withPage({}, async (page) => {
    await typeJob(page, jobText('long', { completions: 100 }));
    await playsJob(page, 'long');
    await page.keyboard.press('Escape');
    await stepOnce(page);
    await page.locator('[role="slider"]').focus();
    for (let step = 2; step <= 60; step += 1) {
      await page.keyboard.press('.');
      await atStep(page, step);
    }
    const there = await page.locator('.card').first().innerText();
    await page.keyboard.press('Home');
    await atStep(page, 0);
    await page.keyboard.press('End');
    await atStep(page, 60);
    assert.equal(await page.locator('.card').first().innerText(), there);
  }));
