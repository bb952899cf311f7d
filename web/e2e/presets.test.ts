/** Every preset, by keyboard alone, in both themes and both languages: it opens at its lesson, and runs to an end. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { violations, withPage, type Window } from './harness.ts';

interface Preset {
  readonly id: string;
  readonly step: number;
  readonly rule: string;
}

const WEB = new URL('../../', import.meta.url).pathname;
const PRESETS = JSON.parse(readFileSync(`${WEB}presets/presets.json`, 'utf8')) as readonly Preset[];

const WINDOWS: readonly (readonly [string, Window])[] = [
  ['light, English', { lang: 'en' }],
  ['dark, Korean', { lang: 'ko', dark: true }],
  ['light, Korean', { lang: 'ko' }],
  ['dark, English', { lang: 'en', dark: true }],
];

/** Waits for the preset at its lesson. */
async function opened(page: Page, preset: Preset): Promise<void> {
  await page.locator(`.lesson[data-preset="${preset.id}"][data-ready]`).waitFor();
  await page.locator(`[role="slider"][aria-valuenow="${preset.step}"]`).waitFor();
}

for (const [name, window] of WINDOWS) {
  test(`every preset by keyboard alone: ${name}`, () =>
    withPage({ ...window, asOpened: true }, async (page) => {
      for (const [place, preset] of PRESETS.entries()) {
        if (place > 0) await page.keyboard.press('PageDown');
        await opened(page, preset);
        assert.equal(await page.locator('.card .rule code').first().innerText(), preset.rule, preset.id);
        assert.deepEqual(await violations(page), [], preset.id);
        assert.equal(await page.locator('.problem.s-failed').count(), 0, preset.id);
      }
    }));
}

test('every preset is led to its lesson from the start, and runs to an end, key by key', () =>
  withPage({ asOpened: true }, async (page) => {
    for (const [place, preset] of PRESETS.entries()) {
      if (place > 0) await page.keyboard.press('PageDown');
      await opened(page, preset);
      await page.locator('[role="slider"]').focus();
      await page.keyboard.press('Home');
      await page.locator('[role="slider"][aria-valuenow="0"]').waitFor();
      for (let step = 0; step < preset.step; step += 1) {
        await page.keyboard.press('.');
        await page.locator(`[role="slider"][aria-valuenow="${step + 1}"]`).waitFor();
      }
      assert.equal(await page.locator('.card .rule code').first().innerText(), preset.rule, preset.id);
      for (let left = 60; left > 0 && (await page.locator('[data-end]').count()) === 0; left -= 1) {
        const before = await page.locator('[role="slider"]').getAttribute('aria-valuenow');
        await page.keyboard.press('.');
        await page.locator(`[role="slider"]:not([aria-valuenow="${before ?? ''}"]), [data-end]`).first().waitFor();
      }
      assert.equal(await page.locator('[data-end]').count(), 1, preset.id);
    }
  }));
