/**
 * What a person may do to a pod. What is refused stays listed, with the reason.
 *
 * Invariant: which entries there are, and which are refused, comes from the engine. Focus moves in when
 * it opens and back to the pod when it closes (`focus.ts`).
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Frame } from '../gen/Frame.ts';
import type { PodActionFrame } from '../gen/PodActionFrame.ts';
import type { PodFrame } from '../gen/PodFrame.ts';
import type { State } from '../model/state.ts';
import { say } from '../text.ts';
import { moveInMenu } from './focus.ts';
import { icon } from './icons.ts';
import { actionIcon, actionTone, stateWord } from './words.ts';

export function podMenu(state: State, frame: Frame, app: App): TemplateResult | typeof nothing {
  const { menu } = state;
  const pod = menu === null ? undefined : frame.pods.findLast((one) => one.name === menu.pod);
  if (menu?.actions === null || menu === null || pod === undefined) return nothing;
  const why = new Set(menu.actions.map((one) => one.refused).filter((one) => one !== null));
  return html`<div
    class="podmenu"
    role="dialog"
    aria-label=${say('ui.menu.label', { name: pod.name })}
    data-for=${pod.name}
    @keydown=${(event: KeyboardEvent) => moveInMenu(event, () => app.closeMenu())}
  >
    <header>
      <b>${pod.name}</b>
      <span>${subtitle(pod)}</span>
      <button class="icon" aria-label=${say('ui.close')} @click=${() => app.closeMenu()}>${icon('close')}</button>
    </header>
    ${menu.actions.map((action) => entry(pod, action, app))}
    ${[...why].map((one) => html`<p class="why" id="why-${number(one, why)}">${one}</p>`)}
    ${menu.refused === null ? nothing : html`<p class="s-failed refused" role="alert">${menu.refused}</p>`}
  </div>`;

  function entry(of: PodFrame, one: PodActionFrame, at: App): TemplateResult {
    const reason = one.refused === null ? null : `why-${number(one.refused, why)}`;
    return one.action === 'fail' ? exitCode(of, one, reason, at) : plain(of, one, reason, at);
  }
}

/** The same reason is written once, below the entries. */
function number(reason: string, all: ReadonlySet<string>): number {
  return [...all].indexOf(reason) + 1;
}

function subtitle(pod: PodFrame): string {
  const place = pod.index === null ? say('ui.menu.attempt', { attempt: pod.attempt }) : say('ui.menu.index', { index: pod.index, attempt: pod.attempt });
  return `${place}, ${stateWord(pod.state)}`;
}

function plain(pod: PodFrame, one: PodActionFrame, reason: string | null, app: App): TemplateResult {
  const act = (): void => {
    if (reason === null) void app.inject(pod.name, one.action, null);
  };
  return html`<button
    class="entry ${actionTone(one.action)}"
    data-action=${one.action}
    aria-disabled=${reason === null ? 'false' : 'true'}
    aria-describedby=${reason ?? nothing}
    @click=${act}
  >
    ${icon(actionIcon(one.action))}${one.label}
  </button>`;
}

/** The number stands beside the button, for a button must not hold a field. */
function exitCode(pod: PodFrame, one: PodActionFrame, reason: string | null, app: App): TemplateResult {
  const refused = reason !== null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('code') as HTMLInputElement;
    if (!refused) void app.inject(pod.name, 'fail', field.valueAsNumber);
  };
  return html`<form class="entryline" @submit=${submit}>
    <button class="entry s-failed" data-action="fail" aria-disabled=${refused ? 'true' : 'false'} aria-describedby=${reason ?? nothing}>
      ${icon('failed')}${one.label}
    </button>
    <input name="code" type="number" min="1" max="255" step="1" required value="1" aria-label=${say('ui.menu.code')} ?disabled=${refused} />
  </form>`;
}
