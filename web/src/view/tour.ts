/** The guided tour: five places of the page, one after the other; each is pointed at and explained in two lines. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { State } from '../model/state.ts';
import { say, type TextId } from '../text.ts';
import { sheet } from './sheet.ts';

const STOPS: readonly (readonly [TextId, TextId])[] = [
  ['ui.tour.job.title', 'ui.tour.job.text'],
  ['ui.tour.step.title', 'ui.tour.step.text'],
  ['ui.tour.pods.title', 'ui.tour.pods.text'],
  ['ui.tour.decision.title', 'ui.tour.decision.text'],
  ['ui.tour.wrong.title', 'ui.tour.wrong.text'],
  ['ui.tour.share.title', 'ui.tour.share.text'],
];

export function tourSheet(state: State, app: App): TemplateResult {
  return sheet('tour', say('ui.tour'), state, app, () => html`
    <ol class="stops">${STOPS.map(([title, text]) => html`<li><b>${say(title)}</b><p>${say(text)}</p></li>`)}</ol>
    <button class="primary" @click=${() => app.show(null)}>${say('ui.tour.go')}</button>
  `);
}
