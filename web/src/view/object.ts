/** The stored Job as `kubectl get job -o yaml` prints it, or only its status, with what the last move changed. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { ObjectView, State } from '../model/state.ts';
import { statusLines, type StatusLine } from '../model/status.ts';
import { say } from '../text.ts';

export function objectView(state: State, app: App): TemplateResult {
  const job = state.frame?.job ?? null;
  const whole = state.objectView === 'whole';
  const [now, before] = whole ? [job?.object, state.before?.object] : [job?.status, state.before?.status];
  const lines = now === undefined ? [] : statusLines(now, before ?? null);
  return html`<section class="status" aria-label=${say('ui.status')} tabindex="0">
    <div class="statushead">
      <h2>${say('ui.status')} <span class="dim">${job === null ? say('ui.status.none') : job.name}</span></h2>
      <span class="seg2" role="group" aria-label=${say('ui.object')}>${viewButton('status', state, app)} ${viewButton('whole', state, app)}</span>
    </div>
    ${whole ? html`<p class="cmd"><code>kubectl get job ${job?.name ?? ''} -o yaml</code></p>` : nothing}
    <div class="code">${lines.length === 0 && job !== null ? html`<p class="dim">${say('ui.status.empty')}</p>` : nothing}
      ${lines.map(statusLine)}</div>
  </section>`;
}

function viewButton(view: ObjectView, state: State, app: App): TemplateResult {
  return html`<button aria-pressed=${state.objectView === view ? 'true' : 'false'} @click=${() => app.chooseObjectView(view)}>
    ${say(`ui.object.${view}`)}
  </button>`;
}

function statusLine(line: StatusLine): TemplateResult {
  const changed = line.before !== null;
  const old = line.before === null || line.before === '' ? nothing : html`<del>${line.before}</del> `;
  const value = changed ? html`${old}<ins>${line.value}</ins>` : html`<em>${line.value}</em>`;
  return html`<div class="ln ${changed ? 'chg' : ''}" style="--depth:${line.depth}">
    <b>${line.key}</b>${line.value === null ? ':' : html`${line.key === '- ' ? '' : ': '}${value}`}
  </div>`;
}
