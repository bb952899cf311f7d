/**
 * Which language the page speaks: what the address says, else what was chosen before, else what the browser asks for.
 *
 * Invariant: storage may be closed to the page; then a choice lasts as long as the page.
 */
import type { Texts } from './text.ts';

export const LANGUAGES = ['en', 'ko'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names of the languages, each in its own; the only words that are the same in all of them. */
export const NAMES: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어' };

const KEY = 'jobwright.language';

export function wantedLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang');
  const wanted = [asked, stored(), ...navigator.languages.map((name) => name.slice(0, 2))];
  return wanted.map(asLanguage).find((one) => one !== null) ?? 'en';
}

export function asLanguage(name: string | null): Language | null {
  return LANGUAGES.find((one) => one === name) ?? null;
}

/** Keeps a choice: in storage, and in the address if that names a language. */
export function keepLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A private window may refuse.
  }
  const address = new URL(location.href);
  if (!address.searchParams.has('lang')) return;
  address.searchParams.set('lang', language);
  history.replaceState(null, '', address);
}

/** The texts of a language; each is loaded only if it is asked for. */
export async function textsOf(language: Language): Promise<Texts> {
  const found: { readonly default: Texts } =
    language === 'ko'
      ? await import('../../crates/jobwright-api/catalogue/ko.json')
      : await import('../../crates/jobwright-api/catalogue/en.json');
  return found.default;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
