/** What lanes and table have in common: the switch between them, and the signs. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { PodsView, State } from '../model/state.ts';
import { say } from '../text.ts';
import { icon, type IconName } from './icons.ts';

export function viewSwitch(state: State, app: App): TemplateResult {
  const views: readonly PodsView[] = ['lanes', 'table'];
  return html`<span class="seg2" role="group" aria-label=${say('ui.podsView')}>
    ${views.map(
      (view) => html`<button aria-pressed=${state.podsView === view ? 'true' : 'false'} @click=${() => app.choosePodsView(view)}>
        ${say(`ui.podsView.${view}`)}
      </button>`,
    )}
  </span>`;
}

const SIGNS: readonly (readonly [string, IconName])[] = [
  ['pending', 'pending'],
  ['running', 'running'],
  ['ready', 'ready'],
  ['terminating', 'terminating'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['uncounted', 'lock'],
];

export function legend(): TemplateResult {
  return html`<p class="legend" aria-hidden="true">
    ${SIGNS.map(
      ([name, sign]) => html`<span class="s-${name}"><i class="sw"></i>${icon(sign)}${say(`ui.legend.${name}` as 'ui.legend.ready')}</span>`,
    )}
  </p>`;
}
