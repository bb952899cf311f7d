/** Two languages: switched in place, remembered, and whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePreset, stepOnce, withPage } from './harness.ts';

test('the language is switched in place and stays', () =>
  withPage({}, async (page) => {
    await choosePreset(page, 'waiting-index');
    for (let step = 0; step < 4; step += 1) await stepOnce(page);
    await page.getByLabel('Language').selectOption('ko');
    await page.locator('h1', { hasText: '기다리는 인덱스는 자리를 지킨다' }).waitFor();
    await page.locator('.say', { hasText: '새 파드는' }).first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'ko');
    assert.equal(await page.locator('[role="slider"]').getAttribute('aria-valuenow'), '4', 'the same moment');
    assert.match(page.url(), /lang=ko/);
    await page.waitForFunction(() => location.hash.startsWith('#1='));
    await page.reload();
    await page.locator('h1', { hasText: '기다리는 인덱스는 자리를 지킨다' }).waitFor();
  }));

/** Words that are the same in both languages: names of the API, rules, pods, keys, and the text of the API's own events. */
const API = '.rule code, .ladder code, .cm-editor, .manifest, .status .code, .eventlist b, .eventlist span, .events, .conditions, .phase, .cmd, kbd, option, .seg, .spec, code, .trig, .what, .brand, .fields, .specs, del, ins';

test('no English sentence is left on the Korean page', () =>
  withPage({ lang: 'ko', asOpened: true }, async (page) => {
    const words = await page.evaluate((api) => {
      const copy = document.body.cloneNode(true) as HTMLElement;
      for (const one of copy.querySelectorAll(`${api}, script, style, svg, noscript, dialog:not([open])`)) one.remove();
      const labels = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((one) => ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? ''));
      return [copy.innerText, ...labels].join('\n').split('\n').map((line) => line.trim()).filter((line) => /[a-z]{3,} [a-z]{2,}/i.test(line) && !/[가-힣]/.test(line));
    }, API);
    assert.deepEqual(words, []);
  }));
