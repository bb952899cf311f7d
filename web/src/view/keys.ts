/**
 * The keys of the page.
 *
 * Invariant: they act only where one does not write, and never instead of a control that has the
 * focus and uses the same key.
 */
import type { App } from '../app.ts';

export function listenToKeys(app: App): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (writes(event.target) || document.querySelector('dialog[open]') !== null) return;
    if (event.key === ' ' && presses(event.target)) return;
    if (act(app, event.key)) event.preventDefault();
  });
}

function act(app: App, key: string): boolean {
  switch (key) {
    case '.':
      app.pause();
      void app.step();
      return true;
    case ',':
      void app.back();
      return true;
    case ' ':
      app.togglePlay();
      return true;
    case '?':
      app.toggle('helpOpen');
      return true;
    default:
      return false;
  }
}

function writes(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Space presses what has the focus, if it can be pressed. */
function presses(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, summary, a') !== null;
}
