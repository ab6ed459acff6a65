import { getCountries } from 'libphonenumber-js/min';

/** The country of a time zone, ISO 3166-1; null where it names none, or several. */
export function countryOfZone(timezone: string): string | null {
  zones ??= Map.groupBy(
    getCountries().flatMap((country) => zonesOf(country).map((zone) => ({ zone, country }))),
    ({ zone }) => zone,
  );
  const canonical = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  const [found, ...others] = zones.get(canonical) ?? [];
  return found === undefined || others.length > 0 ? null : found.country;
}

/** Made when it is asked for first. */
let zones: ReadonlyMap<string, { readonly country: string }[]> | undefined;

function zonesOf(region: string): string[] {
  // TypeScript does not know it yet.
  const locale = new Intl.Locale('und', { region }) as Intl.Locale & { getTimeZones(): string[] | undefined };
  return locale.getTimeZones() ?? [];
}
