/** The right column: the decision that led here, and all others in one line each. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Card } from '../gen/Card.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import { clockText } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { say } from '../text.ts';
import { ladderView } from './ladder.ts';
import { writesView } from './writes.ts';

export function decisions(state: State, app: App): TemplateResult {
  const card = state.frame?.decision ?? null;
  const open = state.frame?.open ?? null;
  return html`<section class="decisions" id="decision" tabindex="-1" aria-label=${say('ui.decisions')}>
    <div class="colhead">
      <h2>${say('ui.decisions')}</h2>
      <span class="dim num">${state.known.length}</span>
      <span class="grow"></span>
      <button class="text" aria-pressed=${state.recordOpen ? 'true' : 'false'} @click=${() => app.toggle('recordOpen')}>
        ${say('ui.record')}
      </button>
    </div>
    <div class="stack" tabindex="0" role="group" aria-label=${say('ui.decisions.stack')}>
      ${state.notice === null || state.sheet !== null ? nothing : html`<p class="refused s-failed" role="alert">${state.notice}</p>`}
      ${underWay(state, app)}
      ${card === null ? (open === null ? html`<p class="first">${say('ui.decision.none')}</p>` : nothing) : cardView(card, state, app)}
      ${ending(state)} ${past(state, app)}
    </div>
  </section>`;
}

/** The decision that the moment lies within: how far it is, and what the API server said so far. */
function underWay(state: State, app: App): TemplateResult | typeof nothing {
  const card = state.frame?.open ?? null;
  if (card === null) return nothing;
  return html`<article class="card open" aria-label=${say('ui.decision.open', { step: card.step })} data-open=${card.step}>
    <header><b class="num">#${card.step}</b><span class="num">${clockText(card.atMs)}</span><span class="trig">${say('ui.decision.underway')}</span></header>
    <p class="say">${card.title}</p>
    ${writesView(card, true, app)}
  </article>`;
}

function cardView(card: Card, state: State, app: App): TemplateResult {
  return html`<article class="card" aria-label=${say('ui.decision.label', { step: card.step })}>
    <header>
      <b class="num">#${card.step}</b><span class="num">${clockText(card.atMs)}</span><span class="trig">${card.trigger}</span>
    </header>
    <p class="say">${card.title}</p>
    <p class="rule"><code>${card.rule}</code><span>${card.why}</span></p>
    ${fieldsView(card, state, app)}
    ${card.error === null ? nothing : html`<p class="carderror s-failed">${card.error}</p>`}
    ${state.recordOpen ? html`<pre class="record" tabindex="0">${JSON.stringify(card.record, null, 2)}</pre>` : details(card, state, app)}
  </article>`;
}

/** The lines of the manifest that took part; pointing at one lights the decisions that it took part in. */
function fieldsView(card: Card, state: State, app: App): TemplateResult | typeof nothing {
  const fields = card.fields.flatMap((field) => state.lines.filter((line) => line.field === field));
  if (fields.length === 0) return nothing;
  return html`<p class="fields">
    ${fields.map(
      ({ field, line }) => html`<button
        class="text ${state.field === field ? 'lit' : ''}"
        @click=${() => app.pointAt(state.field === field ? null : field)}
        aria-pressed=${state.field === field ? 'true' : 'false'}
      >
        ${field.replace('spec.', '')} <span class="dim">${say('ui.line', { line })}</span>
      </button>`,
    )}
  </p>`;
}

function details(card: Card, state: State, app: App): TemplateResult {
  return html`
    ${ladderView(card, state, app)}
    ${inputs(card, state, app)} ${writesView(card, false, app)}
    ${card.next === null
      ? nothing
      : html`<footer>
          <span class="dim">${say('ui.next')}</span><b class="num">${clockText(card.next.atMs)}</b><span>${card.next.text}</span>
        </footer>`}
  `;
}

/** The numbers, without those that are nothing unless the whole ladder is asked for. */
function inputs(card: Card, state: State, app: App): TemplateResult | typeof nothing {
  if (card.inputs.length === 0) return nothing;
  const shown = state.ladderOpen ? card.inputs : card.inputs.filter((line) => line.value !== '0' && line.value !== '0 s');
  const left = card.inputs.length - shown.length;
  return html`<div class="inputs">
    <h3>
      ${say('ui.inputs')}
      ${left === 0
        ? nothing
        : html`<button class="text" @click=${() => app.toggle('ladderOpen')}>${say('ui.inputs.rest', { count: left })}</button>`}
    </h3>
    <dl>${shown.map((line) => html`<div><dt>${line.label}</dt><dd>${line.value}</dd></div>`)}</dl>
  </div>`;
}

/** More past decisions than this are not listed; the timeline reaches them all. */
const MOST_PAST = 60;

/** Why nothing more happens by itself. */
function ending(state: State): TemplateResult | typeof nothing {
  const ended = state.frame?.ended ?? null;
  if (ended === null) return nothing;
  const tone = ended.kind === 'complete' ? 's-succeeded' : ended.kind === 'failed' ? 's-failed' : 's-waiting';
  return html`<p class="ending ${tone}" data-end=${ended.kind}>${ended.text}</p>`;
}

/** Newest first; those after the present moment stay known, and are drawn lighter. */
function past(state: State, app: App): TemplateResult | typeof nothing {
  const now = state.frame?.step ?? 0;
  const quiet = state.known.filter((one) => !one.wrote).length;
  const shown = state.known.filter((one) => one.wrote || !state.quietHidden || one.step === now).toReversed();
  if (state.known.length === 0) return nothing;
  return html`<div class="older">
    <div class="olderhead">
      <h3>${say('ui.past')}</h3>
      <span class="grow"></span>
      ${quiet === 0
        ? nothing
        : html`<button class="text" aria-pressed=${state.quietHidden ? 'true' : 'false'} @click=${() => app.toggle('quietHidden')}>
            ${say('ui.past.quiet', { count: quiet })}
          </button>`}
    </div>
    <ol>${shown.slice(0, MOST_PAST).map((one) => pastLine(one, now, state, app))}</ol>
    ${shown.length > MOST_PAST ? html`<p class="dim more">${say('ui.past.more', { count: shown.length - MOST_PAST })}</p>` : nothing}
  </div>`;
}

function pastLine(one: PastDecision, now: number, state: State, app: App): TemplateResult {
  return html`<li>
    <button
      class="${one.step > now ? 'ahead' : ''} ${state.field !== null && one.fields.includes(state.field) ? 'lit' : ''}"
      aria-current=${one.step === now ? 'step' : nothing}
      data-step=${one.step}
      @click=${() => void app.seek(one.step)}
    >
      <i class="dec ${one.wrote ? 'w' : ''}"></i><b class="num">#${one.step}</b><span class="num t">${clockText(one.atMs)}</span
      ><span class="what">${one.title}</span>
    </button>
  </li>`;
}
