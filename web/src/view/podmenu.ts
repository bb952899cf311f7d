/**
 * What a person may do to a pod. What is refused stays listed, with the reason.
 *
 * Invariant: which entries there are, and which are refused, comes from the frame. Focus moves in when
 * it opens and back to the pod when it closes (`focus.ts`).
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { PodAction } from '../engine/protocol.ts';
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
  const pod = menu === null ? undefined : frame.pods.find((one) => one.name === menu.pod);
  if (menu === null || pod === undefined) return nothing;
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
    ${pod.actions.map((action) => entry(pod, action, app))}
    ${menu.refused === null ? nothing : html`<p class="s-failed refused" role="alert">${menu.refused}</p>`}
  </div>`;
}

function subtitle(pod: PodFrame): string {
  const place = pod.index === null ? say('ui.menu.attempt', { attempt: pod.attempt }) : say('ui.menu.index', { index: pod.index, attempt: pod.attempt });
  return `${place}, ${stateWord(pod.state)}`;
}

function entry(pod: PodFrame, one: PodActionFrame, app: App): TemplateResult {
  if (one.action === 'fail') return exitCode(pod, one, app);
  const act = (): void => {
    if (one.refused === null) void app.inject(pod.name, one.action as PodAction, null);
  };
  return html`<button
      class="entry ${actionTone(one.action)}"
      data-action=${one.action}
      aria-disabled=${one.refused === null ? 'false' : 'true'}
      aria-describedby=${one.refused === null ? nothing : `why-${one.action}`}
      @click=${act}
    >
      ${icon(actionIcon(one.action))}${one.label}
    </button>
    ${why(one)}`;
}

/** The number stands beside the button, for a button must not hold a field. */
function exitCode(pod: PodFrame, one: PodActionFrame, app: App): TemplateResult {
  const refused = one.refused !== null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('code') as HTMLInputElement;
    if (!refused) void app.inject(pod.name, 'fail', field.valueAsNumber);
  };
  return html`<form class="entryline" @submit=${submit}>
      <button
        class="entry s-failed"
        data-action="fail"
        aria-disabled=${refused ? 'true' : 'false'}
        aria-describedby=${refused ? 'why-fail' : nothing}
      >
        ${icon('failed')}${one.label}
      </button>
      <input name="code" type="number" min="1" max="255" step="1" required value="1" aria-label=${say('ui.menu.code')} ?disabled=${refused} />
    </form>
    ${why(one)}`;
}

function why(one: PodActionFrame): TemplateResult | typeof nothing {
  return one.refused === null ? nothing : html`<p class="why" id="why-${one.action}">${one.refused}</p>`;
}
