/** The tabs beside the manifest: ready-made outcomes, and the session as a test. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { roll } from '../model/dice.ts';
import type { State } from '../model/state.ts';
import { copy } from '../share.ts';
import { say, type TextId } from '../text.ts';
import { downloadScenario, downloadTrace, nameOf } from './share.ts';

const SCRIPTS: readonly (readonly [string, TextId])[] = [
  ['', 'ui.scripts.succeed'],
  ['1,0', 'ui.scripts.first'],
  ['1x3,0', 'ui.scripts.three'],
  ['1x*', 'ui.scripts.always'],
  ['oom,0', 'ui.scripts.oom'],
  ['evict,0', 'ui.scripts.evict'],
  ['hang', 'ui.scripts.hang'],
  ['pending', 'ui.scripts.pending'],
  ['0@30s x*', 'ui.scripts.slow'],
];

export function outcomesHelp(app: App): TemplateResult {
  return html`<div class="scripts" role="region" aria-label=${say('ui.scripts')} tabindex="0">
    <p>${say('ui.scripts.what')}</p>
    <ul>
      ${SCRIPTS.map(
        ([script, text]) => html`<li>
          <button class="plain" @click=${() => app.editOutcomes(script)}><code>${script === '' ? '—' : script}</code></button><span>${say(text)}</span>
        </li>`,
      )}
    </ul>
    <form @submit=${(event: SubmitEvent) => dice(event, app)}>
      <label>${say('ui.dice.seed')}<input name="seed" type="number" min="0" max="999999" value="1" required /></label>
      <button class="plain">${say('ui.dice.roll')}</button>
    </form>
    <p class="dim">${say('ui.dice.what')}</p>
  </div>`;
}

/** The same seed gives the same outcomes; the next roll is the next seed. */
function dice(event: SubmitEvent, app: App): void {
  event.preventDefault();
  const field = (event.currentTarget as HTMLFormElement).elements.namedItem('seed') as HTMLInputElement;
  app.editOutcomes(roll(field.valueAsNumber));
  field.value = String(field.valueAsNumber + 1);
}

export function testTab(state: State, app: App): TemplateResult {
  const { exported } = state;
  const name = nameOf(state);
  return html`<div class="test" role="region" aria-label=${say('ui.test')} tabindex="0">
    <p>${say('ui.test.what')}</p>
    <p><code>jobwright replay .</code></p>
    <div class="row">
      ${exported === null ? html`<button class="primary" @click=${() => void app.makeTest()}>${say('ui.test.make')}</button>` : ''}
      <button class="plain" @click=${() => void downloadScenario(app)}>${name}.yaml</button>
      <button class="plain" aria-disabled=${exported === null ? 'true' : 'false'} @click=${() => downloadTrace(app)}>${name}.trace.json</button>
      ${exported === null ? '' : html`<button class="plain" @click=${() => void told(app, exported.scenario)}>${say('ui.test.copy')}</button>`}
    </div>
    ${exported === null ? '' : html`<pre class="record" tabindex="0" data-scenario>${exported.scenario}</pre>`}
  </div>`;
}

async function told(app: App, text: string): Promise<void> {
  app.notice((await copy(text)) ? say('ui.share.copied') : say('ui.share.notCopied'));
}
