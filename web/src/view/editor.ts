/** The left column: the manifest, the outcomes, the session as a test, and the stored object. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { EditorTab, State } from '../model/state.ts';
import { say } from '../text.ts';
import type { EditorSlot } from './editorslot.ts';
import { icon } from './icons.ts';
import { objectView } from './object.ts';
import { outcomesHelp, testTab } from './tabs.ts';

export function editorColumn(state: State, app: App, editor: EditorSlot): TemplateResult {
  return html`<section class="editor" aria-label=${say('ui.editor')}>
    <div class="colhead">
      <h2 class="vh">${say('ui.editor.head')}</h2>
      ${tabButtons(state, app)}
      <span class="grow"></span>
      ${state.editorTab === 'job' ? html`<button class="text" @click=${() => editor.format()}>${say('ui.editor.format')}</button>` : nothing}
    </div>
    <div class="tabbody" ?hidden=${state.editorTab !== 'job'}>${editor.host} ${problems(state, editor)} ${explanation(state)}</div>
    ${state.editorTab === 'outcomes' ? outcomesHelp(app) : nothing}
    ${state.editorTab === 'test' ? testTab(state, app) : nothing}
    ${outcomes(state, app)} ${objectView(state, app)}
  </section>`;
}

function tabButtons(state: State, app: App): TemplateResult {
  const names: readonly EditorTab[] = ['job', 'outcomes', 'test'];
  return html`<div class="edtabs" role="group" aria-label=${say('ui.editor.tabs')}>
    ${names.map(
      (name) => html`<button aria-pressed=${state.editorTab === name ? 'true' : 'false'} @click=${() => app.chooseEditorTab(name)}>
        ${say(`ui.editor.tab.${name}`)}
      </button>`,
    )}
  </div>`;
}

/** Never a wall: the first few say enough. */
const MOST_PROBLEMS = 5;

function problems(state: State, editor: EditorSlot): TemplateResult {
  // What is only good to know stands in the gutter.
  const grave = state.diagnostics.filter((one) => one.severity !== 'info');
  const shown = grave.slice(0, MOST_PROBLEMS);
  const left = grave.length - shown.length;
  const quiet = shown.length === 0 && state.broken === null && !state.stale;
  return html`<div class="problems" role="status" ?hidden=${quiet}>
    ${state.broken === null ? nothing : html`<p class="stale">${say('ui.broken', { message: state.broken })}</p>`}
    ${state.stale && state.frame !== null ? html`<p class="stale">${say('ui.stale')}</p>` : nothing}
    ${shown.map((one) => problem(one, editor))}
    ${left > 0 ? html`<p class="dim">${say('ui.problems.more', { count: left })}</p>` : nothing}
  </div>`;
}

function problem(one: Diagnostic, editor: EditorSlot): TemplateResult {
  const isError = one.severity === 'error';
  return html`<div class="problem ${isError ? 's-failed' : 's-waiting'}" data-line=${one.line}>
    ${icon(isError ? 'error' : 'hint')}
    <p>
      <button class="text" @click=${() => editor.goTo(one)}>
        ${say(isError ? 'ui.problem.error' : 'ui.problem.warning', { line: one.line })}
      </button>
      ${one.field === null ? nothing : html`<code>${one.field}</code>`} ${one.message}
    </p>
  </div>`;
}

/** What the engine says about a pasted dump. */
function explanation(state: State): TemplateResult | typeof nothing {
  const told = state.explanation;
  if (told === null || state.stale) return nothing;
  return html`<section class="explanation" aria-label=${say('ui.explanation')} tabindex="0">
    <p class="why">${told.why}</p>
    <p>${told.next}</p>
    ${told.blocks.map((block) => html`<p>${block.text}</p>`)}
    <p class="dim">${say('ui.explanation.at', { time: told.at })}</p>
  </section>`;
}

function outcomes(state: State, app: App): TemplateResult {
  const edit = (event: Event): void => app.editOutcomes((event.target as HTMLInputElement).value);
  return html`<div class="script">
    <label for="outcomes">${say('ui.outcomes')}</label>
    <input
      id="outcomes"
      spellcheck="false"
      autocomplete="off"
      placeholder=${say('ui.outcomes.placeholder')}
      aria-invalid=${state.outcomesProblem === null ? 'false' : 'true'}
      aria-describedby="outcomes-help"
      .value=${state.outcomes}
      @input=${edit}
    />
    <small id="outcomes-help" class=${state.outcomesProblem === null ? 'dim' : 's-failed wrong'}>
      ${state.outcomesProblem ?? say('ui.outcomes.help')}
    </small>
  </div>`;
}
