// How the page is built: static files with relative addresses, the engine in a module worker.
import { defineConfig, type Plugin } from 'vite';

/** Of the shared message catalogue the page needs only its own part; the engine carries the rest. */
function ownMessagesOnly(): Plugin {
  return {
    name: 'jobwright-own-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!id.split('?')[0]?.endsWith("/catalogue/en.json")) return null;
      const all = Object.entries(JSON.parse(code) as Record<string, unknown>);
      return { code: JSON.stringify(Object.fromEntries(all.filter(([key]) => key.startsWith('ui.')))), map: null };
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [ownMessagesOnly()],
  worker: { format: 'es' },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { fs: { allow: ['..'] } },
});
