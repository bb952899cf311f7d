// Pictures of the built page, to be looked at: `npm run screenshots`, into `web/screenshots`.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const out = fileURLToPath(new URL('../screenshots/', import.meta.url));
const only = process.argv[2];

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Name, size, theme, language, and what is done before the picture is taken. */
const PICTURES = [
  ['wide', wide, 'light', 'en', async () => {}],
  ['wide-dark', wide, 'dark', 'en', (page) => preset(page, 'waiting-index')],
  ['korean', wide, 'light', 'ko', (page) => preset(page, 'success-policy')],
  ['medium', { width: 900, height: 860 }, 'light', 'en', (page) => preset(page, 'two-at-once')],
  ['narrow', narrow, 'light', 'en', async () => {}],
  ['narrow-decision', narrow, 'dark', 'ko', (page) => page.locator('.tabs button').nth(2).click()],
  ['write-by-write', wide, 'light', 'en', (page) => keys(page, 'PageDown PageDown . > > >')],
  ['interfere', wide, 'light', 'en', (page) => keys(page, 'i')],
  ['branches', wide, 'light', 'en', branches],
  ['compare', wide, 'light', 'en', async (page) => { await branches(page); await keys(page, 'c'); await page.locator('.side dl').nth(1).waitFor(); }],
  ['explore', wide, 'light', 'en', async (page) => { await keys(page, 'e'); await page.locator('.explore form .primary').click(); await page.locator('.explore tbody tr').first().waitFor(); }],
  ['share', wide, 'dark', 'en', (page) => keys(page, 's')],
  ['test', wide, 'light', 'en', (page) => page.getByRole('button', { name: 'Test' }).click()],
  ['menu', wide, 'light', 'en', async (page) => { await page.locator('.att').last().click(); await page.locator('.podmenu').waitFor(); }],
  ['help', wide, 'light', 'en', (page) => keys(page, '?')],
];

async function preset(page, id) {
  await page.locator('.pick select').selectOption(id);
  await page.waitForTimeout(300);
}

async function keys(page, list) {
  for (const key of list.split(' ')) {
    await page.keyboard.press(key);
    await page.waitForTimeout(80);
  }
}

async function branches(page) {
  await preset(page, 'fixed-completions');
  await keys(page, 'f x . . . .');
}

mkdirSync(out, { recursive: true });
const server = await serve(dist);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
for (const [name, viewport, colorScheme, lang, prepare] of PICTURES) {
  if (only !== undefined && !only.split(',').includes(name)) continue;
  const page = await browser.newPage({ viewport, colorScheme });
  page.on('pageerror', (error) => console.error(name, String(error)));
  page.on('console', (message) => { if (message.type() === 'error') console.error(name, message.text()); });
  await page.goto(`http://127.0.0.1:${server.address().port}/?lang=${lang}`);
  await page.locator('.ledger').waitFor();
  await page.locator('.cm-content').waitFor({ state: 'attached' });
  await prepare(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}${name}.png` });
  await page.close();
  console.log(`screenshots/${name}.png`);
}
await browser.close();
server.close();
