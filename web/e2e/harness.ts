/**
 * The built page in a real browser, for the tests of this folder.
 *
 * Invariant: every page that a test opens is watched; an error in its console fails the test. Nothing is
 * asserted about wall-clock time: tests wait for what the page shows.
 */
import assert from 'node:assert/strict';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

const DIST = new URL('../../dist/', import.meta.url).pathname;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

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

/** Size and colours of the window. */
export interface Window {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** Opens the page in a fresh profile, runs the test, and closes everything. */
export async function withPage(window: Window, run: (page: Page) => Promise<void>): Promise<void> {
  assert.ok(existsSync(join(DIST, 'index.html')), 'the page is not built: npm run build');
  const server = await serve();
  const profile = mkdtempSync(join(tmpdir(), 'jobwright-e2e-'));
  const { port } = server.address() as AddressInfo;
  const context = await open(profile, window);
  try {
    const page = await context.newPage();
    const complaints = watch(page);
    await page.goto(`http://127.0.0.1:${port}/`);
    // The engine has answered: before that a key has nothing to act on.
    await page.locator('.ledger').waitFor();
    await run(page);
    assert.deepEqual(complaints, [], 'errors in the console');
  } finally {
    await context.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

function open(profile: string, window: Window): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: FLAGS,
    viewport: { width: window.width ?? 1440, height: window.height ?? 900 },
    colorScheme: window.dark === true ? 'dark' : 'light',
  });
}

function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  return complaints;
}

function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://page').pathname);
    const file = join(DIST, path === '/' ? 'index.html' : path);
    if (!file.startsWith(DIST) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
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
