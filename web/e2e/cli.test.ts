/** The page and the command line tell the same story: same pods, same conditions, for the same inputs. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Frame } from '../src/gen/Frame.ts';
import { jobText, playsJob, podsShown, stepToEnd, typeJob, withPage } from './harness.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

type Summary = Pick<Frame, 'pods' | 'job' | 'ended'> & { readonly decisions: number };

/** What `jobwright run` says at the end; cargo sees to it that the program is that of this tree. */
function runByCli(manifest: string, outcomes: string): Summary {
  const folder = mkdtempSync(join(tmpdir(), 'jobwright-cli-'));
  const file = join(folder, 'job.yaml');
  writeFileSync(file, manifest);
  try {
    const own = outcomes === '' ? [] : ['--outcomes', outcomes];
    const command = ['run', '--quiet', '--package', 'jobwright-cli', '--', 'run', file, ...own, '--format', 'json'];
    const printed = execFileSync('cargo', command, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
    return (JSON.parse(printed) as { summary: Summary }).summary;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function conditionsShown(page: Page): Promise<readonly (readonly (string | null)[])[]> {
  const all = await page.locator('.conditions li').all();
  const read = ['data-condition', 'data-status', 'data-reason'];
  return Promise.all(all.map((one) => Promise.all(read.map((name) => one.getAttribute(name)))));
}

const CASES: readonly (readonly [string, string, string])[] = [
  ['complete', jobText('complete', { completions: 4, parallelism: 3 }), ''],
  ['failed', jobText('failed', { completions: 3, parallelism: 2, backoffLimit: 1 }), '1,0,137'],
  ['indexed', jobText('indexed', { completionMode: 'Indexed', completions: 5, parallelism: 2 }), 'idx1: 1,0; idx4: 3,3,0'],
  ['late', jobText('late', { completions: 2, activeDeadlineSeconds: 8 }), 'hang'],
  ['queue', jobText('queue', { parallelism: 3 }), '0@2s,0@9s,1@4s'],
];

for (const [name, manifest, outcomes] of CASES) {
  test(`the page shows what the command line prints: ${name}`, () =>
    withPage({}, async (page) => {
      const printed = runByCli(manifest, outcomes);
      await typeJob(page, manifest, outcomes);
      await playsJob(page, name);
      assert.equal(await stepToEnd(page), printed.ended?.kind);
      assert.equal(await page.getByRole('slider').getAttribute('aria-valuenow'), String(printed.decisions));
      const pods = printed.pods.map((pod) => [pod.name, pod.state, [pod.exitCode ?? '', pod.reason ?? ''].join(' ').trim()]);
      assert.deepEqual(await podsShown(page), pods.sort((a, b) => (a[0] ?? '').localeCompare(b[0] ?? '')));
      assert.deepEqual(
        await conditionsShown(page),
        printed.job?.conditions.map((one) => [one.type, one.status, one.reason]),
      );
      assert.equal(await page.locator('[data-phase]').getAttribute('data-phase'), printed.job?.phase);
    }));
}
