/** The sheet with the keys. */
import { html, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { State } from '../model/state.ts';
import { say, type TextId } from '../text.ts';
import { sheet } from './sheet.ts';

const KEYS: readonly (readonly [string, TextId])[] = [
  ['.', 'ui.step.next'],
  [',', 'ui.step.back'],
  ['Shift .', 'ui.step.write'],
  ['Space', 'ui.help.play'],
  ['N', 'ui.help.timer'],
  ['F', 'ui.help.fork'],
  ['X', 'ui.help.crash'],
  ['U', 'ui.help.undo'],
  ['I', 'ui.help.powers'],
  ['C', 'ui.help.compare'],
  ['E', 'ui.help.explore'],
  ['S', 'ui.help.share'],
  ['[ ]', 'ui.help.speed'],
  ['PgUp PgDn', 'ui.help.presets'],
  ['← ↑ → ↓', 'ui.help.arrows'],
  ['Enter', 'ui.help.enter'],
  ['Esc', 'ui.help.escape'],
  ['?', 'ui.help'],
];

export function help(state: State, app: App): TemplateResult {
  return sheet('help', say('ui.help'), state, app, () => html`
    <dl>${KEYS.map(([key, text]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${say(text)}</dd></div>`)}</dl>
    <p class="dim">${say('ui.help.where')}</p>
    <p><button class="plain" @click=${() => app.show('tour')}>${say('ui.tour.start')}</button></p>
  `);
}
