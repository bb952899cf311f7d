/** What was written, with the API server's answer to each; then the Kubernetes Events. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Card } from '../gen/Card.ts';
import type { WriteLine } from '../gen/WriteLine.ts';
import { say } from '../text.ts';
import { icon } from './icons.ts';

export function writesView(card: Card): TemplateResult {
  return html`<div class="writes">
    <h3>${say('ui.writes')}</h3>
    ${card.writes.length === 0
      ? html`<p class="dim">${say('ui.writes.none')}</p>`
      : html`<ol>${card.writes.map(write)}</ol>`}
    ${card.events.length === 0
      ? nothing
      : html`<h3>${say('ui.events')}</h3>
          <ul class="events">${card.events.map((event) => eventLine(event))}</ul>`}
  </div>`;
}

function write(one: WriteLine): TemplateResult {
  const tone = one.accepted === null ? '' : one.accepted ? 's-succeeded' : 's-failed';
  const sign = one.accepted === null ? nothing : icon(one.accepted ? 'succeeded' : 'failed');
  const times = one.count > 1 ? html` <small>${say('ui.writes.times', { count: one.count })}</small>` : nothing;
  return html`<li class=${one.accepted === false ? 'refusedwrite s-failed' : ''}>
    <b class="verb">${one.verb}</b><span class="what" title=${one.what}>${one.what}${times}</span>
    <span class="verdict ${tone}">${sign}${one.answer}</span>
  </li>`;
}

function eventLine([kind, reason, message]: readonly [string, string, string]): TemplateResult {
  return html`<li class=${kind === 'Warning' ? 's-failed' : ''}><b>${reason}</b> ${message}</li>`;
}
