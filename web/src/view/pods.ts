/** The middle column: what the example teaches, what is not acted on, the sums, and the pods. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { NoticeFrame } from '../gen/NoticeFrame.ts';
import { clockText } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { presetLesson, presetTitle, say } from '../text.ts';
import { icon, type IconName } from './icons.ts';
import { lanes } from './lanes.ts';
import { podMenu } from './podmenu.ts';
import { podTable } from './podtable.ts';

export function pods(state: State, app: App): TemplateResult {
  return html`<section class="pods" aria-label=${say('ui.pods')}>
    <div class="lesson" data-preset=${state.preset} ?data-ready=${state.played === state.text}>
      <h1>${presetTitle(state.preset)}</h1>
      <p>${presetLesson(state.preset)}</p>
      ${state.preset === 'indexed' && state.sheet !== 'tour' ? html`<button class="text" @click=${() => app.show('tour')}>${say('ui.tour.start')}</button>` : nothing}
    </div>
    ${state.frame === null ? html`<p class="empty">${say('ui.pods.nothing')}</p>` : moment(state, state.frame, app)}
  </section>`;
}

function moment(state: State, frame: Frame, app: App): TemplateResult {
  return html`
    ${notices(frame.notices)} ${ledger(frame)} ${state.podsView === 'lanes' ? lanes(state, frame, app) : podTable(state, frame, app)}
    ${podMenu(state, frame, app)} ${eventList(frame)}
  `;
}

/** More Events than this are not listed; the newest say most. */
const MOST_EVENTS = 30;

function eventList(frame: Frame): TemplateResult | typeof nothing {
  const newest = frame.events.slice(-MOST_EVENTS).toReversed();
  if (newest.length === 0) return nothing;
  return html`<section class="eventlist" aria-label=${say('ui.events')}>
    <h2>${say('ui.events')} <span class="dim num">${frame.events.length}</span></h2>
    <ol>
      ${newest.map(
        (event) => html`<li class=${event.type === 'Warning' ? 's-failed' : ''}>
          <span class="num dim">${clockText(event.atMs)}</span><b>${event.reason}</b><span>${event.message}</span>
        </li>`,
      )}
    </ol>
  </section>`;
}

function notices(all: readonly NoticeFrame[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<ul class="notices s-waiting" aria-label=${say('ui.notices')}>
    ${all.map(
      (notice) => html`<li>
        ${icon('hint')}
        <span><code>${notice.field}</code> <span class="dim">${say('ui.line', { line: notice.line })}</span> ${notice.text}</span>
      </li>`,
    )}
  </ul>`;
}

function ledger(frame: Frame): TemplateResult {
  const sums = frame.ledger;
  const completions = frame.job?.completions ?? null;
  return html`<div class="ledger">
    <dl>
      ${sum('succeeded', 'succeeded', sums.succeeded, uncounted(sums.succeededUncounted), completions === null ? null : say('ui.ledger.of', { count: completions }))}
      ${sum('failed', 'failed', sums.failed, uncounted(sums.failedUncounted), sums.backoffLimit === null ? null : say('ui.ledger.limit', { count: sums.backoffLimit }))}
      ${sum('active', 'ready', sums.active, null, say('ui.ledger.ready', { count: sums.ready }))}
      ${sum('terminating', 'terminating', sums.terminating, null, null)}
    </dl>
    ${frame.job === null ? html`<p class="phase">${say('ui.job.gone')}</p>` : phase(frame)}
  </div>
  ${conditions(frame)}`;
}

/** The words that `kubectl get jobs` prints. */
function phase(frame: Frame): TemplateResult {
  const job = frame.job;
  const tones: Readonly<Record<string, string>> = { Complete: 's-succeeded', Failed: 's-failed' };
  const tone = tones[job?.phase ?? ''] ?? 's-pending';
  return html`<p class="phase ${tone}" data-phase=${job?.phase ?? ''}>
    <b>${job?.phase}</b><span class="num dim">${job?.completionsColumn}</span>
  </p>`;
}

/** The conditions of the Job, in their order, each with when and why. */
function conditions(frame: Frame): TemplateResult | typeof nothing {
  const all = frame.job?.conditions ?? [];
  if (all.length === 0) return nothing;
  return html`<ul class="conditions" aria-label=${say('ui.conditions')}>
    ${all.map(
      (one) => html`<li data-condition=${one.type} data-status=${one.status} data-reason=${one.reason} title=${one.message}>
        ${one.status === 'True' ? icon('succeeded') : icon('close')}<b>${one.type}</b>
        <span class="num dim">${clockText(one.atMs)}</span> <span>${one.reason}</span>
      </li>`,
    )}
  </ul>`;
}

function uncounted(count: number): string | null {
  return count === 0 ? null : say('ui.ledger.uncounted', { count });
}

type SumName = 'succeeded' | 'failed' | 'active' | 'terminating';

function sum(name: SumName, sign: IconName, value: number, plus: string | null, of: string | null): TemplateResult {
  return html`<div class="s-${sign}" data-sum=${name}>
    <dt>${icon(sign)}${say(`ui.ledger.${name}`)}</dt>
    <dd>
      <b>${value}</b>${plus === null ? nothing : html`<span class="plus s-uncounted">${plus}</span>`}
      ${of === null ? nothing : html`<span class="of">${of}</span>`}
    </dd>
  </div>`;
}
