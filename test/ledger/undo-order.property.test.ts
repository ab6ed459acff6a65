import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeId } from '../../src/kit/ids.ts';
import { expirePoints } from '../../src/loyalty/expire-points.job.ts';
import type { Client } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { askForOrder } from './order-items.ts';
import { LedgerReader } from './snapshot.ts';

const schedules = Number(process.env.LEDGER_SEQUENCES ?? 24);
const seed = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31);
const timeout = 3_600_000;
const day = 86_400_000;
const firstMoment = Date.UTC(2032, 0, 29, 9, 30);

const app = await startTestApp({ WORKERS: 'off' });
const reader = new LedgerReader(app.databaseUrl);

/** What happens to both of two cards alike, a while after what was before. */
type Cause = { readonly days: number } & (
  | { readonly op: 'earn'; readonly points: number; readonly isOfOrder: boolean }
  | { readonly op: 'redeem' }
  | { readonly op: 'adjust'; readonly points: number }
  | { readonly op: 'undo'; readonly back: number; readonly points: number }
  | { readonly op: 'undoRedeem'; readonly back: number }
);

interface Schedule {
  readonly mode: 'POINTS' | 'STAMPS';
  readonly price: number;
  readonly refundPolicy: 'debt' | 'within_balance';
  readonly causes: readonly Cause[];
  /** Which earn is undone, and how much of it. */
  readonly undone: { readonly back: number; readonly points: number };
  /** The earns between its undoing on one card and on the other. */
  readonly earnedBetween: readonly (Cause & { op: 'earn' })[];
  readonly days: number;
}

interface Earn {
  readonly entryId: string;
  readonly isOfOrder: boolean;
  readonly expiresAt: number;
  left: number;
}

const days = fc.constantFrom(0, 0, 0, 0, 1, 9, 20, 32);
const size = fc.integer({ min: 1, max: 12 });
const back = fc.nat({ max: 4 });
const earn = fc.record({ op: fc.constant('earn' as const), days, points: size, isOfOrder: fc.boolean() });
const causes: fc.Arbitrary<Cause> = fc.oneof(
  { weight: 6, arbitrary: earn },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('redeem' as const), days }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('adjust' as const),
      days,
      points: size.map((points) => (points > 8 ? points : -points)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('undo' as const), days, back, points: size }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('undoRedeem' as const), days, back }) },
);
const schedule: fc.Arbitrary<Schedule> = fc.record({
  mode: fc.constantFrom('POINTS', 'STAMPS'),
  price: fc.integer({ min: 2, max: 9 }),
  refundPolicy: fc.constantFrom('debt', 'within_balance'),
  causes: fc.array(causes, { minLength: 2, maxLength: 14, size: 'max' }),
  undone: fc.record({ back, points: size }),
  earnedBetween: fc.array(earn, { maxLength: 3 }),
  days: fc.integer({ min: 0, max: 70 }),
});

/** A card with the entries that can be undone. */
class Twin {
  readonly earns: Earn[] = [];
  readonly redeems: string[] = [];
  readonly #client: Client;
  readonly #workspaceId: string;
  readonly #passId: string;
  readonly instanceId: string;

  constructor(client: Client, workspaceId: string, passId: string, instanceId: string) {
    this.#client = client;
    this.#workspaceId = workspaceId;
    this.#passId = passId;
    this.instanceId = instanceId;
  }

  /** What came of it. */
  async cause(cause: Cause): Promise<string> {
    const card = { passId: this.#passId, instanceId: this.instanceId };
    switch (cause.op) {
      case 'earn':
        return this.#earn(cause);
      case 'redeem': {
        const { status, body } = await this.#client.post('/loyalty/redeem', card);
        if (status === 200) this.redeems.push(body.entryId);
        return `${status} ${body.balance}`;
      }
      case 'adjust': {
        const { points } = cause;
        const { status, body } = await this.#client.post('/loyalty/adjust', {
          ...card,
          points,
          reason: 'a mistake',
        });
        return `${status} ${body.balance}`;
      }
      case 'undo': {
        const open = this.earns.filter(({ left }) => left > 0);
        const earn = open[open.length - 1 - cause.back];
        return earn === undefined ? 'nothing' : this.undo(earn, cause.points);
      }
      case 'undoRedeem': {
        const [entryId] = this.redeems.splice(-1 - cause.back, 1);
        return entryId === undefined ? 'nothing' : this.#reverse(entryId);
      }
    }
  }

  /** Takes the points of an earn again; of an order's some of them. */
  async undo(earn: Earn, points: number): Promise<string> {
    const { entryId, isOfOrder, left } = earn;
    const part = isOfOrder ? Math.min(points, left) : left;
    earn.left -= part;
    if (!isOfOrder) return this.#reverse(entryId);
    const call = { op: 'refund', entryId, points: part } as const;
    const { status, body } = await askForOrder(app, this.#workspaceId, this.#passId, call);
    return `${status} ${body.points}`;
  }

  async #earn({ points, isOfOrder }: Cause & { op: 'earn' }): Promise<string> {
    const target = { by: 'instanceId', value: this.instanceId } as const;
    const call = { op: 'earn', target, points, ref: null, occurredAt: null, isOfOrder } as const;
    const { status, body } = isOfOrder
      ? await askForOrder(app, this.#workspaceId, this.#passId, call)
      : await this.#client.post('/loyalty/points', {
          passId: this.#passId,
          instanceId: this.instanceId,
          points,
        });
    const entryId = String(body.entryId);
    const [row] = await app.sql<{ at: Date }>(
      'select expires_at as at from loyalty_entries where entry_id = $1',
      [decodeId('entry', entryId)],
    );
    assert.ok(row, JSON.stringify(body));
    this.earns.push({ entryId, isOfOrder, left: points, expiresAt: row.at.getTime() });
    return `${status} ${body.balance}`;
  }

  async #reverse(entryId: string): Promise<string> {
    const { status, body } = await this.#client.post(`/loyalty/entries/${entryId}/reverse`, {});
    assert.equal(status, 200, JSON.stringify(body));
    return `${status} ${body.points} ${body.balance}`;
  }
}

