/** What is taken along: links, reloads, tests for the command line, pictures; and what comes in with bad intent. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addressOf, atStep, choosePreset, jobText, playsJob, stepOnce, stepToEnd, typeJob, withPage } from './harness.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** All that a person sees of a session. */
async function picture(page: Page): Promise<string> {
  const parts = ['.ledger', '.card', '[role="grid"]', '.status', '.timeline .plot'];
  return (await Promise.all(parts.map((part) => page.locator(part).first().innerText()))).join('\n');
}

/** A session with a text of its own, deeds at several places, and a place within a decision. */
async function played(page: Page): Promise<void> {
  await typeJob(page, jobText('shared', { completions: 3, parallelism: 2 }), '1,0');
  await playsJob(page, 'shared');
  await page.keyboard.press('Escape');
  for (let step = 0; step < 3; step += 1) await stepOnce(page);
  await page.locator('.att').first().click();
  await page.locator('.podmenu [data-action="evict"]').click();
  await page.locator('.inj').waitFor();
  await stepOnce(page);
  await page.keyboard.press('x');
  await page.locator('.inj').nth(1).waitFor();
  await page.keyboard.press('>');
}

test('a link opens the same session elsewhere, and a reload keeps it', () =>
  withPage({}, async (page) => {
    await played(page);
    await page.keyboard.press('s');
    const link = page.locator('#link');
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#link')?.value.includes('#1=') === true);
    const address = new URL(await link.inputValue());
    await page.keyboard.press('Escape');
    const here = await picture(page);
    await withPage({ fragment: address.hash }, async (other) => {
      await other.locator('.inj').nth(1).waitFor();
      assert.equal(await picture(other), here);
    });
    await page.waitForFunction((hash) => location.hash === hash, address.hash);
    await page.reload();
    await page.locator('.inj').nth(1).waitFor();
    assert.equal(await picture(page), here);
  }));

test('a test that the page makes is accepted by jobwright replay', () =>
  withPage({}, async (page) => {
    await played(page);
    await stepToEnd(page);
    const folder = mkdtempSync(join(tmpdir(), 'jobwright-test-'));
    try {
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.locator('[data-scenario]').waitFor();
      for (const name of ['shared.yaml', 'shared.trace.json']) {
        const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
        assert.equal(download.suggestedFilename(), name);
        await download.saveAs(join(folder, name));
      }
      const command = ['run', '--quiet', '--package', 'jobwright-cli', '--', 'replay', folder];
      assert.match(execFileSync('cargo', command, { cwd: ROOT, encoding: 'utf8' }), /1 matched, 0 differ, 0 not supported/);
      assert.match(readFileSync(join(folder, 'shared.yaml'), 'utf8'), /controller: restart/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }));

test('pictures and Markdown carry the session, and names are only text', () =>
  withPage({}, async (page) => {
    await stepOnce(page);
    await page.keyboard.press('s');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Lanes (SVG)' }).click()]);
    const svg = readFileSync(await download.path(), 'utf8');
    assert.match(svg, /^<svg xmlns/);
    assert.doesNotMatch(svg, /<script|javascript:|undefined|NaN/);
    await page.getByRole('button', { name: 'Lanes (PNG)' }).click();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.locator('.told', { hasText: 'Copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^### \[Numbered work\]\(http.*#1=/);
  }));

test('hostile links do nothing but a message', async () => {
  for (const fragment of [`#1=${'A'.repeat(450_000)}`, '#1=AAAA', '#99=abc', '#1=%3Cscript%3E', '#1=<img/src=x/onerror=alert(1)>']) {
    await withPage({ fragment }, async (page) => {
      page.on('dialog', () => assert.fail('a script ran'));
      await page.locator('.refused').waitFor();
      assert.equal(await page.locator('.lesson').getAttribute('data-preset'), 'indexed');
    });
  }
});

test('hostile manifests do nothing but a message', () =>
  withPage({}, async (page) => {
    page.on('dialog', () => assert.fail('a script ran'));
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>';
    for (const text of [
      jobText('x').replace('name: x', `name: "${evil}"`),
      jobText('x').replace('main:1', evil),
      `# ${'x'.repeat(3_000_000)}\n`,
      'a: {'.repeat(3_000),
      'a: &a [*a]',
    ]) {
      await typeJob(page, text);
      await page.locator('.problem.s-failed, .lesson[data-ready]').first().waitFor();
      assert.equal(await page.locator('main img[src], main script').count(), 0);
    }
    await typeJob(page, jobText('after'));
    await playsJob(page, 'after');
    await stepOnce(page);
  }));

test('offline the page opens again, with what it showed', () =>
  withPage({ offline: true }, async (page) => {
    await choosePreset(page, 'success-policy');
    await stepOnce(page);
    await page.evaluate(async () => { await navigator.serviceWorker.ready; });
    await page.waitForFunction(() => location.hash.startsWith('#1='));
    await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith('jobwright-')));
    await page.reload();
    await page.locator('.ledger').waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.locator('.lesson[data-preset="success-policy"][data-ready]').waitFor();
    await atStep(page, 1);
    await page.locator('.cm-content').waitFor();
    await page.context().setOffline(false);
  }));

test('nothing is asked of any other server', () =>
  withPage({}, async (page) => {
    const own = new URL(await addressOf({})).origin;
    const others: string[] = [];
    page.on('request', (request) => { if (!request.url().startsWith(own) && !request.url().startsWith('blob:') && !request.url().startsWith('data:')) others.push(request.url()); });
    await page.reload();
    await page.locator('.cm-content').waitFor();
    await page.locator('.lesson[data-ready]').waitFor();
    assert.deepEqual(others, []);
  }));
