/**
 * The built page in a real browser, for the tests of this folder.
 *
 * Invariant: every page that a test opens is watched; an error in its console fails the test. Nothing is
 * asserted about wall-clock time: tests wait for what the page shows.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import type axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const WEB = new URL('../../', import.meta.url).pathname;
const DIST = join(WEB, 'dist/');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Size, colours and language of the window, and where it begins. */
export interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly lang?: 'en' | 'ko';
  /** What stands behind the `#`. */
  readonly fragment?: string;
  /** Whether the page may keep itself for offline use. */
  readonly offline?: boolean;
  /** Stay where the preset opens, in place of the start of its Job. */
  readonly asOpened?: boolean;
}

let browser: Promise<Browser> | null = null;
let server: Promise<Server> | null = null;

after(async () => {
  await (await browser)?.close();
  (await server)?.close();
});

/** Opens the page in a fresh profile, runs the test, and closes everything. */
export async function withPage(window: Window, run: (page: Page) => Promise<void>): Promise<void> {
  assert.ok(existsSync(join(DIST, 'index.html')), 'the page is not built: npm run build');
  const context = await open(window);
  try {
    const page = await context.newPage();
    const complaints = watch(page);
    await page.goto(await addressOf(window));
    // The engine has answered: before that a key has nothing to act on.
    await page.locator('.ledger').waitFor();
    if (window.asOpened !== true && window.fragment === undefined) await toStart(page);
    await run(page);
    assert.deepEqual(complaints, [], 'errors in the console');
  } finally {
    await context.close();
  }
}

/** The address of the page on the server of these tests. */
export async function addressOf(window: Window): Promise<string> {
  server ??= serve();
  const { port } = (await server).address() as AddressInfo;
  return `http://127.0.0.1:${port}/?lang=${window.lang ?? 'en'}${window.fragment ?? ''}`;
}

async function serve(): Promise<Server> {
  const module = (await import(join(WEB, 'scripts/serve.mjs'))) as { serve: (folder: string) => Promise<Server> };
  return module.serve(DIST);
}

async function open(window: Window): Promise<BrowserContext> {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS });
  return (await browser).newContext({
    viewport: { width: window.width ?? 1440, height: window.height ?? 900 },
    colorScheme: window.dark === true ? 'dark' : 'light',
    serviceWorkers: window.offline === true ? 'allow' : 'block',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    const ofTheBrowser = message.text().includes('Service Worker registration blocked');
    if ((message.type() === 'error' || message.type() === 'warning') && !ofTheBrowser) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => {
    // A reload cuts off what was under way.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  return complaints;
}

/** Serious and critical violations, as `rule: first place`. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<axe.AxeResults> } };
    const found = (await axe.run()).violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    return found.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).slice(0, 3).join(' | ')}`);
  });
}

/** The start of the Job that is shown. */
export async function toStart(page: Page): Promise<void> {
  const reset = page.getByRole('button', { name: /^(Reset|처음으로)$/ });
  await reset.click();
  await atStep(page, 0);
  await reset.blur();
}

/** Chooses a preset, and goes to the start of its Job. */
export async function choosePreset(page: Page, id: string): Promise<void> {
  await page.locator('.pick select').selectOption(id);
  await page.locator(`.lesson[data-preset="${id}"][data-ready]`).waitFor();
  await toStart(page);
}

/** Waits until the page shows this decision. */
export async function atStep(page: Page, step: number): Promise<void> {
  await page.locator(`[role="slider"][aria-valuenow="${step}"]`).waitFor();
}

/** The decision shown. */
export async function stepOf(page: Page): Promise<number> {
  return Number(await page.locator('[role="slider"]').getAttribute('aria-valuenow'));
}

/** One decision further, by the button; or to the end, if what still happens leads to no decision. */
export async function stepOnce(page: Page): Promise<void> {
  const before = await stepOf(page);
  await page.getByRole('button', { name: 'Next decision' }).click();
  await page.locator(`[role="slider"][aria-valuenow="${before + 1}"], [data-end]`).first().waitFor();
}

/** Steps until nothing more happens by itself, and says how it ended. */
export async function stepToEnd(page: Page): Promise<string | null> {
  for (let left = 500; left > 0; left -= 1) {
    if ((await page.locator('[data-end]').count()) > 0) return page.locator('[data-end]').getAttribute('data-end');
    await stepOnce(page);
  }
  throw new Error('no end after 500 decisions');
}

/** Replaces the manifest by typing, as a person does, and the outcomes. */
export async function typeJob(page: Page, manifest: string, outcomes = ''): Promise<void> {
  await page.getByLabel('Outcomes').fill(outcomes);
  const editor = page.locator('.cm-content');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(manifest);
}

/** Waits until the page plays this Job. */
export async function playsJob(page: Page, name: string): Promise<void> {
  await page.locator('.status h2', { hasText: name }).waitFor();
  await atStep(page, 0);
}

/** Name, state and exit code of each pod, by name, from the table. */
export async function podsShown(page: Page): Promise<readonly (readonly string[])[]> {
  await page.getByRole('button', { name: 'Table' }).click();
  const rows = await page.locator('.tablewrap tbody tr').all();
  const pods = await Promise.all(
    rows.map(async (row) => {
      const cells = await row.locator('th, td').allInnerTexts();
      return [cells[0]?.trim() ?? '', (await row.getAttribute('data-state')) ?? '', cells[4]?.trim() ?? ''];
    }),
  );
  await page.getByRole('button', { name: 'Lanes' }).click();
  return pods.sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''));
}

/** A small Job as text. */
export function jobText(name: string, spec: Readonly<Record<string, number | string | boolean>> = {}): string {
  const fields = Object.entries(spec).map(([key, value]) => `  ${key}: ${value}`);
  return [
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    ...fields,
    '  template:',
    '    spec:',
    '      restartPolicy: Never',
    '      containers:',
    '        - name: main',
    '          image: example.org/main:1',
    '',
  ].join('\n');
}
