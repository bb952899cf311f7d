/**
 * The guided tour: places of the page, one after the other; each is framed and explained in two lines.
 *
 * Invariant: it only points; the page stays usable beside it. The card stands where it hides nothing that it speaks of.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { State } from '../model/state.ts';
import { say, type TextId } from '../text.ts';
import { icon } from './icons.ts';

interface Stop {
  /** What is framed. */
  readonly place: string;
  readonly title: TextId;
  readonly text: TextId;
}

const STOPS: readonly Stop[] = [
  { place: '.editor', title: 'ui.tour.job.title', text: 'ui.tour.job.text' },
  { place: '.timeline', title: 'ui.tour.step.title', text: 'ui.tour.step.text' },
  { place: '.pods', title: 'ui.tour.pods.title', text: 'ui.tour.pods.text' },
  { place: '.decisions', title: 'ui.tour.decision.title', text: 'ui.tour.decision.text' },
  { place: '.transport', title: 'ui.tour.wrong.title', text: 'ui.tour.wrong.text' },
  { place: '.top', title: 'ui.tour.share.title', text: 'ui.tour.share.text' },
];

export function tour(state: State, app: App): TemplateResult | typeof nothing {
  const stop = STOPS[state.tourStop];
  if (state.sheet !== 'tour' || stop === undefined) return nothing;
  const last = state.tourStop === STOPS.length - 1;
  return html`<section class="tourcard" role="dialog" aria-label=${say('ui.tour')} tabindex="-1" data-stop=${state.tourStop}>
    <header>
      <b>${say(stop.title)}</b><span class="dim num">${state.tourStop + 1} / ${STOPS.length}</span>
      <button class="icon" aria-label=${say('ui.close')} @click=${() => app.show(null)}>${icon('close')}</button>
    </header>
    <p>${say(stop.text)}</p>
    <div class="row">
      <button class="plain" aria-disabled=${state.tourStop === 0 ? 'true' : 'false'} @click=${() => app.tourTo(Math.max(0, state.tourStop - 1))}>
        ${say('ui.tour.back')}
      </button>
      <button class="primary" data-next @click=${() => (last ? app.show(null) : app.tourTo(state.tourStop + 1))}>
        ${say(last ? 'ui.tour.go' : 'ui.tour.next')}
      </button>
    </div>
  </section>`;
}

let framed: Element | null = null;
let shownStop = -1;

/** After each drawing: frame the place of the stop, put the card beside it, and the focus on its button. */
export function afterTour(state: State): void {
  framed?.classList.remove('toured');
  const stop = state.sheet === 'tour' ? STOPS[state.tourStop] : undefined;
  framed = stop === undefined ? null : document.querySelector(stop.place);
  framed?.classList.add('toured');
  const card = document.querySelector<HTMLElement>('.tourcard');
  if (card === null || framed === null) {
    shownStop = -1;
    return;
  }
  place(card, framed.getBoundingClientRect());
  if (shownStop === state.tourStop) return;
  shownStop = state.tourStop;
  card.querySelector<HTMLElement>('[data-next]')?.focus();
}

/** Above, below or beside what is framed, whichever has room. */
function place(card: HTMLElement, area: DOMRect): void {
  const gap = 12;
  const { offsetWidth: width, offsetHeight: height } = card;
  const fits = (left: number, top: number): boolean => left >= gap && top >= gap && left + width <= innerWidth - gap && top + height <= innerHeight - gap;
  const middle = Math.min(Math.max(gap, area.top + 60), innerHeight - height - gap);
  const places = [
    [area.right + gap, middle],
    [area.left - width - gap, middle],
    [area.left + 24, area.top - height - gap],
    [Math.max(gap, area.right - width - 24), area.bottom + gap],
  ] as const;
  const [left, top] = places.find(([x, y]) => fits(x, y)) ?? [(innerWidth - width) / 2, (innerHeight - height) / 2];
  card.style.left = `${left}px`;
  card.style.top = `${top}px`;
}
