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

export function podTable(state: State, frame: Frame, app: App): TemplateResult {
  return html`<div class="lanes">
    ${viewSwitch(state, app)}
    <div class="tablewrap" tabindex="0" role="region" aria-label=${say('ui.table.label')}>
      <table>
        <thead>
          <tr>${COLUMNS.map((name) => html`<th scope="col">${say(`ui.table.${name}`)}</th>`)}</tr>
        </thead>
        <tbody>${frame.pods.map((pod) => row(pod, app))}</tbody>
      </table>
    </div>
  </div>`;
}

function row(pod: PodFrame, app: App): TemplateResult {
  return html`<tr data-state=${pod.state}>
    <th scope="row">
      <button class="text" data-pod=${pod.name} aria-haspopup="dialog" @click=${() => app.openMenu(pod.name)}>${pod.name}</button>
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
