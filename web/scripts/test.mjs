// Turns the tests (and what they import of the page) into JavaScript in `.out`, and runs one folder of them
// with `node --test`: `node scripts/test.mjs test` or `node scripts/test.mjs e2e`.
//
// The folder `.out` is made anew each time, so that a test that was deleted does not run on. Files are listed
// here because node 20 takes no patterns.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? 'test';

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: web, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(new URL('../.out', import.meta.url), { recursive: true, force: true });
run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json');
const tests = readdirSync(new URL(`../.out/${folder}`, import.meta.url)).filter((name) => name.endsWith('.test.js'));
run('--test', '--test-concurrency=1', ...tests.map((name) => `.out/${folder}/${name}`));
