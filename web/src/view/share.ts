/** The sheet for taking a session along: link, Markdown, scenario, pictures. */
import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { App } from '../app.ts';
import { toMarkdown } from '../model/markdown.ts';
import { clockText } from '../model/scale.ts';
import type { State } from '../model/state.ts';
import { toPng, toSvg } from '../picture.ts';
import { copy, download, linkTo } from '../share.ts';
import { presetTitle, say } from '../text.ts';
import { icon } from './icons.ts';
import { sheet } from './sheet.ts';
import { deedLook } from './words.ts';

export function shareSheet(state: State, app: App): TemplateResult {
  return sheet('share', say('ui.share'), state, app, () => html`
    <p>${say('ui.share.private')}</p>
    <label class="link">${say('ui.share.link')}<input readonly .value=${until(linkTo(app), '')} id="link" @focus=${select} /></label>
    <div class="row">
      <button class="primary" @click=${() => void copyLink(app)}>${icon('copy')}${say('ui.share.copy')}</button>
      <button class="plain" @click=${() => void copyMarkdown(app)}>${icon('copy')}${say('ui.share.markdown')}</button>
    </div>
    <h3>${say('ui.share.files')}</h3>
    <div class="row">
      <button class="plain" @click=${() => void downloadScenario(app)}>${icon('download')}${say('ui.share.scenario')}</button>
      <button class="plain" @click=${() => picture(app, 'svg')}>${icon('download')}${say('ui.share.svg')}</button>
      <button class="plain" @click=${() => picture(app, 'png')}>${icon('download')}${say('ui.share.png')}</button>
    </div>
    <p role="status" class="dim told">${state.notice ?? ''}</p>
  `);
}

function select(event: FocusEvent): void {
  (event.target as HTMLInputElement).select();
}

async function copyLink(app: App): Promise<void> {
  app.notice((await copy(await linkTo(app))) ? say('ui.share.copied') : say('ui.share.notCopied'));
}

async function copyMarkdown(app: App): Promise<void> {
  const { state } = app;
  const deeds = state.deeds.map((deed) => `${clockText(deed.atMs)} ${deedLook(deed).word}`);
  const text = toMarkdown(state, titleOf(state), await linkTo(app), deeds);
  app.notice((await copy(text)) ? say('ui.share.copied') : say('ui.share.notCopied'));
}

export async function downloadScenario(app: App): Promise<void> {
  if (app.state.exported === null) await app.makeTest();
  const { exported } = app.state;
  if (exported !== null) download(`${nameOf(app.state)}.yaml`, 'application/yaml', exported.scenario);
}

export function downloadTrace(app: App): void {
  const { exported } = app.state;
  if (exported !== null) download(`${nameOf(app.state)}.trace.json`, 'application/json', exported.trace);
}

function picture(app: App, kind: 'svg' | 'png'): void {
  const { frame } = app.state;
  if (frame === null) return;
  const svg = toSvg(frame, titleOf(app.state), `${clockText(frame.atMs)}  ${frame.decision?.title ?? ''}`);
  if (kind === 'svg') download(`${nameOf(app.state)}.svg`, 'image/svg+xml', svg);
  else void toPng(svg).then((png) => { if (png !== null) download(`${nameOf(app.state)}.png`, 'image/png', png); });
}

function titleOf(state: State): string {
  return state.preset === '' ? (state.frame?.job?.name ?? say('ui.preset.own.title')) : presetTitle(state.preset);
}

/** What files are called: the name of the Job, which has no letters that a file must not have. */
export function nameOf(state: State): string {
  return (state.frame?.job?.name ?? 'session').replace(/[^\w.-]/g, '-');
}
