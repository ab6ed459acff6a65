/** The currencies of ISO 4217 that have other than two decimals. Apart from the others, which browsers need not know. */
const byDigits: Readonly<Record<0 | 3 | 4, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** How many decimals these have, by their codes. */
export const odd: ReadonlyMap<string, number> = new Map(
  Object.entries(byDigits).flatMap(([count, codes]) => codes.split(' ').map((code) => [code, Number(count)])),
);

/** How many decimals the currency has; two for one that is not known. */
export function digitsOf(currency: string): number {
  return odd.get(currency) ?? 2;
}
