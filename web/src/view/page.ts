/** The whole page: header, three columns, timeline. Each part is a function of the state. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { State, Tab } from '../model/state.ts';
import { say } from '../text.ts';
import { compareSheet } from './compare.ts';
import { decisions } from './decisions.ts';
import { editorColumn } from './editor.ts';
import type { EditorSlot } from './editorslot.ts';
import { exploreSheet } from './explore.ts';
import { header, type Speech } from './header.ts';
import { help } from './help.ts';
import { pods } from './pods.ts';
import { powers } from './powers.ts';
import { shareSheet } from './share.ts';
import { timeline } from './timeline.ts';
import { tour } from './tour.ts';

export function page(state: State, app: App, editor: EditorSlot, speech: Speech): TemplateResult {
  return html`
    <a class="skiplink" href="#decision">${say('ui.skip')}</a>
    ${header(state, app, speech)}
    ${tabs(state, app)}
    <main data-tab=${state.tab}>
      ${editorColumn(state, app, editor)}
      ${pods(state, app)}
      ${decisions(state, app)}
      <p class="vh" role="status" aria-live="polite">${spoken(state)}</p>
    </main>
    ${oneLine(state)}
    ${timeline(state, app)}
    ${powers(state, app)}
    ${help(state, app)} ${shareSheet(state, app)} ${compareSheet(state, app)} ${exploreSheet(state, app)} ${tour(state, app)}
  `;
}

/** Only the narrow layout shows them. */
function tabs(state: State, app: App): TemplateResult {
  const names: readonly Tab[] = ['job', 'pods', 'decision'];
  return html`<nav class="tabs" aria-label=${say('ui.tabs')}>
    ${names.map(
      (name) => html`<button
        aria-current=${state.tab === name ? 'true' : 'false'}
        @click=${() => app.chooseTab(name)}
      >
        ${say(`ui.tab.${name}`)}
        ${name === 'job' && state.diagnostics.length > 0 ? html`<i class="dot s-waiting"></i>` : ''}
      </button>`,
    )}
  </nav>`;
}

/** What a screen reader says after each move: the decision in one sentence. */
function spoken(state: State): string {
  const { frame } = state;
  if (frame === null) return '';
  if (state.notice !== null) return state.notice;
  if (frame.open !== null) return say('ui.decision.within', { step: frame.open.step, write: state.write, title: frame.open.title });
  if (frame.ended !== null) return `${frame.decision?.title ?? ''} ${frame.ended.text}`.trim();
  return frame.decision?.title ?? say('ui.decision.none');
}

/** The sentence alone, where the card is out of sight. */
function oneLine(state: State): TemplateResult | '' {
  const card = state.frame?.decision;
  if (card === undefined || card === null) return '';
  return html`<p class="oneline" aria-hidden="true"><b class="num">#${card.step}</b><span>${card.title}</span></p>`;
}
