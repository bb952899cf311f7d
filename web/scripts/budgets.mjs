// Sizes of the built page against their budgets, and times of a real browser: `npm run budgets`. Sizes above their ceiling
// fail; times are only reported, for they belong to the machine. The trace goes to `web/test-results/budgets.zip`
// (`npx playwright show-trace`).
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { serve } from './serve.mjs';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const { sizes, times } = JSON.parse(readFileSync(new URL('../budgets.json', import.meta.url), 'utf8'));

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|html|wasm)$/.test(name));
const weight = (name) => gzipSync(readFileSync(`${dist}${name}`), { level: 9 }).length;
let failed = false;
for (const { name, budget, ceiling, files: patterns } of sizes) {
  const mine = files.filter((file) => patterns.some((pattern) => new RegExp(pattern).test(file)));
  const bytes = mine.reduce((sum, file) => sum + weight(file), 0);
  const verdict = bytes <= budget ? 'within its budget' : `${Math.round((100 * bytes) / budget)} % of its budget of ${budget}`;
  console.log(`${name}: ${bytes} bytes, ${verdict}${bytes > ceiling ? `, ABOVE its ceiling of ${ceiling}` : ''}`);
  failed ||= bytes > ceiling;
}

if (!process.argv.includes('--sizes')) await measure();
process.exitCode = failed ? 1 : 0;

async function measure() {
  const { chromium } = await import('playwright-core');
  const server = await serve(dist);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  await context.tracing.start({ screenshots: false, snapshots: false });
  const page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (globalThis.firstDecision === undefined && document.querySelector('.card') !== null) globalThis.firstDecision = performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  const address = `http://127.0.0.1:${server.address().port}/?lang=en`;
  await page.goto(address);
  await page.locator('.card').waitFor();
  const first = await page.evaluate(() => {
    const script = performance.getEntriesByType('resource').find((one) => /assets\/index-.*js$/.test(one.name));
    return globalThis.firstDecision - (script?.responseEnd ?? 0);
  });
  report('first decision shown after the script came', first, times.firstDecisionMs);
  await type(page, { parallelism: 1000, completions: 1000 });
  report('a step of a Job with 1,000 pods (median of 6)', median(await timed(page, Array(8).fill('.')).then((all) => all.slice(2))), times.stepMs);
  await type(page, { parallelism: 1, completions: 340 });
  await page.evaluate(() => document.querySelector('[role="slider"]').focus());
  const played = await timed(page, Array(1000).fill('.'));
  const decisions = Number(await page.locator('[role="slider"]').getAttribute('aria-valuenow'));
  report(`rewinding from decision ${decisions} to the start`, (await timed(page, ['Home']))[0], times.rewindMs);
  report(`and back to decision ${decisions}`, (await timed(page, ['End']))[0], times.rewindMs);
  report('a step on the way there (median)', median(played), times.stepMs);
  await context.tracing.stop({ path: fileURLToPath(new URL('../test-results/budgets.zip', import.meta.url)) });
  await browser.close();
  server.close();
}

function report(what, ms, budget) {
  console.log(`${what}: ${ms.toFixed(1)} ms (aim ${budget} ms)`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Milliseconds from a key to the page that shows the next moment. */
function timed(page, keys) {
  return page.evaluate(async (list) => {
    const shown = () => document.querySelector('[role="slider"]').getAttribute('aria-valuetext');
    const times = [];
    for (const key of list) {
      const before = shown();
      const start = performance.now();
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      while (shown() === before && performance.now() - start < 3000) await new Promise((resolve) => setTimeout(resolve));
      times.push(performance.now() - start);
      if (document.querySelector('[data-end]') !== null) break;
    }
    return times;
  }, keys);
}

async function type(page, spec) {
  const fields = Object.entries(spec).map(([key, value]) => `  ${key}: ${value}\n`).join('');
  const text = `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: timed\nspec:\n${fields}  template:\n    spec:\n      restartPolicy: Never\n      containers:\n        - name: main\n          image: example.org/main:1\n`;
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.locator('.lesson[data-ready]').waitFor();
  await page.locator('[role="slider"][aria-valuenow="0"]').waitFor();
  await page.locator('#outcomes').fill('');
  await page.waitForTimeout(500);
  await page.evaluate(() => document.activeElement.blur());
}
