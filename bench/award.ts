import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { encodeId } from '../src/kit/ids.ts';
import { cardIdOf, tokenOf } from '../test/fill-cards.ts';
import { bareAwards, openBareLedger } from './bare-awards.ts';
import { type BenchResult, report } from './result.ts';
import { type BenchServer, callService, type Service, withPostgres } from './service.ts';
import { anyCard, cards, connections, sendOnce, shopLoad, startShop } from './shop.ts';
import { compare, p99Of, type Rounds, roundMs, takeTurns } from './turns.ts';

/**
 * Awards, redemptions and replays over HTTP, 64 connections, the API in one process, against bare clients that commit
 * the least an award can be, as many of them and on the same server: an entry and a balance, in a transaction each.
 * The cards are installed and there are credits, so each change reserves one and puts a push on its way. The same awards
 * once more in a ledger of ten million entries. All of them take turns, so that a machine that slows down slows each.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const small = await openShop(server, 'small', fewEntries);
    const large = await openShop(server, 'large', manyEntries);
    const spread = await openBareLedger(server, cards, connections);
    const one = { ...spread, accounts: spread.accounts.slice(0, 1) };
    const known = await sendOnce(small, 5_000, () => awardRequest(small, anyCard()));
    const measured = await takeTurns(200, {
      award: () => shopLoad(small, () => awardRequest(small, anyCard())),
      bare: () => bareAwards(spread, roundMs),
      one: () => shopLoad(small, () => awardRequest(small, 0)),
      redeem: () => shopLoad(small, () => redeemRequest(small, anyCard())),
      replay: () => shopLoad(small, () => known[Math.floor(Math.random() * known.length)] ?? ''),
      large: () => shopLoad(large, () => awardRequest(large, anyCard())),
      bareOne: () => bareAwards(one, roundMs),
    });
    return figures(measured);
  });
}

const fewEntries = 10_000;
const manyEntries = 10_000_000;

type Contender = 'award' | 'one' | 'redeem' | 'replay' | 'large' | 'bare' | 'bareOne';

function figures(measured: Rounds<Contender>): BenchResult[] {
  const { ratio, rate, p99 } = compare(measured);
  return [
    {
      name: 'award over HTTP : straight from pg',
      value: ratio('award', 'bare'),
      unit: 'x',
      target: { min: 1 },
    },
    {
      name: 'award, all on one account : straight from pg',
      value: ratio('one', 'bare'),
      unit: 'x',
      target: { min: 0.8 },
    },
    {
      name: 'award, p99 over HTTP : straight from pg',
      value: ratio('award', 'bare', p99Of),
      unit: 'x',
      target: { max: 3 },
      note: `${p99('award')} : ${p99('bare')}`,
    },
    {
      name: 'redeem over HTTP : award straight from pg',
      value: ratio('redeem', 'bare'),
      unit: 'x',
      target: { min: 0.6 },
    },
    {
      name: 'replay over HTTP : award straight from pg',
      value: ratio('replay', 'bare'),
      unit: 'x',
      target: { min: 1 },
    },
    {
      name: `award with ${count(fewEntries)} : ${count(manyEntries)} entries`,
      value: ratio('award', 'large'),
      unit: 'x',
      target: { max: 1.2 },
    },
    rate('award over HTTP', 'award'),
    rate(`award over HTTP, ${count(manyEntries)} entries`, 'large'),
    rate('award over HTTP, all on one account', 'one'),
    rate('redeem over HTTP', 'redeem'),
    rate('replay over HTTP', 'replay'),
    rate('award straight from pg', 'bare'),
    rate('award straight from pg, all on one account', 'bareOne'),
  ];
}

function awardRequest(shop: Service, card: number): string {
  return post(shop, 'points', awardBody(shop, card));
}

function awardBody(shop: Service, card: number): string {
  return `{${target(shop, card)},"points":5,"externalRef":"${randomBytes(8).toString('hex')}"}`;
}

function redeemRequest(shop: Service, card: number): string {
  const body = `{${target(shop, card)},"externalRef":"${randomBytes(8).toString('hex')}"}`;
  return post(shop, 'redeem', body);
}

function post({ headers }: Service, operation: string, body: string): string {
  return `POST /v1/loyalty/${operation} HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The card, and its pass. A third is named by the card's id, a third by the holder, a third by the barcode. */
function target({ passId, publicPassId }: Service, card: number): string {
  const pass = `"passId":"${publicPassId}"`;
  if (card % 3 === 0) return `${pass},"instanceId":"${encodeId('inst', cardIdOf(passId, card))}"`;
  if (card % 3 === 1) return `${pass},"identifier":"holder-${cardIdOf(passId, card)}"`;
  return `${pass},"barcode":"${tokenOf(card).slice(0, 16).toUpperCase()}"`;
}

/** A shop whose cards have earned enough for all the rewards that they will ever ask for. */
async function openShop(server: BenchServer, name: string, entries: number): Promise<Service> {
  const shop = await startShop(server, name, { entriesPerCard: entries / cards, points: 1_000_000 });
  await assertCounted(shop, (entries / cards) * 1_000_000);
  return shop;
}

/** An award moves the balance and puts a push on its way, and its repetition gets the same answer. */
async function assertCounted(shop: Service, balance: number): Promise<void> {
  for (const card of [0, 1, 2]) {
    const body = JSON.parse(awardBody(shop, card));
    const award = () => callService<Record<string, unknown>>(shop, 'POST', '/loyalty/points', body);
    const [first, again] = [await award(), await award()];
    assert.equal(first.balance, balance + 5);
    assert.equal(first.pushed, true);
    assert.deepEqual(again, first);
  }
}

function count(entries: number): string {
  return entries.toLocaleString('en');
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
