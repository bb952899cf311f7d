/**
 * A sheet over the page: a dialog with a title, closed by Escape or its button.
 *
 * Invariant: which sheet is open is part of the state; the dialog follows it.
 */
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { App } from '../app.ts';
import type { Sheet, State } from '../model/state.ts';
import { say } from '../text.ts';
import { icon } from './icons.ts';

export function sheet(name: Sheet, title: string, state: State, app: App, body: () => unknown): TemplateResult {
  const isOpen = state.sheet === name;
  const follow = (element: Element | undefined): void => {
    if (!(element instanceof HTMLDialogElement) || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
  };
  const closed = (): void => {
    if (app.state.sheet === name) app.show(null);
  };
  return html`<dialog class="sheet ${name}" aria-labelledby="${name}-title" ${ref(follow)} @close=${closed}>
    <header>
      <h2 id="${name}-title">${title}</h2>
      <button class="icon" aria-label=${say('ui.close')} @click=${closed}>${icon('close')}</button>
    </header>
    ${isOpen ? body() : ''}
  </dialog>`;
}
