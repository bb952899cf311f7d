/** The foot of the page: what was done, all decisions, waits and marks on one line of time; below it the other branch. */
import { html, nothing, type TemplateResult } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { MarkFrame } from '../gen/MarkFrame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import type { Deed } from '../model/deed.ts';
import { clock, clockText, spanFor, ticks } from '../model/scale.ts';
import type { Branch, State } from '../model/state.ts';
import { isOver } from '../model/update.ts';
import { say } from '../text.ts';
import { icon, type IconName } from './icons.ts';
import { nextStep, transport } from './transport.ts';
import { deedLook } from './words.ts';

/** More dots than this are thinned out: they would cover each other. */
const MOST_DOTS = 240;

export function timeline(state: State, app: App): TemplateResult {
  return html`<section class="timeline" aria-label=${say('ui.timeline')}>${transport(state, app)} ${plot(state, app)} ${branchBar(state, app)}</section>`;
}

/** Until when the line is drawn: what is known, what comes, and a deadline that is not too far. */
function lastOf(state: State): number {
  const { frame, known, other } = state;
  const now = frame?.atMs ?? 0;
  const sure = Math.max(now, known.at(-1)?.atMs ?? 0, frame?.ahead?.atMs ?? 0, other?.known.at(-1)?.atMs ?? 0);
  const marks = (frame?.marks ?? []).map((mark) => mark.atMs).filter((at) => at <= Math.max(sure * 2.5, 30_000));
  return Math.max(sure, ...marks) / 1000;
}

function plot(state: State, app: App): TemplateResult {
  const { frame, known } = state;
  const now = (frame?.atMs ?? 0) / 1000;
  const span = spanFor(lastOf(state));
  const style = styleMap({ '--span': String(span), '--now': String(now) });
  const step = frame?.step ?? 0;
  return html`<div
    class="tl ${state.other === null ? '' : 'two'}"
    style=${style}
    role="slider"
    tabindex="0"
    aria-label=${say('ui.timeline.slider')}
    aria-valuemin="0"
    aria-valuemax=${known.length}
    aria-valuenow=${step}
    aria-valuetext=${say('ui.timeline.value', { step, time: clockText(frame?.atMs ?? 0) })}
    data-write=${state.write}
    @keydown=${(event: KeyboardEvent) => slide(event, state, app)}
  >
    <span class="rowlab l1">${say('ui.timeline.deeds')}</span><span class="rowlab l2">${say('ui.timeline.decisions')}</span>
    <div class="plot" @click=${(event: MouseEvent) => pick(event, span, known, app)}>
      ${grid(span)}<i class="rail"></i><i class="rail past"></i>
      ${known.filter((one) => one.backoffUntilMs !== null).map(wait)}
      ${state.deeds.map((deed) => deedView(deed, step))}
      ${thinned(known, step).map((one) => dot(one, step, state.field))} ${marks(frame, span)}
      ${state.other === null ? nothing : thinned(state.other.known, 0).map(ghostDot)}
      <i class="head" aria-hidden="true"></i>
    </div>
  </div>`;
}

function thinned(known: readonly PastDecision[], keep: number): readonly PastDecision[] {
  const every = Math.ceil(known.length / MOST_DOTS);
  return every <= 1 ? known : known.filter((one) => one.step % every === 0 || one.step === keep);
}

function grid(span: number): TemplateResult {
  return html`<div class="grid" aria-hidden="true">
    ${ticks(span, 8).at.map((tick) => html`<i style=${styleMap({ '--t': String(tick) })}><span>${clock(tick)}</span></i>`)}
  </div>`;
}

function deedView(deed: Deed, step: number): TemplateResult {
  const { word, sign, tone } = deedLook(deed);
  const ahead = deed.at.step > step ? 'ahead' : '';
  return html`<span class="inj ${tone} ${ahead}" style=${styleMap({ '--t': String(deed.atMs / 1000) })} title=${word}>
    ${icon(sign)}<em>${word}</em>
  </span>`;
}

