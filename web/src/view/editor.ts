/** The left column: the manifest, what is wrong with it, the outcomes, and the stored status. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import type { Diagnostic } from '../gen/Diagnostic.ts';
import type { State } from '../model/state.ts';
import { statusLines, type StatusLine } from '../model/status.ts';
import { say } from '../text.ts';
import type { ManifestEditor } from './codemirror.ts';
import { icon } from './icons.ts';

export function editorColumn(state: State, app: App, editor: ManifestEditor): TemplateResult {
  return html`<section class="editor" aria-label=${say('ui.editor')}>
    <div class="colhead"><h2>${say('ui.editor.head')}</h2></div>
    ${editor.host} ${problems(state, editor)} ${explanation(state)} ${outcomes(state, app)} ${status(state)}
  </section>`;
}

/** Never a wall: the first few say enough. */
const MOST_PROBLEMS = 5;

function problems(state: State, editor: ManifestEditor): TemplateResult {
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

function problem(one: Diagnostic, editor: ManifestEditor): TemplateResult {
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

function status(state: State): TemplateResult {
  const job = state.frame?.job ?? null;
  const lines = job === null ? [] : statusLines(job.status, state.statusBefore?.status ?? null);
  return html`<section class="status" aria-label=${say('ui.status')} tabindex="0">
    <h2>${say('ui.status')} <span class="dim">${job === null ? say('ui.status.none') : job.name}</span></h2>
    <div class="code">${lines.length === 0 && job !== null ? html`<p class="dim">${say('ui.status.empty')}</p>` : nothing}
      ${lines.map(statusLine)}</div>
  </section>`;
}

function statusLine(line: StatusLine): TemplateResult {
  const changed = line.before !== null;
  const old = line.before === null || line.before === '' ? nothing : html`<del>${line.before}</del> `;
  const value = changed ? html`${old}<ins>${line.value}</ins>` : html`<em>${line.value}</em>`;
  return html`<div class="ln ${changed ? 'chg' : ''}" style="--depth:${line.depth}">
    <b>${line.key}</b>${line.value === null ? ':' : html`${line.key === '- ' ? '' : ': '}${value}`}
  </div>`;
}
