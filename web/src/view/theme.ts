/**
 * Light or dark: what the system says, until the person chooses.
 *
 * Invariant: storage may be closed to the page; then the choice lasts as long as the page.
 */
export type Theme = 'light' | 'dark';

const KEY = 'jobwright.theme';

export function theme(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

export function applyStoredTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const stored = read();
  show(stored === 'dark' || stored === 'light' ? stored : system);
}

export function switchTheme(): void {
  const next = theme() === 'dark' ? 'light' : 'dark';
  show(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A private window may refuse; the choice still holds for this page.
  }
}

function show(next: Theme): void {
  document.documentElement.dataset.theme = next;
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
