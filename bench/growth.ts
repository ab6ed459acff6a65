import { fillShop } from './filled-shop.ts';
import { httpLoad } from './http-load.ts';
import { settle } from './insert-like.ts';
import { scaled } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, startAsShipped, withBench } from './service.ts';
import { awardTexts, connections, openShop, shopLoad } from './shop.ts';
import { compare, takeTurns } from './turns.ts';

/**
 * Awards over HTTP by what `npm start` runs, 64 connections: in the first minute of a new database, which begins empty and
 * has no statistics; and in a ledger of ten million entries against one of ten thousand, of as many cards, in turns.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => [...(await firstSeconds(bench)), ...(await manyEntries(bench))]);
}

/** With 40 of them, seconds 3–10 are compared with 30–40. */
const seconds = Math.max(4, scaled(40));
const early = { from: Math.floor(seconds * 0.075), to: seconds / 4 };
const late = { from: Math.floor(seconds * 0.75), to: seconds };

async function firstSeconds(bench: Bench): Promise<BenchResult[]> {
  const service = await startAsShipped(bench, 'new');
  const texts = awardTexts(await openShop(service));
  const { bySecond } = await httpLoad({ port: service.port, connections, texts, ms: seconds * 1_000 });
  const rate = ({ from, to }: { from: number; to: number }) => {
    const part = bySecond.slice(from, to);
    return part.reduce((sum, count) => sum + count, 0) / part.length;
  };
  return [
    {
      name: `award, ${named(late)} : ${named(early)}`,
      value: rate(late) / rate(early),
      unit: 'x',
      target: { min: 0.9 },
    },
    { name: `award, ${named(early)}`, value: rate(early), unit: '/s' },
    { name: `award, ${named(late)}`, value: rate(late), unit: '/s' },
  ];
}

function named({ from, to }: { from: number; to: number }): string {
  return `seconds ${from}–${to}`;
}

const cards = 10_000;
const entriesPerCard = scaled(1_000);

async function manyEntries(bench: Bench): Promise<BenchResult[]> {
  const few = await startAsShipped(bench, 'few');
  const many = await startAsShipped(bench, 'many');
  const fewTexts = awardTexts(await fillShop(few, { cards, entriesPerCard: 1, points: 5 }));
  const manyTexts = awardTexts(await fillShop(many, { cards, entriesPerCard, points: 5 }));
  // As the database has done by itself long before a ledger is so large.
  for (const { pool } of [few, many]) await settle(pool);
  const measured = await takeTurns(200, {
    few: () => shopLoad(few, fewTexts),
    many: () => shopLoad(many, manyTexts),
  });
  const { ratio, rate, refused } = compare(measured);
  const name = `award with ${count(cards * entriesPerCard)} entries`;
  return [
    {
      name: `${name} : with ${count(cards)}`,
      value: ratio('many', 'few'),
      unit: 'x',
      target: { min: 0.85 },
    },
    refused(),
    rate(name, 'many'),
    rate(`award with ${count(cards)} entries`, 'few'),
  ];
}

function count(entries: number): string {
  return entries.toLocaleString('en');
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
