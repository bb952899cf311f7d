/**
 * The page without a network: a service worker keeps what the page was made of.
 *
 * Invariant: where there is none (a file, an old browser, a page inside a frame), the page works as before.
 */
export function registerOffline(): void {
  if (!('serviceWorker' in navigator) || !location.protocol.startsWith('http') || import.meta.env.DEV) return;
  navigator.serviceWorker.register(new URL('./sw.js', document.baseURI)).catch(() => undefined);
}
