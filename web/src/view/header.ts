/** The top line: brand, examples, theme, help. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { State } from '../model/state.ts';
import { exampleTitle, say } from '../text.ts';
import { icon } from './icons.ts';
import { switchTheme } from './theme.ts';

export function header(state: State, app: App): TemplateResult {
  return html`<header class="top">
    <span class="brand">${icon('mark', 'i20')}<b>${say('ui.brand')}</b></span>
    ${picker(state, app)}
    <span class="grow"></span>
    <span class="version dim">${say('ui.version')}</span>
    <button class="icon" aria-label=${say('ui.theme')} title=${say('ui.theme')} @click=${switchTheme}>${icon('theme')}</button>
    <button class="icon" aria-label=${say('ui.help')} title=${say('ui.help')} @click=${() => app.toggle('helpOpen')}>
      <kbd>?</kbd>
    </button>
  </header>`;
}

function picker(state: State, app: App): TemplateResult {
  const choose = (event: Event): void => app.choose((event.target as HTMLSelectElement).value);
  return html`<div class="preset" role="group" aria-label=${say('ui.examples')}>
    <button class="icon" aria-label=${say('ui.examples.previous')} @click=${() => app.chooseNext(-1)}>${icon('left')}</button>
    <span class="pick">
      <select aria-label=${say('ui.examples.choose')} @change=${choose} .value=${state.example}>
        ${app.examples.map(
          (example) => html`<option value=${example.id} ?selected=${example.id === state.example}>
            ${exampleTitle(example.id)}
          </option>`,
        )}
      </select>
      ${icon('chev')}
    </span>
    <button class="icon" aria-label=${say('ui.examples.next')} @click=${() => app.chooseNext(1)}>${icon('right')}</button>
  </div>`;
}
