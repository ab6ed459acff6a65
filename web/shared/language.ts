import { signal } from '@preact/signals';
import { recall, remember } from './remembered.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

/** The language of the pages: the one that was chosen, or the first of the browser's that there is. */
export const language = signal<Language>(firstLanguage());

export function chooseLanguage(chosen: Language): void {
  remember('language', chosen);
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** The texts of an area in the language of the pages. German has every text that English has, or it does not compile. */
export function texts<T>(en: T, de: T): () => T {
  return () => (language.value === 'de' ? de : en);
}

/** How numbers and dates are written: as the browser does where it speaks the language. */
export function locale(): string {
  return navigator.languages.find((one) => one.startsWith(language.value)) ?? language.value;
}

function firstLanguage(): Language {
  const wanted = [recall('language') ?? '', ...navigator.languages].map((one) => one.slice(0, 2));
  return wanted.find((one): one is Language => one in languages) ?? 'en';
}
