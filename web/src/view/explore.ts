/** All ends that the Job can have: how many pods, how long, and a way to each that can be watched. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Explored } from '../gen/Explored.ts';
import type { ExploredEnd } from '../gen/ExploredEnd.ts';
import { clock } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { say, sayAny } from '../text.ts';
import { icon } from './icons.ts';
import { sheet } from './sheet.ts';

/** Enough for a small Job, and a few seconds at most. */
const STATES_MAX = 60_000;

export function exploreSheet(state: State, app: App): TemplateResult {
  return sheet('explore', say('ui.explore'), state, app, () => {
    const { running, states, explored, problem } = state.exploration;
    return html`<p>${say('ui.explore.what')}</p>
      <form @submit=${(event: SubmitEvent) => submit(event, app)}>
        <label>${say('ui.explore.anyOf')}<input name="anyOf" value="0,1" spellcheck="false" autocomplete="off" required /></label>
        <label>${say('ui.explore.crashes')}<input name="crashes" type="number" min="0" max="2" value="0" required /></label>
        <label>${say('ui.explore.conflicts')}<input name="conflicts" type="number" min="0" max="2" value="0" required /></label>
        <button class="primary">${say('ui.explore.go')}</button>
        ${running ? html`<button type="button" class="plain" @click=${() => app.stopExploring()}>${say('ui.explore.stop')}</button>` : nothing}
      </form>
      <p role="status">${running ? say('ui.explore.running', { states }) : ''}${problem ?? ''}</p>
      ${explored === null ? nothing : results(explored, app)}`;
  });
}

function submit(event: SubmitEvent, app: App): void {
  event.preventDefault();
  const fields = (event.currentTarget as HTMLFormElement).elements;
  const field = (name: string): HTMLInputElement => fields.namedItem(name) as HTMLInputElement;
  void app.explore({
    anyOf: field('anyOf').value,
    crashes: field('crashes').valueAsNumber,
    conflicts: field('conflicts').valueAsNumber,
    statesMax: STATES_MAX,
  });
}

function results(explored: Explored, app: App): TemplateResult {
  return html`<p class="dim">${say(explored.complete ? 'ui.explore.complete' : 'ui.explore.cut', { states: explored.states })}</p>
    <ul class="worst">
      ${worst('ui.explore.mostPods', explored.mostPods === null ? null : String(explored.mostPods), explored.mostPodsScenario, app)}
      ${worst('ui.explore.longest', explored.longestMs === null ? null : clock(explored.longestMs / 1000), explored.longestScenario, app)}
    </ul>
    <div class="tablewrap" tabindex="0" role="region" aria-label=${say('ui.explore.ends')}>
      <table>
        <thead>
          <tr>
            <th scope="col">${say('ui.explore.end')}</th><th scope="col">${say('ui.explore.pods')}</th>
            <th scope="col">${say('ui.explore.time')}</th><th scope="col">${say('ui.explore.ways')}</th><td></td>
          </tr>
        </thead>
        <tbody>${explored.ends.map((end) => row(end, app))}</tbody>
      </table>
    </div>`;
}

function worst(text: 'ui.explore.mostPods' | 'ui.explore.longest', value: string | null, scenario: string | null, app: App): TemplateResult {
  return html`<li>${say(text, { value: value ?? say('ui.explore.endless') })} ${watchButton(scenario, say(text, { value: value ?? '∞' }), app)}</li>`;
}

function row(end: ExploredEnd, app: App): TemplateResult {
  const tone = end.condition === 'Complete' ? 's-succeeded' : end.condition === 'Failed' ? 's-failed' : 's-waiting';
  const words = `${end.condition} ${sayAny(`ui.stay.${end.reason}`, end.reason)}`;
  const endless = say('ui.explore.endless');
  return html`<tr data-end-of=${end.condition}>
    <th scope="row" class=${tone}><span class="st">${icon(end.condition === 'Complete' ? 'succeeded' : end.condition === 'Failed' ? 'failed' : 'waiting')}${words}</span></th>
    <td class="num">${range(String(end.leastPods), end.mostPods === null ? endless : String(end.mostPods))}</td>
    <td class="num">${range(clock(end.leastMs / 1000), end.mostMs === null ? endless : clock(end.mostMs / 1000))}</td>
    <td class="num">${end.ways ?? endless}</td>
    <td>${watchButton(end.scenario, words, app)}</td>
  </tr>`;
}

function range(least: string, most: string): string {
  return least === most ? least : `${least} – ${most}`;
}

function watchButton(scenario: string | null, what: string, app: App): TemplateResult | typeof nothing {
  if (scenario === null) return nothing;
  return html`<button class="plain" aria-label=${say('ui.explore.watchWhat', { what })} @click=${() => void app.watch(scenario)}>${say('ui.explore.watch')}</button>`;
}
