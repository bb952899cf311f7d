/** Pods as boxes on virtual time: a row for each index or attempt. */
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { styleMap } from 'lit/directives/style-map.js';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PodFrame } from '../gen/PodFrame.ts';
import { layOut, rowAt, type Box, type Row } from '../model/lanes.ts';
import { clock, clockText, spanFor, ticks } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { say } from '../text.ts';
import { box } from './box.ts';
import { icon } from './icons.ts';
import { moveInGrid } from './focus.ts';
import { legend, viewSwitch } from './podsview.ts';
import { stateWord } from './words.ts';

export function lanes(state: State, frame: Frame, app: App): TemplateResult {
  const { rows, above, below, total } = layOut(frame, state.firstRow);
  const now = frame.atMs / 1000;
  const span = spanFor(now);
  const { step } = ticks(span, 6);
  const stop = focusStop(state, frame);
  return html`<div class="lanes" style=${styleMap({ '--span': String(span), '--now': String(now), '--tick': String(step) })}>
      ${viewSwitch(state, app)} ${axis(span, now, frame.atMs)}
      <div class="nowline" aria-hidden="true"></div>
      ${rows.length === 0
        ? html`<p class="empty">${say('ui.pods.none')}</p>`
        : html`<div
            role="grid"
            aria-label=${say('ui.lanes.label')}
            aria-rowcount=${total}
            data-grid
            style=${styleMap({ 'padding-top': `${above}px`, 'padding-bottom': `${below}px` })}
            @keydown=${moveInGrid}
          >
            ${repeat(
              rows,
              (row) => row.label,
              (row) => lane(row, frame, { stop, span }, app),
            )}
          </div>`}
    </div>
    ${legend()}`;
}

/** Keeps the window of rows where the person looks, whatever part of the page scrolls. */
export function watchScroll(app: App): void {
  const look = (): void => {
    const { frame } = app.state;
    const grid = document.querySelector('[data-grid]');
    if (frame === null || grid === null) return;
    const hidden = Math.max(0, -grid.getBoundingClientRect().top);
    const first = Math.max(0, rowAt(frame, hidden) - OVERSCAN);
    app.scrollTo(first - (first % OVERSCAN));
  };
  addEventListener('scroll', look, { capture: true, passive: true });
}

/** Rows that are drawn above what can be seen. */
const OVERSCAN = 12;

/** The lanes are one stop of the Tab key: the pod last stood on, else the newest. */
function focusStop(state: State, frame: Frame): string | null {
  const known = frame.pods.some((pod) => pod.name === state.focusPod);
  return known ? state.focusPod : (frame.pods.at(-1)?.name ?? null);
}

function axis(span: number, now: number, nowMs: number): TemplateResult {
  const { at } = ticks(span, 6);
  // Under the tag of the present moment no other label is readable.
  const free = at.filter((tick) => Math.abs(tick - now) > span * 0.08 && tick < span * 0.98);
  return html`<div class="axis" aria-hidden="true">
    ${free.map((tick) => html`<span style=${styleMap({ '--t': String(tick) })}>${clock(tick)}</span>`)}
    <span class="nowtag num" style=${styleMap({ '--t': String(now) })}>${clockText(nowMs)}</span>
  </div>`;
}

/** What every lane needs: the pod that the Tab key stops at, and the seconds drawn. */
interface Common {
  readonly stop: string | null;
  readonly span: number;
}

function lane(row: Row, frame: Frame, { stop, span }: Common, app: App): TemplateResult {
  return html`<div role="row" class="lane" style=${styleMap({ '--lines': String(row.lines) })} data-row=${row.label}>
    <div class="lh" role="rowheader">
      <b>${row.label}</b>
      ${row.boxes.length === 0
        ? html`<span class="st none" style="--line:0">${say('ui.lanes.notStarted')}</span>`
        : newestByLine(row.boxes).map((one) => rowState(one, frame.job?.indexed === true))}
    </div>
    <div class="track" role="gridcell">
      ${repeat(
        row.boxes,
        (one) => one.pod.name,
        (one) => box(one, one.pod.name === stop, span, app),
      )}
    </div>
  </div>`;
}

/** One state for each line of the row: that of the newest pod on it. */
function newestByLine(boxes: readonly Box[]): readonly Box[] {
  const byLine = new Map(boxes.map((one) => [one.line, one]));
  return [...byLine.values()];
}

function rowState(one: Box, indexed: boolean): TemplateResult {
  const { pod } = one;
  return html`<span class="st s-${pod.state}" style=${styleMap({ '--line': String(one.line) })}>
    <span>${icon(pod.state)}${stateWord(pod.state)}</span>
    <small>${small(pod, indexed)}</small>
  </span>`;
}

function small(pod: PodFrame, indexed: boolean): string {
  if (pod.goneMs !== null) return say('ui.pod.gone');
  if (pod.uncounted) return say('ui.pod.uncounted');
  return indexed ? say('ui.pod.try', { attempt: pod.attempt }) : '';
}
