import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencies, isCurrency, isCurrencyCode } from './currencies.ts';
import { digitsOf } from './digits.ts';

test('the table has as many currencies of each kind as list one of ISO 4217, and the former ones', () => {
  const counts = Map.groupBy(currencies, digitsOf);
  const sizes = [0, 2, 3, 4].map((digits) => counts.get(digits)?.length);
  const former = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'XDR', 'XSU', 'ZWL'];
  assert.deepEqual(sizes, [17, 139 + former.length, 7, 2]);
  assert.equal(new Set(currencies).size, currencies.length);
  assert.ok(former.every(isCurrency));
});

test('whatever could be counted before can be, with the same decimals', () => {
  const before =
    `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF
    CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
    HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
    MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
    SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYI UYU
    UYW UZS VES VND VUV WST XAF XCD XCG XDR XOF XPF XSU YER ZAR ZMW ZWG ZWL`.split(/\s+/);
  assert.deepEqual(
    before.filter((code) => !isCurrency(code)),
    [],
  );
  const others = new Map(before.filter((code) => digitsOf(code) !== 2).map((code) => [code, digitsOf(code)]));
  for (const code of 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
    assert.equal(others.get(code), 0, code);
  for (const code of 'BHD IQD JOD KWD LYD OMR TND'.split(' ')) assert.equal(others.get(code), 3, code);
  assert.deepEqual([others.size, others.get('CLF'), others.get('UYW')], [26, 4, 4]);
});

test('metals, units of account and the codes for tests and no currency are codes, and no amounts', () => {
  for (const code of 'XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX'.split(' '))
    assert.deepEqual([isCurrency(code), isCurrencyCode(code)], [false, true], code);
  for (const code of ['', 'eur', 'EURO', 'DEM', 'BTC', 'AB '])
    assert.equal(isCurrencyCode(code), false, code);
});