/** A wait for a back-off, as a dashed line of its own row. */
function wait(one: PastDecision): TemplateResult {
  const until = (one.backoffUntilMs ?? one.atMs) / 1000;
  return html`<i class="wait s-waiting" style=${styleMap({ '--a': String(one.atMs / 1000), '--b': String(until) })}></i>`;
}

function dot(one: PastDecision, now: number, field: string | null): TemplateResult {
  const place = one.step === now ? 'cur' : one.step > now ? 'ahead' : '';
  const lit = field !== null && one.fields.includes(field) ? 'lit' : '';
  return html`<i class="dec ${one.wrote ? 'w' : ''} ${place} ${lit}" style=${styleMap({ '--t': String(one.atMs / 1000) })}></i>`;
}

function ghostDot(one: PastDecision): TemplateResult {
  return html`<i class="dec ghost" style=${styleMap({ '--t': String(one.atMs / 1000) })}></i>`;
}

const MARK_SIGNS: Readonly<Record<string, IconName>> = { deadline: 'timer', backoff: 'waiting', ttl: 'delete', retry: 'reset' };

/** Moments to come: what the engine marks, and what happens next if that is none of them. */
function marks(frame: Frame | null, span: number): readonly TemplateResult[] {
  if (frame?.ended !== null) return [];
  const near = frame.marks.filter((mark) => mark.atMs / 1000 <= span);
  const ahead = [frame.ahead].flatMap((one) => (one === null ? [] : [one.atMs]));
  const next = ahead.filter((atMs) => near.every((mark) => mark.atMs !== atMs));
  return [...near.map((mark) => flag(mark, span)), ...next.map((atMs) => flag({ kind: 'next', atMs, text: '' }, span))];
}

function flag(mark: MarkFrame, span: number): TemplateResult {
  const end = mark.atMs / 1000 > span * 0.86 ? 'end' : '';
  const tone = mark.kind === 'deadline' ? 's-failed' : 's-waiting';
  return html`<i class="flag ${tone} ${end}" data-mark=${mark.kind} style=${styleMap({ '--t': String(mark.atMs / 1000) })} title=${mark.text}>
    ${icon(MARK_SIGNS[mark.kind] ?? 'waiting')}<em>${mark.text} ${clock(mark.atMs / 1000)}</em>
  </i>`;
}

/** The other way, and what may be done with it. */
function branchBar(state: State, app: App): TemplateResult | typeof nothing {
  const { other } = state;
  if (other === null) return nothing;
  return html`<div class="branches" role="group" aria-label=${say('ui.branches')}>
    <b>${say('ui.branch', { name: state.branch })}</b>
    <span class="dim">${say('ui.branch.other', { name: other.name, count: other.known.length, deeds: deedWords(other) })}</span>
    <span class="grow"></span>
    <button class="plain" @click=${() => void app.switchBranch()}>${say('ui.branch.switch', { name: other.name })}</button>
    <button class="plain" @click=${() => void app.compare()}>${say('ui.compare')}</button>
    <button class="plain" @click=${() => app.dropOther()}>${say('ui.branch.drop', { name: other.name })}</button>
  </div>`;
}

export function deedWords(branch: Pick<Branch, 'deeds'>): string {
  const words = branch.deeds.map((deed) => deedLook(deed).word);
  return words.length === 0 ? say('ui.branch.untouched') : words.slice(-3).join(', ');
}

function slide(event: KeyboardEvent, state: State, app: App): void {
  const step = state.frame?.step ?? 0;
  if (event.key === 'ArrowLeft' && step > 0) void app.back();
  else if (event.key === 'ArrowRight' && !isOver(state)) nextStep(app);
  else if (event.key === 'Home') void app.seek(0);
  else if (event.key === 'End') void app.seek(state.known.length);
  else return;
  event.preventDefault();
}

/** A click goes to the decision that stands nearest. */
function pick(event: MouseEvent, span: number, known: readonly PastDecision[], app: App): void {
  const area = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const at = ((event.clientX - area.left) / area.width) * span * 1000;
  const nearest = known.reduce<PastDecision | null>(
    (best, one) => (best !== null && Math.abs(best.atMs - at) <= Math.abs(one.atMs - at) ? best : one),
    null,
  );
  if (nearest !== null) void app.seek(nearest.step);
}
