/** One pod as a box, with the note below it. */
import { html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { styleMap } from 'lit/directives/style-map.js';
import type { App } from '../app.ts';
import type { PodFrame } from '../gen/PodFrame.ts';
import type { Box, Part } from '../model/lanes.ts';
import { clock } from '../model/scale.ts';
import { say } from '../text.ts';
import { icon } from './icons.ts';
import { podLabel, suffix } from './words.ts';

export function box(one: Box, isStop: boolean, span: number, app: App): TemplateResult {
  const { pod } = one;
  const place = { '--a': seconds(one.from), '--b': seconds(one.to), '--line': String(one.line) };
  const classes = { att: true, live: one.live, gone: pod.goneMs !== null };
  return html`<button
      class=${classMap(classes)}
      style=${styleMap(place)}
      tabindex=${isStop ? '0' : '-1'}
      aria-haspopup="dialog"
      title=${pod.name}
      data-pod=${pod.name}
      data-state=${pod.state}
      @click=${() => void app.openMenu(pod.name)}
      @focus=${() => app.focusPod(pod.name)}
    >
      <span class="vh">${podLabel(pod)}</span>${segments(one)} ${cap(pod)}
    </button>
    ${one.held === null
      ? nothing
      : html`<i
          class="tail s-uncounted"
          style=${styleMap({ '--a': seconds(one.held.from), '--b': seconds(one.held.to), '--line': String(one.line) })}
        ></i>`}
    ${note(pod, one, span)}`;
}

function seconds(ms: number): string {
  return String(ms / 1000);
}

function segments(one: Box): TemplateResult[] {
  const longest = one.parts.reduce<Part | null>((best, part) => (best !== null && length(best) >= length(part) ? best : part), null);
  const last = one.parts.at(-1);
  return one.parts.map(
    (part) => html`<i class="seg s-${part.state}" aria-hidden="true" style=${styleMap({ '--d': String(Math.max(1, length(part))) })}>
      ${part === last && one.live ? icon(part.state) : nothing}
      ${part === longest ? html`<span>${suffix(one.pod.name)}</span>` : nothing}
    </i>`,
  );
}

function length(part: Part): number {
  return part.to - part.from;
}

function cap(pod: PodFrame): TemplateResult | typeof nothing {
  if (pod.state !== 'succeeded' && pod.state !== 'failed') return nothing;
  const code = pod.state === 'failed' && pod.exitCode !== null ? pod.exitCode : nothing;
  return html`<i class="cap s-${pod.state}" aria-hidden="true">${icon(pod.state)}${code}</i>`;
}

function note(pod: PodFrame, one: Box, span: number): TemplateResult | typeof nothing {
  const words = noteWords(pod);
  if (pod.endedMs === null && words.length === 0) return nothing;
  // Near the right edge the note ends with its box, or it would leave the track.
  const atEdge = one.from / 1000 > span * 0.6;
  const place = styleMap({
    '--a': seconds(atEdge ? Math.max(one.to, one.held?.to ?? 0) : one.from),
    '--room': one.next === null || atEdge ? null : seconds(one.next - one.from),
    '--line': String(one.line),
  });
  const classes = classMap({ note: true, 's-failed': pod.state === 'failed', end: atEdge });
  const lock = pod.endedMs === null || pod.goneMs !== null ? nothing : finalizer(pod);
  return html`<span class=${classes} style=${place}>
    <span>${words.join(' · ')}</span>${lock}
    ${pod.uncounted ? html`<span class="tag s-uncounted">${say('ui.pod.uncounted')}</span>` : nothing}
  </span>`;
}

function noteWords(pod: PodFrame): readonly string[] {
  const words: string[] = [];
  if (pod.exitCode !== null) words.push(say('ui.pod.exit', { code: pod.exitCode }));
  if (pod.reason !== null) words.push(pod.reason);
  if (pod.restarts > 0) words.push(say('ui.pod.restarts', { count: pod.restarts }));
  if (pod.deletedMs !== null) words.push(say('ui.pod.deletedAt', { time: clock(pod.deletedMs / 1000) }));
  if (pod.goneMs !== null) words.push(say('ui.pod.goneAt', { time: clock(pod.goneMs / 1000) }));
  return words;
}

function finalizer(pod: PodFrame): TemplateResult {
  const on = pod.trackingFinalizer;
  return html`<span class="lock">${icon(on ? 'lock' : 'unlock')}<span>${say(on ? 'ui.pod.finalizerOn' : 'ui.pod.finalizerOff')}</span></span>`;
}
