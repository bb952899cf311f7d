/**
 * The keys of the page.
 *
 * Invariant: they act only where one does not write, and never instead of a control that has the
 * focus and uses the same key.
 */
import type { App } from '../app.ts';
import { SPEEDS } from '../model/state.ts';

export function listenToKeys(app: App): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (writes(event.target) || document.querySelector('dialog[open]') !== null) return;
    if (event.key === ' ' && presses(event.target)) return;
    const act = ACTS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (act === undefined) return;
    act(app);
    event.preventDefault();
  });
}

const ACTS: ReadonlyMap<string, (app: App) => void> = new Map<string, (app: App) => void>([
  ['.', (app) => { app.pause(); void app.step(); }],
  ['>', (app) => void app.stepWrite()],
  [',', (app) => void app.back()],
  [' ', (app) => app.togglePlay()],
  ['n', (app) => void app.stepTimer()],
  ['f', (app) => app.fork()],
  ['x', (app) => void app.crash()],
  ['u', (app) => void app.undo()],
  ['i', (app) => app.toggleSheet('powers')],
  ['c', (app) => void app.compare()],
  ['e', (app) => app.show('explore')],
  ['s', (app) => app.show('share')],
  ['[', (app) => faster(app, -1)],
  [']', (app) => faster(app, 1)],
  ['?', (app) => app.toggleSheet('help')],
  ['PageDown', (app) => app.chooseNext(1)],
  ['PageUp', (app) => app.chooseNext(-1)],
  ['Escape', (app) => { app.closeMenu(); if (app.state.sheet !== null) app.show(null); }],
]);

function faster(app: App, by: number): void {
  const next = SPEEDS[SPEEDS.indexOf(app.state.speed) + by];
  if (next !== undefined) app.setSpeed(next);
}

function writes(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Space presses what has the focus, if it can be pressed. */
function presses(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, summary, a') !== null;
}
