/** The page for everybody: axe in both themes and at three widths, and by keyboard alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atStep, choosePreset, stepOnce, stepToEnd, violations, withPage, type Window } from './harness.ts';

const WINDOWS: readonly (readonly [string, Window])[] = [
  ['light', {}],
  ['dark', { dark: true }],
  ['medium', { width: 900, height: 860 }],
  ['narrow', { width: 390, height: 844 }],
  ['narrow and dark', { width: 390, height: 844, dark: true }],
];

for (const [name, window] of WINDOWS) {
  test(`axe finds nothing serious: ${name}`, () =>
    withPage(window, async (page) => {
      assert.deepEqual(await violations(page), []);
      for (let step = 0; step < 6; step += 1) {
        await page.keyboard.press('.');
        await atStep(page, step + 1);
      }
      assert.deepEqual(await violations(page), []);
      await page.locator('.att').last().click();
      await page.locator('.podmenu').waitFor();
      assert.deepEqual(await violations(page), []);
    }));
}

for (const dark of [false, true]) {
  test(`axe finds nothing serious: deleted pods and notices, ${dark ? 'dark' : 'light'}`, () =>
    withPage({ dark }, async (page) => {
      for (const id of ['deadline', 'pods-gone', 'per-index-limit']) {
        await choosePreset(page, id);
        await stepToEnd(page);
        assert.deepEqual(await violations(page), [], id);
      }
    }));
}

test('axe finds nothing serious: table, record, problems and help', () =>
  withPage({}, async (page) => {
    await stepToEnd(page);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByLabel('Outcomes').fill('nonsense');
    await page.locator('#outcomes[aria-invalid="true"]').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.locator('dialog[open]').waitFor();
    assert.deepEqual(await violations(page), []);
  }));

test('by keyboard alone: to the pods, into the menu, and back', () =>
  withPage({}, async (page) => {
    await stepOnce(page);
    await stepOnce(page);
    await page.locator('.att[tabindex="0"]').focus();
    assert.equal(await page.locator('.att[tabindex="0"]').count(), 1, 'one stop for all pods');
    await page.keyboard.press('Home');
    const first = await page.evaluate(() => document.activeElement?.getAttribute('data-pod'));
    await page.keyboard.press('ArrowDown');
    const second = await page.evaluate(() => document.activeElement?.getAttribute('data-pod'));
    assert.notEqual(first, second);
    await page.keyboard.press('Enter');
    await page.locator('.podmenu .entry:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('.podmenu [data-action="fail"]:focus').count(), 1);
    await page.keyboard.press('Escape');
    await page.locator(`[data-pod="${second ?? ''}"]:focus`).waitFor();
  }));

test('each decision is said in the live region', () =>
  withPage({}, async (page) => {
    await stepOnce(page);
    const said = await page.locator('main > [aria-live]').innerText();
    assert.equal(said.trim(), (await page.locator('.say').innerText()).trim());
  }));

test('the help opens with its key and closes with Escape', () =>
  withPage({}, async (page) => {
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }));

test('the theme can be chosen, and stays', () =>
  withPage({}, async (page) => {
    await page.getByRole('button', { name: /light and dark/ }).click();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
  }));

test('the tour leads through the page by keyboard', () =>
  withPage({}, async (page) => {
    await page.getByRole('button', { name: 'Take the tour' }).first().click();
    for (let stop = 0; stop < 6; stop += 1) {
      await page.locator(`.tourcard[data-stop="${stop}"]`).waitFor();
      assert.equal(await page.locator('.toured').count(), 1);
      if (stop === 2) assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Enter');
    }
    await page.locator('.tourcard').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.toured').count(), 0);
  }));

test('axe finds nothing serious: every sheet, in Korean and dark', () =>
  withPage({ lang: 'ko', dark: true }, async (page) => {
    for (const key of ['?', 's', 'e', 'c', 'i']) {
      await page.keyboard.press(key);
      await page.locator('dialog[open], #powers').waitFor();
      assert.deepEqual(await violations(page), [], key);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open], #powers').waitFor({ state: 'detached' });
    }
    for (const tab of ['결과', '테스트']) {
      await page.getByRole('button', { name: tab, exact: true }).click();
      assert.deepEqual(await violations(page), [], tab);
    }
  }));
