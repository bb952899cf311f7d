/**
 * The presets of the picker, in their order.
 *
 * Invariant: presets are data. `presets.json` says what pods do and at which decision the lesson shows; a YAML file of
 * this folder is a Job, or a scenario with one, that the command line runs too; title and lesson stand in the message
 * catalogue under the name of the file.
 */
import type { Preset } from '../src/app.ts';
import list from './presets.json' with { type: 'json' };

const texts = import.meta.glob<string>('./*.yaml', { query: '?raw', import: 'default', eager: true });

export const PRESETS: readonly Preset[] = list.map(({ id, group, outcomes, step }) => ({
  id,
  group,
  outcomes,
  text: texts[`./${id}.yaml`] ?? '',
  at: { step, write: 0 },
}));
