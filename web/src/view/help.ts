/** The sheet with the keys. */
import { html, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { App } from '../app.ts';
import type { State } from '../model/state.ts';
import { say, type TextId } from '../text.ts';
import { icon } from './icons.ts';

const KEYS: readonly (readonly [string, TextId])[] = [
  ['.', 'ui.step.next'],
  [',', 'ui.step.back'],
  ['Space', 'ui.help.play'],
  ['← ↑ → ↓', 'ui.help.arrows'],
  ['Enter', 'ui.help.enter'],
  ['Esc', 'ui.help.escape'],
  ['?', 'ui.help'],
];

export function help(state: State, app: App): TemplateResult {
  const show = (element: Element | undefined): void => {
    if (!(element instanceof HTMLDialogElement) || element.open === state.helpOpen) return;
    if (state.helpOpen) element.showModal();
    else element.close();
  };
  const closed = (): void => {
    if (app.state.helpOpen) app.toggle('helpOpen');
  };
  return html`<dialog class="help" aria-labelledby="help-title" ${ref(show)} @close=${closed}>
    <header>
      <h2 id="help-title">${say('ui.help')}</h2>
      <button class="icon" aria-label=${say('ui.close')} @click=${() => app.toggle('helpOpen')}>${icon('close')}</button>
    </header>
    <dl>${KEYS.map(([key, text]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${say(text)}</dd></div>`)}</dl>
    <p class="dim">${say('ui.help.where')}</p>
  </dialog>`;
}
