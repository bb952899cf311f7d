/**
 * A session as Markdown: what an issue or a note needs.
 *
 * Invariant: texts of the page and of the engine, put together; a fence is always longer than any in the text.
 */
import { sayAny } from '../text.ts';
import { clockText } from './scale.ts';
import type { State } from './state.ts';

/** `words` says what each deed is. */
export function toMarkdown(state: State, title: string, link: string, deeds: readonly string[]): string {
  const { frame } = state;
  const card = frame?.decision ?? null;
  const lines = [`### [${title}](${link})`, ''];
  if (frame?.job !== null && frame?.job !== undefined) {
    const { succeeded, failed, active } = frame.ledger;
    lines.push(sayAny('ui.markdown.state', '', { name: frame.job.name, phase: frame.job.phase, at: clockText(frame.atMs), succeeded, failed, active }), '');
  }
  if (card !== null) lines.push(`> **#${card.step}** ${clockText(card.atMs)} · \`${card.rule}\` · ${card.title}`, '>', `> ${card.why}`, '');
  if (deeds.length > 0) lines.push(...deeds.map((deed) => `- ${deed}`), '');
  lines.push(fence('yaml', state.text.trimEnd()));
  if (state.outcomes.trim() !== '') lines.push('', `${sayAny('ui.outcomes')}: \`${state.outcomes.replaceAll('`', '')}\``);
  return `${lines.join('\n')}\n`;
}

function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}
