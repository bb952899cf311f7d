/**
 * What a person may do besides the menu of a pod: to the controller, its watches, the API server's answers, the Job.
 *
 * Invariant: each button is one or more actions of a scenario, as they are; what they mean is the engine's business.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { JsonValue } from '../gen/serde_json/JsonValue.ts';
import type { ScenarioAction } from '../model/deed.ts';
import type { State } from '../model/state.ts';
import { say, type TextId } from '../text.ts';
import { icon } from './icons.ts';

const ERRORS = ['conflict', 'internal', 'forbidden', 'timeout', 'toomany', 'notfound', 'nsterminating'] as const;
const CALLS = ['create pods', 'delete pods', 'patch pods', 'update jobs/status', 'get jobs', 'delete jobs'] as const;

export function powers(state: State, app: App): TemplateResult | typeof nothing {
  if (state.sheet !== 'powers') return nothing;
  return html`<section class="powers" id="powers" aria-label=${say('ui.powers')} tabindex="-1">
    <header>
      <h2>${say('ui.powers')}</h2>
      <span class="dim">${say('ui.powers.when')}</span>
      <span class="grow"></span>
      <button class="icon" aria-label=${say('ui.close')} @click=${() => app.show(null)}>${icon('close')}</button>
    </header>
    ${state.notice === null ? nothing : html`<p class="refused s-failed" role="alert">${state.notice}</p>`}
    <div class="groups">${controller(app)} ${watches(app)} ${faults(app)} ${job(state, app)} ${node(app)}</div>
  </section>`;
}

type ButtonRow = readonly (readonly [TextId, readonly ScenarioAction[]])[];

function group(title: TextId, body: unknown): TemplateResult {
  return html`<fieldset><legend>${say(title)}</legend>${body}</fieldset>`;
}

function buttons(rows: ButtonRow, app: App): unknown {
  return rows.map(([text, actions]) => html`<button class="plain" @click=${() => void app.perform(actions)}>${say(text)}</button>`);
}

function controller(app: App): TemplateResult {
  const rows: ButtonRow = [
    ['ui.powers.crash', [{ controller: 'restart' }]],
    ['ui.powers.lost', [{ crash: { afterWrites: 1 } }]],
    ['ui.powers.stop', [{ controller: 'stop' }]],
    ['ui.powers.start', [{ controller: 'start' }]],
  ];
  return group('ui.powers.controller', buttons(rows, app));
}

function watches(app: App): TemplateResult {
  const rows: ButtonRow = [
    ['ui.powers.hold.pods', [{ watch: { hold: 'pods' } }]],
    ['ui.powers.hold.jobs', [{ watch: { hold: 'jobs' } }]],
    ['ui.powers.release', [{ watch: { release: 'pods' } }, { watch: { release: 'jobs' } }]],
    ['ui.powers.drop', [{ watch: { drop: 'pods' } }, { watch: { drop: 'jobs' } }]],
  ];
  return group('ui.powers.watches', buttons(rows, app));
}

/** All running pods: what a drain does to its node. */
function node(app: App): TemplateResult {
  const running = { phase: 'Running' };
  const disrupted = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
  const rows: ButtonRow = [
    ['ui.powers.drain', [{ pods: { ...running, condition: disrupted } }, { pods: { ...running, delete: {} } }]],
    ['ui.powers.run', [{ pods: { run: { ready: true } } }]],
    ['ui.powers.terminated', [{ pods: { terminated: { exitCode: 143 } } }]],
  ];
  return group('ui.powers.pods', buttons(rows, app));
}

function faults(app: App): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const [verb = '', kind = ''] = field(data, 'call').split(' ');
    const [resource = '', subresource] = kind.split('/');
    const fault = { verb, resource, error: field(data, 'error'), count: Number(field(data, 'count')), applied: data.has('applied') };
    void app.perform([{ fault: subresource === undefined ? fault : { ...fault, subresource } }]);
  };
  return group(
    'ui.powers.faults',
    html`<form @submit=${submit}>
      <label>${say('ui.powers.fault.call')}<select name="call">${CALLS.map((call) => html`<option>${call}</option>`)}</select></label>
      <label>${say('ui.powers.fault.error')}
        <select name="error">${ERRORS.map((error) => html`<option value=${error}>${say(`ui.powers.error.${error}`)}</option>`)}</select>
      </label>
      <label>${say('ui.powers.fault.count')}<input name="count" type="number" min="1" max="1000" value="1" required /></label>
      <label class="check"><input name="applied" type="checkbox" />${say('ui.powers.fault.applied')}</label>
      <button class="plain">${say('ui.powers.fault.add')}</button>
    </form>`,
  );
}

function field(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}

function job(state: State, app: App): TemplateResult {
  const shown = state.frame?.job ?? null;
  const suspend = shown?.suspend !== true;
  const scale = (event: SubmitEvent): void => {
    event.preventDefault();
    const parallelism = Number(field(new FormData(event.currentTarget as HTMLFormElement), 'parallelism'));
    void app.perform([{ job: { patch: { spec: { parallelism } } } }]);
  };
  return group(
    'ui.powers.job',
    html`<form @submit=${scale}>
        <label>parallelism<input name="parallelism" type="number" min="0" max="100000" .value=${String(shown?.parallelism ?? 1)} required /></label>
        <button class="plain">${say('ui.powers.scale')}</button>
      </form>
      <button class="plain" @click=${() => void app.perform([{ job: { patch: { spec: { suspend } } } }])}>
        ${say(suspend ? 'ui.powers.suspend' : 'ui.powers.resume')}
      </button>
      ${['background', 'foreground', 'orphan'].map(
        (propagation) => html`<button class="plain" @click=${() => void app.perform([{ job: { delete: { propagation } } }])}>
          ${say('ui.powers.delete', { propagation })}
        </button>`,
      )}
      <form @submit=${(event: SubmitEvent) => patch(event, app)}>
        <label class="wide">${say('ui.powers.patch.label')}
          <input name="patch" spellcheck="false" autocomplete="off" placeholder='{"spec":{"backoffLimit":1}}' required />
        </label>
        <button class="plain">${say('ui.powers.patch')}</button>
      </form>`,
  );
}

function patch(event: SubmitEvent, app: App): void {
  event.preventDefault();
  try {
    const change = JSON.parse(field(new FormData(event.currentTarget as HTMLFormElement), 'patch')) as JsonValue;
    void app.perform([{ job: { patch: change } }]);
  } catch {
    app.notice(say('ui.powers.patch.bad'));
  }
}
