/** The pods as a table: the same facts as the lanes, in words. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PodFrame } from '../gen/PodFrame.ts';
import { clockText } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { say } from '../text.ts';
import { icon } from './icons.ts';
import { viewSwitch } from './podsview.ts';
import { stateWord } from './words.ts';

const COLUMNS = ['name', 'index', 'try', 'state', 'exit', 'created', 'ended', 'finalizer'] as const;

/** As many pods are listed at a time. */
const PAGE = 100;

export function podTable(state: State, frame: Frame, app: App): TemplateResult {
  const from = Math.min(state.firstRow - (state.firstRow % PAGE), Math.max(0, frame.pods.length - 1));
  return html`<div class="lanes">
    ${viewSwitch(state, app)}
    <div class="tablewrap" tabindex="0" role="region" aria-label=${say('ui.table.label')}>
      <table>
        <thead>
          <tr>${COLUMNS.map((name) => html`<th scope="col">${say(`ui.table.${name}`)}</th>`)}</tr>
        </thead>
        <tbody>${frame.pods.slice(from, from + PAGE).map((pod) => row(pod, app))}</tbody>
      </table>
    </div>
    ${frame.pods.length <= PAGE ? '' : pager(from, frame.pods.length, app)}
  </div>`;
}

function row(pod: PodFrame, app: App): TemplateResult {
  return html`<tr data-state=${pod.state}>
    <th scope="row">
      <button class="text" data-pod=${pod.name} aria-haspopup="dialog" @click=${() => void app.openMenu(pod.name)}>${pod.name}</button>
    </th>
    <td class="num">${pod.index ?? ''}</td>
    <td class="num">${pod.attempt}</td>
    <td class="s-${pod.state}"><span class="st">${icon(pod.state)}${stateWord(pod.state)}</span></td>
    <td class="num">${pod.exitCode ?? ''} ${pod.reason ?? ''}</td>
    <td class="num">${clockText(pod.createdMs)}</td>
    <td class="num">${pod.endedMs === null ? '' : clockText(pod.endedMs)}</td>
    <td>${finalizer(pod)}</td>
  </tr>`;
}

function finalizer(pod: PodFrame): string {
  if (pod.goneMs !== null) return say('ui.pod.goneAt', { time: clockText(pod.goneMs) });
  const words = say(pod.trackingFinalizer ? 'ui.pod.finalizerOn' : 'ui.pod.finalizerOff');
  return pod.uncounted ? `${words}, ${say('ui.pod.uncounted')}` : words;
}

function pager(from: number, total: number, app: App): TemplateResult {
  const button = (text: 'ui.table.previous' | 'ui.table.next', to: number, off: boolean): TemplateResult =>
    html`<button class="plain" aria-disabled=${off ? 'true' : 'false'} @click=${() => { if (!off) app.scrollTo(to); }}>${say(text)}</button>`;
  return html`<p class="pager">
    ${button('ui.table.previous', from - PAGE, from === 0)}
    <span class="num">${say('ui.table.range', { from: from + 1, to: Math.min(total, from + PAGE), total })}</span>
    ${button('ui.table.next', from + PAGE, from + PAGE >= total)}
  </p>`;
}
