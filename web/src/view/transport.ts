/** The buttons of the foot: virtual clock, stepping, and what goes wrong on purpose. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import { clockParts, clockText } from '../model/scale.ts';
import { placeOf, SPEEDS, type State } from '../model/state.ts';
import { isOver } from '../model/update.ts';
import { say, type TextId } from '../text.ts';
import { icon, type IconName } from './icons.ts';

export function transport(state: State, app: App): TemplateResult {
  const [whole, tenth] = clockParts(state.frame?.atMs ?? 0);
  const place = placeOf(state);
  const atStart = place.step === 0 && place.write === 0;
  const over = isOver(state);
  return html`<div class="transport" role="toolbar" aria-label=${say('ui.stepping')}>
    <span class="clock num" aria-label=${say('ui.clock')} role="img" data-ms=${state.frame?.atMs ?? 0}>${whole}<i>${tenth}</i></span>
    <span class="grp">
      ${button('prev', 'ui.step.back', atStart, () => void app.back(), '')}
      ${button(state.playing ? 'pause' : 'play', state.playing ? 'ui.pause' : 'ui.play', over, () => app.togglePlay(), 'play')}
      ${button('next', 'ui.step.next', over, () => nextStep(app), '')}
    </span>
    <span class="grp">
      ${ghost('write', 'ui.step.write', '⇧.', over, () => void app.stepWrite())}
      ${ghost('timer', 'ui.step.timer', 'N', over, () => void app.stepTimer())}
      ${ghost('fork', 'ui.fork', 'F', state.frame === null, () => app.fork())}
      ${ghost('crash', 'ui.crash', 'X', state.frame === null, () => void app.crash())}
      <button
        class="ghost"
        aria-expanded=${state.sheet === 'powers' ? 'true' : 'false'}
        aria-label=${say('ui.powers')}
        aria-keyshortcuts="I"
        @click=${() => app.toggleSheet('powers')}
      >${icon('hand')}<span>${say('ui.powers')}</span></button>
      ${ghost('undo', 'ui.undo', 'U', state.deeds.length === 0, () => void app.undo())}
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
    <span class="stays dim" title=${say('ui.stays.long')}>${icon('lock')}${say('ui.stays')}</span>
  </div>`;
}

export function nextStep(app: App): void {
  app.pause();
  void app.step();
}

function setSpeed(app: App, event: Event): void {
  const wanted = Number((event.target as HTMLSelectElement).value);
  const speed = SPEEDS.find((one) => one === wanted);
  if (speed !== undefined) app.setSpeed(speed);
}

/** Not `disabled`, which would drop the focus of whoever steps to the end by keyboard. */
function button(sign: IconName, text: TextId, off: boolean, act: () => void, extra: string): TemplateResult {
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

function ghost(sign: IconName, text: TextId, key: string, off: boolean, act: () => void): TemplateResult {
  const press = (): void => {
    if (!off) act();
  };
  return html`<button class="ghost" aria-label=${say(text)} title="${say(text)} (${key})" aria-disabled=${off ? 'true' : 'false'} @click=${press}>
    ${icon(sign)}<span>${say(text)}</span>
  </button>`;
}

/** What comes next, or why nothing does. */
function coming(frame: Frame | null): TemplateResult | typeof nothing {
  if (frame === null) return nothing;
  if (frame.ended !== null) return html`<span>${frame.ended.text}</span>`;
  if (frame.ahead === null) return nothing;
  return html`<span class="dim">${say('ui.next')}</span> <b class="num">${clockText(frame.ahead.atMs)}</b> <span>${frame.ahead.text}</span>`;
}
