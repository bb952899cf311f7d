/* Keeps what the page is made of, so that it opens without a network. Made by scripts/service-worker.mjs.
   The page itself comes from the network if there is one, so that a new version is seen at once; everything else has a
   name that changes with its content. Only files of this page are ever answered. */
const CACHE = `jobwright-${'VERSION'}`;
const FILES = ['FILES'];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('jobwright-') && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : kept(request));
});

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request, { ignoreSearch: true })) ?? (await caches.match('./')) ?? Response.error();
  }
}

async function kept(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
}
