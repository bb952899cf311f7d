/**
 * The words of the page, from the message catalogue that the engine and the command line use too.
 *
 * Invariant: no sentence for a person stands anywhere else in the page's code.
 */
import catalogue from '../../crates/jobwright-api/catalogue/en.json';

/** The ids that the page may say. */
export type TextId = Extract<keyof typeof catalogue, `ui.${string}`>;

const messages: Readonly<Record<string, string>> = catalogue;

/** The message, with each `{name}` replaced, and the right word of each `{name:one|other}` taken. */
export function say(id: TextId, values: Readonly<Record<string, string | number>> = {}): string {
  const message = messages[id] ?? id;
  return message.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole: string, name: string, one?: string, other?: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (one === undefined || other === undefined) return String(value);
    return String(value) === '1' ? one : other;
  });
}

/** Title of an example; its id is the name of its file. */
export function exampleTitle(id: string): string {
  return messages[`ui.example.${id}.title`] ?? id;
}

/** What it teaches, in one line. */
export function exampleLesson(id: string): string {
  return messages[`ui.example.${id}.lesson`] ?? '';
}