describe('undoing points', { timeout }, () => {
  it('comes to the same before and after they expire', { timeout }, async (t) => {
    let compared = 0;
    const property = fc.asyncProperty(schedule, async (one) => {
      if (await comesToTheSame(one)) compared += 1;
    });
    await reader.open();
    try {
      await fc.assert(property, { seed, numRuns: schedules, unbiased: true });
    } finally {
      // Its database cannot be dropped while a client is connected to it.
      await reader.close();
    }
    t.diagnostic(`${compared} of ${schedules} schedules compared, seed ${seed}`);
    assert.ok(compared > schedules / 3, 'too few schedules leave something to undo');
    await assertInvariants(app.sql);
  });
});

/** Plays a schedule; false where it leaves nothing whose expiry is the next one. */
async function comesToTheSame({
  causes,
  undone,
  earnedBetween,
  days: rest,
  ...program
}: Schedule): Promise<boolean> {
  let now = firstMoment;
  app.stopClock(now);
  const { client, workspaceId: publicId } = await app.newWorkspace('pro', 1_000);
  const workspaceId = decodeId('ws', publicId) ?? '';
  const passId = await begin(client, program);
  const twin = async () => new Twin(client, workspaceId, passId, (await makeCard(client, passId)).instanceId);
  const [early, late] = [await twin(), await twin()];
  const wait = async (days: number) => {
    now += days * day;
    app.stopClock(now);
    await expireAll();
  };
  for (const cause of causes) {
    await wait(cause.days);
    assert.equal(await early.cause(cause), await late.cause(cause));
  }

  const state = async ({ instanceId }: Twin) => {
    const { accounts, broken } = await reader.read(workspaceId, {});
    assert.deepEqual(broken, []);
    const account = accounts.find((one) => one.instanceId === instanceId);
    const { balance, lifetime, pendingRewards, nextExpiryAt, rewards } = account ?? {};
    // What was earned by one who owed went into no lot.
    const lots = account?.lots.filter(([, remaining, expired]) => remaining + expired > 0) ?? [];
    return { balance, lifetime, pendingRewards, nextExpiryAt, lots, rewards };
  };
  const { lots } = await state(early);
  // Points that expire earlier would have been spent before them.
  const isNext = ({ left, expiresAt }: Earn) =>
    left > 0 &&
    expiresAt > now &&
    lots.every(([at, remaining]) => remaining === 0 || at === null || at >= expiresAt);
  const open = early.earns.flatMap((earn, place) => (isNext(earn) ? [place] : []));
  const place = open[open.length - 1 - (undone.back % Math.max(1, open.length))];
  const [first, second] = [early.earns[place ?? -1], late.earns[place ?? -1]];
  if (first === undefined || second === undefined) return false;

  await early.undo(first, undone.points);
  // Where nothing is owed, or rewards hold points, points that are earned in between make a difference.
  for (const cause of program.mode === 'POINTS' && program.refundPolicy === 'debt' ? earnedBetween : []) {
    await wait(cause.days);
    await early.cause(cause);
    await late.cause(cause);
  }
  await wait(Math.max(0, Math.ceil((first.expiresAt - now) / day)) + rest);
  await late.undo(second, undone.points);
  await expireAll();
  assert.deepEqual(await state(late), await state(early));
  return true;
}

async function begin(
  client: Client,
  { mode, price, refundPolicy }: Pick<Schedule, 'mode' | 'price' | 'refundPolicy'>,
): Promise<string> {
  await client.patch('/workspace', { timezone: 'UTC' });
  const { passId } = await makePass(client);
  const { status, body, text } = await client.post('/loyalty/programs', {
    passId,
    mode,
    reward: { title: 'Free coffee', ...(mode === 'POINTS' && { cost: price }) },
    ...(mode === 'STAMPS' && { threshold: price }),
    expiry: { months: 1 },
    refundPolicy,
  });
  assert.equal(status, 201, text);
  await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
  return passId;
}

async function expireAll(): Promise<void> {
  while (await expirePoints({ app: app.running.app, requestId: 'ledger' })) {}
}
