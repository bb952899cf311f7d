/**
 * Where the focus goes: arrows in the lanes and in the menu, into the menu and back out of it.
 *
 * Invariant: the focus is never lost when a part of the page goes away.
 */
import type { State } from '../model/state.ts';
import { afterTour } from './tour.ts';

let openFor: string | null = null;

/** After each drawing: put the menu in place, and move the focus in or out. */
export function afterDraw(state: State): void {
  afterTour(state);
  const pod = state.menu?.pod ?? null;
  const menu = document.querySelector<HTMLElement>('.podmenu');
  if (menu !== null && pod !== null) place(menu, pod);
  // The menu comes a moment after the click: the engine says first what may be done.
  if (pod === openFor || (pod !== null && menu === null)) return;
  const before = openFor;
  openFor = pod;
  if (menu !== null && pod !== null) entries(menu)[0]?.focus();
  else if (before !== null && !focusIsElsewhere()) box(before)?.focus();
}

/** The person has already gone on to another part of the page. */
function focusIsElsewhere(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

function box(pod: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-pod="${CSS.escape(pod)}"]`);
}

/** Beside its pod, inside the window; the narrow layout shows it as a sheet and ignores this. */
function place(menu: HTMLElement, pod: string): void {
  const anchor = box(pod)?.getBoundingClientRect();
  if (anchor === undefined) return;
  const margin = 8;
  const left = Math.min(anchor.right + margin, innerWidth - menu.offsetWidth - margin);
  const top = Math.min(anchor.top, innerHeight - menu.offsetHeight - margin);
  menu.style.left = `${Math.max(left, margin)}px`;
  menu.style.top = `${Math.max(top, margin)}px`;
}

function entries(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.entry')];
}

/** Arrows move between the entries, Escape closes. */
export function moveInMenu(event: KeyboardEvent, close: () => void): void {
  const menu = event.currentTarget as HTMLElement;
  if (event.key === 'Escape') {
    event.preventDefault();
    close();
    return;
  }
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  const all = entries(menu);
  const at = all.indexOf(document.activeElement as HTMLElement);
  all.at((at + by) % all.length)?.focus();
}

/** Arrows move by row and by time; Home and End go to the first and the last pod. */
export function moveInGrid(event: KeyboardEvent): void {
  const grid = event.currentTarget as HTMLElement;
  const rows = [...grid.querySelectorAll('[role="row"]')].map((row) => [...row.querySelectorAll<HTMLElement>('[data-pod]')]);
  const filled = rows.filter((row) => row.length > 0);
  const row = filled.findIndex((pods) => pods.some((pod) => pod === document.activeElement));
  const place = filled[row]?.findIndex((pod) => pod === document.activeElement) ?? -1;
  const next = target(filled, row, place, event.key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function target(rows: readonly HTMLElement[][], row: number, place: number, key: string): HTMLElement | undefined {
  switch (key) {
    case 'ArrowUp':
      return rows[row - 1]?.at(-1);
    case 'ArrowDown':
      return rows[row + 1]?.at(-1);
    case 'ArrowLeft':
      return rows[row]?.[place - 1];
    case 'ArrowRight':
      return rows[row]?.[place + 1];
    case 'Home':
      return rows[0]?.[0];
    case 'End':
      return rows.at(-1)?.at(-1);
    default:
      return undefined;
  }
}
