/** The top line: brand, presets, explorer, share, language, theme, help. */
import { html, type TemplateResult } from 'lit';
import type { App, Preset } from '../app.ts';
import { asLanguage, LANGUAGES, NAMES, type Language } from '../language.ts';
import type { State } from '../model/state.ts';
import { presetTitle, say, sayAny } from '../text.ts';
import { icon } from './icons.ts';
import { switchTheme } from './theme.ts';

/** What the header needs besides the state. */
export interface Speech {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

export function header(state: State, app: App, speech: Speech): TemplateResult {
  return html`<header class="top">
    <span class="brand">${icon('mark', 'i20')}<b>${say('ui.brand')}</b></span>
    ${picker(state, app)}
    <span class="grow"></span>
    <span class="version dim">${say('ui.version')}</span>
    <button class="ghost" aria-label=${say('ui.explore')} title="${say('ui.explore')} (E)" @click=${() => app.show('explore')}>${icon('explore')}<span>${say('ui.explore.short')}</span></button>
    <label class="lang">${icon('globe')}<span class="vh">${say('ui.language')}</span>
      <select aria-label=${say('ui.language')} .value=${speech.language} @change=${(event: Event) => chooseLanguage(event, speech)}>
        ${LANGUAGES.map((name) => html`<option value=${name} lang=${name} ?selected=${name === speech.language}>${NAMES[name]}</option>`)}
      </select>
    </label>
    <button class="icon" aria-label=${say('ui.theme')} title=${say('ui.theme')} @click=${switchTheme}>${icon('theme')}</button>
    <button class="icon" aria-label=${say('ui.help')} title=${say('ui.help')} @click=${() => app.show('help')}>
      <kbd>?</kbd>
    </button>
    <button class="primary" aria-label=${say('ui.share')} @click=${() => app.show('share')}>${icon('share')}<span>${say('ui.share.short')}</span></button>
  </header>`;
}

function chooseLanguage(event: Event, speech: Speech): void {
  const language = asLanguage((event.target as HTMLSelectElement).value);
  if (language !== null) speech.choose(language);
}

function picker(state: State, app: App): TemplateResult {
  const choose = (event: Event): void => app.choose((event.target as HTMLSelectElement).value);
  const groups = [...new Set(app.presets.map((preset) => preset.group))];
  const own = state.preset === '';
  return html`<div class="preset" role="group" aria-label=${say('ui.presets')}>
    <button class="icon" aria-label=${say('ui.presets.previous')} @click=${() => app.chooseNext(-1)}>${icon('left')}</button>
    <span class="pick">
      <select aria-label=${say('ui.presets.choose')} @change=${choose} .value=${state.preset}>
        ${own ? html`<option value="" selected>${say('ui.preset.own.title')}</option>` : ''}
        ${groups.map((group) => html`<optgroup label=${sayAny(`ui.group.${group}`)}>${app.presets.filter((one) => one.group === group).map((one) => option(one, state))}</optgroup>`)}
      </select>
      ${icon('chev')}
    </span>
    <button class="icon" aria-label=${say('ui.presets.next')} @click=${() => app.chooseNext(1)}>${icon('right')}</button>
  </div>`;
}

function option(preset: Preset, state: State): TemplateResult {
  return html`<option value=${preset.id} ?selected=${preset.id === state.preset}>${presetTitle(preset.id)}</option>`;
}
