/** The foot of the page: virtual clock, stepping, and all decisions on one line of time. */
import { html, nothing, type TemplateResult } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PastDecision } from '../gen/PastDecision.ts';
import { clock, clockParts, clockText, spanFor, ticks } from '../model/scale.ts';
import { SPEEDS, type Deed, type State } from '../model/state.ts';
import { isOver } from '../model/update.ts';
import { say } from '../text.ts';
import { icon, type IconName } from './icons.ts';
import { actionIcon, actionTone } from './words.ts';

export function timeline(state: State, app: App): TemplateResult {
  return html`<section class="timeline" aria-label=${say('ui.timeline')}>${transport(state, app)} ${plot(state, app)}</section>`;
}

function transport(state: State, app: App): TemplateResult {
  const [whole, tenth] = clockParts(state.frame?.atMs ?? 0);
  const atStart = (state.frame?.step ?? 0) === 0;
  const over = isOver(state);
  return html`<div class="transport" role="toolbar" aria-label=${say('ui.stepping')}>
    <span class="clock num" aria-label=${say('ui.clock')} role="img" data-ms=${state.frame?.atMs ?? 0}>${whole}<i>${tenth}</i></span>
    <span class="grp">
      ${button('prev', 'ui.step.back', atStart, () => void app.back(), '')}
      ${button(state.playing ? 'pause' : 'play', state.playing ? 'ui.pause' : 'ui.play', over, () => app.togglePlay(), 'play')}
      ${button('next', 'ui.step.next', over, () => nextStep(app), '')}
    </span>
    <button class="ghost" aria-label=${say('ui.reset')} @click=${() => void app.reset()}>${icon('reset')}<span>${say('ui.reset')}</span></button>
    <label class="speed">
      <span class="dim">${say('ui.speed')}</span>
      <select aria-label=${say('ui.speed')} .value=${String(state.speed)} @change=${(event: Event) => setSpeed(app, event)}>
        ${SPEEDS.map((speed) => html`<option value=${String(speed)} ?selected=${speed === state.speed}>${say('ui.speed.times', { speed })}</option>`)}
      </select>
    </label>
    <span class="grow"></span>
    <span class="coming">${coming(state.frame)}</span>
  </div>`;
}

function nextStep(app: App): void {
  app.pause();
  void app.step();
}

function setSpeed(app: App, event: Event): void {
  const wanted = Number((event.target as HTMLSelectElement).value);
  const speed = SPEEDS.find((one) => one === wanted);
  if (speed !== undefined) app.setSpeed(speed);
}

type ButtonText = 'ui.step.back' | 'ui.step.next' | 'ui.play' | 'ui.pause';

/** Not `disabled`, which would drop the focus of whoever steps to the end by keyboard. */
function button(sign: IconName, text: ButtonText, off: boolean, act: () => void, extra: string): TemplateResult {
  const press = (): void => {
    if (!off) act();
  };
  return html`<button
    class="icon ${extra}"
    aria-label=${say(text)}
    title=${say(text)}
    aria-disabled=${off ? 'true' : 'false'}
    @click=${press}
  >
    ${icon(sign)}
  </button>`;
}

/** What comes next, or why nothing does. */
function coming(frame: Frame | null): TemplateResult | typeof nothing {
  if (frame === null) return nothing;
  if (frame.ended !== null) return html`<span>${frame.ended.text}</span>`;
  if (frame.ahead === null) return nothing;
  return html`<span class="dim">${say('ui.next')}</span> <b class="num">${clockText(frame.ahead.atMs)}</b> <span>${frame.ahead.text}</span>`;
}

function plot(state: State, app: App): TemplateResult {
  const { frame, known } = state;
  const now = (frame?.atMs ?? 0) / 1000;
  const last = Math.max(now, (known.at(-1)?.atMs ?? 0) / 1000, (frame?.ahead?.atMs ?? 0) / 1000);
  const span = spanFor(last);
  const style = styleMap({ '--span': String(span), '--now': String(now) });
  return html`<div
    class="tl"
    style=${style}
    role="slider"
    tabindex="0"
    aria-label=${say('ui.timeline.slider')}
    aria-valuemin="0"
    aria-valuemax=${known.length}
    aria-valuenow=${frame?.step ?? 0}
    aria-valuetext=${say('ui.timeline.value', { step: frame?.step ?? 0, time: clockText(frame?.atMs ?? 0) })}
    @keydown=${(event: KeyboardEvent) => slide(event, state, app)}
  >
    <span class="rowlab l1">${say('ui.timeline.deeds')}</span><span class="rowlab l2">${say('ui.timeline.decisions')}</span>
    <div class="plot" @click=${(event: MouseEvent) => pick(event, span, known, app)}>
      ${grid(span)}<i class="rail"></i><i class="rail past"></i>
      ${state.deeds.filter((deed) => deed.step <= (frame?.step ?? 0)).map(deedView)}
      ${known.map((one) => dot(one, frame?.step ?? 0))} ${flag(frame)}
      <i class="head" aria-hidden="true"></i>
    </div>
  </div>`;
}

function grid(span: number): TemplateResult {
  return html`<div class="grid" aria-hidden="true">
    ${ticks(span, 8).at.map((tick) => html`<i style=${styleMap({ '--t': String(tick) })}><span>${clock(tick)}</span></i>`)}
  </div>`;
}

function deedView(deed: Deed): TemplateResult {
  const text = deed.exitCode === null ? say(`ui.deed.${deed.action}`) : say('ui.pod.exit', { code: deed.exitCode });
  return html`<span class="inj ${actionTone(deed.action)}" style=${styleMap({ '--t': String(deed.atMs / 1000) })} title=${deed.pod}>
    ${icon(actionIcon(deed.action))}<em>${text}</em>
  </span>`;
}

function dot(one: PastDecision, now: number): TemplateResult {
  const place = one.step === now ? 'cur' : one.step > now ? 'ahead' : '';
  return html`<i class="dec ${one.wrote ? 'w' : ''} ${place}" style=${styleMap({ '--t': String(one.atMs / 1000) })}></i>`;
}

function flag(frame: Frame | null): TemplateResult | typeof nothing {
  if (frame?.ahead === null || frame?.ahead === undefined || frame.ended !== null) return nothing;
  const { atMs } = frame.ahead;
  return html`<i class="flag s-waiting" style=${styleMap({ '--t': String(atMs / 1000) })}>${icon('waiting')}${clock(atMs / 1000)}</i>`;
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
