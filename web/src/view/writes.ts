/** What was written, with the API server's answer to each, and the places between two writes; then the Kubernetes Events. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Card } from '../gen/Card.ts';
import type { WriteLine } from '../gen/WriteLine.ts';
import { say } from '../text.ts';
import { icon } from './icons.ts';

/** `open` if the decision is under way: then the place between its writes is marked. */
export function writesView(card: Card, open: boolean, app: App): TemplateResult {
  return html`<div class="writes">
    <h3>${say('ui.writes')}</h3>
    ${card.writes.length === 0 ? html`<p class="dim">${say('ui.writes.none')}</p>` : html`<ol>${lines(card, open, app)}</ol>`}
    ${card.events.length === 0
      ? nothing
      : html`<h3>${say('ui.events')}</h3>
          <ul class="events">${card.events.map((event) => eventLine(event))}</ul>`}
  </div>`;
}

function lines(card: Card, open: boolean, app: App): readonly TemplateResult[] {
  let behind = 0;
  const total = card.writes.reduce((sum, one) => sum + one.count, 0);
  return card.writes.flatMap((one, place) => {
    behind += one.count;
    const next = card.writes[place + 1];
    const isHere = open && one.accepted !== null && (next === undefined || next.accepted === null);
    const between = behind < total || open;
    return [write(one, between && one.accepted !== null ? crashButton(card, behind, app) : nothing), ...(isHere ? [here()] : [])];
  });
}

function here(): TemplateResult {
  return html`<li class="here">${icon('here')}<b>${say('ui.writes.here')}</b></li>`;
}

/** The controller dies after so many writes of this decision, and starts again. */
function crashButton(card: Card, behind: number, app: App): TemplateResult {
  const label = say('ui.writes.crash', { count: behind, step: card.step });
  return html`<button class="icon crashhere" aria-label=${label} title=${label} @click=${() => void app.crash({ step: card.step - 1, write: behind })}>
    ${icon('crash')}
  </button>`;
}

function write(one: WriteLine, extra: unknown): TemplateResult {
  const tone = one.accepted === null ? '' : one.accepted ? 's-succeeded' : 's-failed';
  const sign = one.accepted === null ? nothing : icon(one.accepted ? 'succeeded' : 'failed');
  const times = one.count > 1 ? html` <small>${say('ui.writes.times', { count: one.count })}</small>` : nothing;
  return html`<li class=${one.accepted === false ? 'refusedwrite s-failed' : ''}>
    <b class="verb">${one.verb}</b><span class="what" title=${one.what}>${one.what}${times}</span>
    <span class="verdict ${tone}">${sign}${one.answer}</span>${extra}
  </li>`;
}

function eventLine([kind, reason, message]: readonly [string, string, string]): TemplateResult {
  return html`<li class=${kind === 'Warning' ? 's-failed' : ''}><b>${reason}</b> ${message}</li>`;
}
