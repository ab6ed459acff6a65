import { odd } from './digits.ts';

/**
 * The currencies of ISO 4217, by how many decimals they have: list one of the maintenance agency, SIX Financial
 * Information, as published on 2026-09-17. What Intl says of decimals is a custom of display (HUF: none), and no measure.
 */
const withTwo = `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
    COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
    JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
    NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`;
/** Withdrawn, or without decimals of its own. Orders may have been counted in them, so they stay, with the two decimals they had. */
const former = 'ANG BGN CUC HRK SLL XDR XSU ZWL';
/** On list one, but nothing is counted in them: metals, units of account, and the codes for tests and for no currency. */
const uncounted = 'XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX';

const counted: ReadonlySet<string> = new Set([...odd.keys(), ...withTwo.split(/\s+/), ...former.split(' ')]);

/** The codes that amounts may have, sorted. */
export const currencies: readonly string[] = [...counted].sort();

/** Whether amounts may have the currency. */
export function isCurrency(code: string): boolean {
  return counted.has(code);
}

/** Whether ISO 4217 knows the code: amounts may have it, or it names a metal, a unit of account or no currency. */
export function isCurrencyCode(code: string): boolean {
  return isCurrency(code) || uncounted.split(' ').includes(code);
}
