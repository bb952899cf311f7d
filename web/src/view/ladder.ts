/** The rules that were looked at, in their order, the ones that fired lit. */
import { html, nothing, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { App } from '../app.ts';
import type { Card } from '../gen/Card.ts';
import { ladder, type LadderPart, type Rung } from '../model/folding.ts';
import type { State } from '../model/state.ts';
import { specStatement } from '../spec.ts';
import { say } from '../text.ts';

export function ladderView(card: Card, state: State, app: App): TemplateResult | typeof nothing {
  if (card.tried.length === 0) return nothing;
  const parts = ladder(card.tried, state.ladderOpen);
  const folds = state.ladderOpen || parts.some((part) => part.quiet !== null || part.rungs.some((rung) => rung.kind === 'folded'));
  return html`<div class="ladder" role="group" aria-label=${say('ui.ladder')}>
    ${parts.map((part) => partView(part, card, state, app))} ${specText(state)} ${folds ? foldButton(card, state, app) : nothing}
  </div>`;
}

function foldButton(card: Card, state: State, app: App): TemplateResult {
  return html`<button class="text fold" aria-expanded=${state.ladderOpen ? 'true' : 'false'} @click=${() => app.toggle('ladderOpen')}>
      ${state.ladderOpen ? say('ui.ladder.less') : say('ui.ladder.more', { count: card.tried.length })}
    </button>`;
}

function partView(part: LadderPart, card: Card, state: State, app: App): TemplateResult {
  if (part.quiet !== null) {
    return html`<h3 class="quiet"><span>${part.stage}</span> <span>${say('ui.ladder.quiet', { count: part.quiet })}</span></h3>`;
  }
  return html`<h3>${part.stage}</h3>
    <ol>${part.rungs.map((rung) => rungView(rung, card, state, app))}</ol>`;
}

function rungView(rung: Rung, card: Card, state: State, app: App): TemplateResult {
  if (rung.kind === 'folded') return html`<li class="skip"><span>${say('ui.ladder.folded', { count: rung.count })}</span></li>`;
  const { rule } = rung;
  const lit = rule.fired ? (rule.rule === card.rule ? 'yes' : 'also') : 'no';
  return html`<li class=${lit}>
    <code>${rule.rule}</code><span>${rule.text}</span>${rule.fired ? html`<span class="vh">${say('ui.ladder.fired')}</span>` : nothing}
    ${state.ladderOpen || rule.rule === card.rule ? specIds(rule.specIds, state, app) : nothing}
  </li>`;
}

/** The statements of the specification that a rule carries out; one that is chosen lights the decisions it took part in. */
function specIds(ids: readonly string[], state: State, app: App): TemplateResult {
  return html`<span class="specs">
    ${ids.map(
      (id) => html`<button class="text" aria-pressed=${state.field === id ? 'true' : 'false'} @click=${() => app.pointAt(state.field === id ? null : id)}>${id}</button>`,
    )}
  </span>`;
}

/** The statement that is chosen, in its words. */
function specText(state: State): TemplateResult | typeof nothing {
  const { field } = state;
  if (field === null || !/^[A-Z]{3,4}-/.test(field)) return nothing;
  return html`<p class="spec" lang="en"><b>${field}</b> ${until(specStatement(field), '')}</p>`;
}
