// How the page is built: static files with relative addresses, the engine in a module worker.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

/** The page has no use for the texts of the command line. */
function withoutTerminalTexts(): Plugin {
  return {
    name: 'jobwright-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/catalogue\/\w+\.json$/.test(id.split('?')[0] ?? '')) return null;
      const all = Object.entries(JSON.parse(code) as Record<string, unknown>);
      return { code: JSON.stringify(Object.fromEntries(all.filter(([key]) => !key.startsWith('cli.')))), map: null };
    },
  };
}

/** The statements of `docs/spec` by id, as the module `virtual:spec`. */
function specification(): Plugin {
  const folder = new URL('../docs/spec/', import.meta.url);
  const statements = (): Record<string, string> => {
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md')).sort();
    const lines = pages.flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split('\n'));
    const found: Record<string, string> = {};
    for (const line of lines) {
      const [, id, rest] = /^\s*(?:- |\| )([A-Z]{2,5}-\d+[a-z]?)\b[ :|]*(.*)$/.exec(line) ?? [];
      if (id !== undefined && rest !== undefined) found[id] ??= rest.replaceAll('`', '').replace(/\s*\|\s*$/, '').replaceAll(' | ', ' · ');
    }
    return found;
  };
  return {
    name: 'jobwright-specification',
    resolveId: (id) => (id === 'virtual:spec' ? '\0virtual:spec' : null),
    load: (id) => (id === '\0virtual:spec' ? `export default ${JSON.stringify(statements())}` : null),
  };
}

export default defineConfig({
  base: './',
  plugins: [withoutTerminalTexts(), specification()],
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { fs: { allow: ['..'] } },
});
