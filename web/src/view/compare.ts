/** Two ways of one Job, side by side: what was done, and how each ends if nobody acts. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { Deed } from '../model/deed.ts';
import { clockText } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { say } from '../text.ts';
import { sheet } from './sheet.ts';
import { deedLook, stateWord } from './words.ts';

export function compareSheet(state: State, app: App): TemplateResult {
  return sheet('compare', say('ui.compare'), state, app, () => {
    const { other } = state;
    if (other === null) return html`<p>${say('ui.compare.none')}</p>`;
    const [own, theirs] = [state.end, other.end];
    return html`<div class="sides">
        ${side(state.branch, state.deeds, own, theirs)} ${side(other.name, other.deeds, theirs, own)}
      </div>
      <div class="row">
        <button class="primary" @click=${() => app.show(null)}>${say('ui.compare.stay', { name: state.branch })}</button>
        <button class="plain" @click=${() => { app.show(null); void app.switchBranch(); }}>${say('ui.branch.switch', { name: other.name })}</button>
      </div>`;
  });
}

function side(name: string, deeds: readonly Deed[], end: Frame | null, beside: Frame | null): TemplateResult {
  return html`<section class="side" aria-label=${say('ui.branch', { name })} data-branch=${name}>
    <h3>${say('ui.branch', { name })}</h3>
    <p class="dim">${deeds.length === 0 ? say('ui.branch.untouched') : deeds.map((deed) => `${clockText(deed.atMs)} ${deedLook(deed).word}`).join(', ')}</p>
    ${end === null ? html`<p>${say('ui.compare.playing')}</p>` : ending(end, beside)}
  </section>`;
}

function ending(end: Frame, beside: Frame | null): TemplateResult {
  const rows: readonly (readonly [string, (frame: Frame) => string | number])[] = [
    [say('ui.compare.end'), (frame) => frame.job?.phase ?? say('ui.job.gone')],
    [say('ui.compare.time'), (frame) => clockText(frame.atMs)],
    [say('ui.compare.pods'), (frame) => frame.pods.length],
    [say('ui.ledger.succeeded'), (frame) => frame.ledger.succeeded],
    [say('ui.ledger.failed'), (frame) => frame.ledger.failed],
    [say('ui.compare.decisions'), (frame) => frame.step],
  ];
  return html`<dl>
      ${rows.map(([label, value]) => {
        const differs = beside !== null && value(beside) !== value(end);
        return html`<div class=${differs ? 'differs' : ''}><dt>${label}</dt><dd>${value(end)}</dd></div>`;
      })}
    </dl>
    <p>${end.job?.conditions.at(-1)?.message ?? end.ended?.text ?? ''}</p>
    <ol class="pods-short">
      ${end.pods.slice(0, 12).map((pod) => html`<li class="s-${pod.state}"><code>${pod.name}</code> ${stateWord(pod.state)} ${pod.exitCode ?? ''}</li>`)}
    </ol>`;
}
