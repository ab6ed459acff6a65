/** What is written in several languages, in that of a locale; in English where there is no other. */
export function inLanguageOf<T>(
  locale: string | null,
  languages: { readonly en: T } & Readonly<Record<string, T>>,
): { readonly words: T; readonly language: string } {
  const tag = languageTag(locale);
  const language = tag === null ? 'en' : new Intl.Locale(tag).language;
  const words = Object.hasOwn(languages, language) ? languages[language] : undefined;
  return words === undefined || tag === null
    ? { words: languages.en, language: 'en' }
    : { words, language: tag };
}

/** The BCP 47 tag of a locale, `de_AT` as well as `de-AT`; null for what is none. */
export function languageTag(locale: string | null): string | null {
  try {
    return Intl.getCanonicalLocales(locale?.replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}
