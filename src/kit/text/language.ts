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

/** The one of some languages that a reader of a locale reads: the same, or else one of the same language and script. */
export function matchingLanguage(locale: string | null, languages: readonly string[]): string | null {
  const tag = languageTag(locale);
  if (tag === null) return null;
  return languages.includes(tag) ? tag : (languages.find((one) => scriptOf(one) === scriptOf(tag)) ?? null);
}

/** `zh-TW` is read as `zh-Hant` is, `pt-BR` as `pt`. */
function scriptOf(locale: string): string | null {
  const tag = languageTag(locale);
  if (tag === null) return null;
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

/** From which side a language is read. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(new Intl.Locale(language).language) ? 'rtl' : 'ltr';
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'yi', 'ps', 'dv', 'ckb']);

/**
 * The language that a browser asks for first of those that there are, as it names it (RFC 9110 §12.5.4); null where it
 * asks for none of them.
 */
export function acceptedLanguage(
  header: string | undefined,
  languages: Readonly<Record<string, unknown>>,
): string | null {
  const asked = (header ?? '').split(',', 50).flatMap((part, place) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const tag = languageTag(range === '*' ? null : range);
    const quality = Number(parameters.find((text) => /^q=/i.test(text))?.slice(2) ?? 1);
    return tag === null || !(quality > 0) ? [] : [{ tag, quality, place }];
  });
  const [first] = asked
    .filter(({ tag }) => Object.hasOwn(languages, new Intl.Locale(tag).language))
    .sort((one, other) => other.quality - one.quality || one.place - other.place);
  return first?.tag ?? null;
}
