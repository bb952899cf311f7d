/**
 * The words of the page, from the message catalogue that the engine and the command line use too.
 *
 * Invariant: no sentence for a person stands anywhere else in the page's code. The language is set before the first
 * word is said; after a change everything is drawn anew.
 */
import type catalogue from '../../crates/jobwright-api/catalogue/en.json';

/** The ids that the page may say. */
export type TextId = Extract<keyof typeof catalogue, `ui.${string}`>;

/** Texts of one language, by id. */
export type Texts = Readonly<Record<string, string>>;

let messages: Texts = {};

export function speak(texts: Texts): void {
  messages = texts;
}

/** The message, with each `{name}` replaced, and the right word of each `{name:one|other}` taken. */
export function say(id: TextId, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(messages[id] ?? id, values);
}

/** The same for an id that is put together; `fallback` if there is no such text. */
export function sayAny(id: string, fallback = id, values: Readonly<Record<string, string | number>> = {}): string {
  const message = messages[id];
  return message === undefined ? fallback : fill(message, values);
}

export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  return message.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole: string, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || other === undefined) return String(value);
    return String(value) === '1' ? one : other;
  });
}

/** Title of a preset; its id is the name of its file. */
export function presetTitle(id: string): string {
  return sayAny(`ui.preset.${id}.title`, say('ui.preset.own.title'));
}

/** What it teaches, in two lines. */
export function presetLesson(id: string): string {
  return sayAny(`ui.preset.${id}.lesson`, say('ui.preset.own.lesson'));
}
