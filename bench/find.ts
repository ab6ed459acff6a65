import type { Punchcard } from '../sdk/typescript/src/index.ts';
import { holderOf } from './fill-instances.ts';
import { median } from './result.ts';

/** How often each kind of search is made. */
const rounds = 40;

/** What people type who look for a customer, who has the card of that number. */
const typed: Readonly<Record<string, (n: number) => string>> = {
  'a first name': (n) => holderOf(n).first,
  'a last name': (n) => holderOf(n).last,
  'last and first': (n) => `${holderOf(n).last} ${holderOf(n).first.slice(0, 3)}`,
  'an address': (n) => `${n}@example.com`,
  'last digits': (n) => String(n).padStart(8, '0').slice(-6),
  'a name that no customer has': (n) => `zz${n}`,
};

/** Searches as the console's field sends them, of a workspace with so many cards, in ms: the 99th percentile, and the slowest kind. */
export async function measureFinds(
  shop: Punchcard,
  cards: number,
): Promise<{ p99: number; slowest: string }> {
  const times: number[] = [];
  const medians: (readonly [kind: string, ms: number])[] = [];
  for (const [kind, textOf] of Object.entries(typed)) {
    const own: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const n = 1 + Math.floor((cards * (round + 0.5)) / rounds);
      const begun = performance.now();
      await shop.holders.list({ q: textOf(n), limit: 10 }).page();
      own.push(performance.now() - begun);
    }
    times.push(...own);
    medians.push([kind, median(own)]);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [slowest = ['', 0]] = medians.toSorted(([, one], [, other]) => other - one);
  return {
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN,
    slowest: `${slowest[0]} ${slowest[1].toFixed(1)} ms`,
  };
}
