/**
 * Formats of Intl by locale and options, each made once: making one of dates takes a hundred times as long as using it.
 * Locales that Intl refuses raise its `RangeError`.
 */
export const numberFormat = kept(
  (locale: string, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const dateFormat = kept(
  (locale: string, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
export const pluralRules = kept((locale: string) => new Intl.PluralRules(locale));

/** Each takes some ten kilobytes, and callers may name any locale and currency. */
const most = 200;

/** Keeps what is made of a locale and options. */
export function kept<Options, Format>(
  make: (locale: string, options?: Options) => Format,
): (locale: string, options?: Options) => Format {
  const made = new Map<string, Format>();
  return (locale, options) => {
    const name = `${locale} ${JSON.stringify(options)}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const format = make(locale, options);
    if (made.size >= most) made.clear();
    made.set(name, format);
    return format;
  };
}
