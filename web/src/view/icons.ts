/** The signs of the page, by name; each stands in the sprite of `index.html`. */
import { html, type TemplateResult } from 'lit';

export type IconName =
  | 'mark' | 'pending' | 'running' | 'ready' | 'terminating' | 'succeeded' | 'failed' | 'uncounted' | 'waiting'
  | 'lock' | 'unlock' | 'chev' | 'left' | 'right' | 'theme' | 'play' | 'pause' | 'prev' | 'next' | 'reset'
  | 'hint' | 'error' | 'evict' | 'delete' | 'close' | 'crash' | 'fork' | 'write' | 'timer' | 'undo' | 'edit' | 'share' | 'explore' | 'here'
  | 'hand' | 'globe' | 'copy' | 'download';

/** Never the only sign: a word or a label stands beside it, so it is hidden from screen readers. */
export function icon(name: IconName, extra = ''): TemplateResult {
  return html`<svg class="i ${extra}" aria-hidden="true" focusable="false"><use href="#i-${name}"></use></svg>`;
}
