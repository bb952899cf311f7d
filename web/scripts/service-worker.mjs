// The service worker of the built page, with the list of what the build made.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
// Fonts for scripts that no language of the page uses are fetched when they are needed.
const needless = /\.map$|sw\.js$|vietnamese|greek|cyrillic/;
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(dist.pathname.length).replace(/^\//, ''))
  .filter((name) => !needless.test(name))
  .sort();
const version = createHash('sha256').update(files.map((name) => readFileSync(new URL(name, dist))).join('\0')).digest('hex').slice(0, 12);
const template = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8');
const list = JSON.stringify(['./', ...files.filter((name) => name !== 'index.html')]);
writeFileSync(new URL('sw.js', dist), template.replace("'VERSION'", JSON.stringify(version)).replace("['FILES']", list));
