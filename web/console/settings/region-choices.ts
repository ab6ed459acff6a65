import { kept } from '../../../src/kit/anywhere/formats.ts';
import { locale } from '../../shared/language.ts';

/** The languages that cards are likely to be written in; others are set through the API, and stay. */
const cardLanguages =
  `ar bg cs da de de-AT de-CH el en en-GB en-US es et fi fr fr-CH he hr hu it ja ko lt lv nb nl pl pt pt-BR ro
  ru sk sl sr sv tr uk zh`.split(/\s+/);
const usualCurrencies =
  `AED AUD BRL CAD CHF CNY CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW MAD MXN MYR NGN NOK NZD
  PHP PLN QAR RON RSD SAR SEK SGD THB TND TRY TWD UAH USD VND ZAR`.split(/\s+/);

type Choices = Readonly<Record<string, string>>;

/** Languages by their tags, named in the language of the page; with the one that is set. */
export function languageChoices(set: string): Choices {
  return namesOf('language', [...cardLanguages, set]);
}

/** Currencies by their codes; with the one that is set. */
export function currencyChoices(set: string): Choices {
  const names = namesOf('currency', [...usualCurrencies, set]);
  return Object.fromEntries(Object.entries(names).map(([code, name]) => [code, `${name} (${code})`]));
}

/** The usual currency of a country: the codes of most begin with that of their country. */
export function currencyOf(country: string): string {
  return usualCurrencies.find((code) => country !== '' && code.startsWith(country)) ?? 'EUR';
}

/** Countries by their codes of ISO 3166-1: what browsers have a name for, less what is no country, or no more. */
export function countryChoices(): Choices {
  return countriesIn(locale());
}
/** Named once in a language: that takes some milliseconds, and a form asks with each key that is typed. */
const countriesIn = kept((shown: string): Choices => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const isOne = (code: string) =>
    !noCountries.has(code) && new Intl.Locale('und', { region: code }).region === code;
  return namesOf('region', codes.filter(isOne), shown);
});
const noCountries = new Set(['CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** Time zones by their names, as they are called in tables of the IANA; with the one that is set. */
export function zoneChoices(set: string): Choices {
  const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), set])];
  return Object.fromEntries(zones.map((zone) => [zone, zone.replaceAll('_', ' ')]));
}

/** The time zone of this browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The codes by their names; without a name a code is shown itself, or left out where it is no country. */
function namesOf(
  type: 'language' | 'currency' | 'region',
  codes: readonly string[],
  shown = locale(),
): Choices {
  const names = new Intl.DisplayNames(shown, { type, fallback: type === 'region' ? 'none' : 'code' });
  const named = [...new Set(codes)].flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [[code, name] as const];
  });
  return Object.fromEntries(named.toSorted(([, a], [, b]) => a.localeCompare(b, shown)));
}
