import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { until } from '../../test/wallets.ts';
import { noCause, reserveCredits } from '../credits/credits.ts';
import { giveUpPushes } from '../delivery/give-up-pushes.job.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { upsertPushes, type WalletName } from './pushes.sql.ts';
import { recordPushOutcomes } from './record-push-outcomes.ts';

const app = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'settle' };

const plain = { repaid: false, rolledOut: false, messageId: null };

/** Cards whose newest state is on its way to these wallets, at a credit each. */
async function cardsOnTheirWay(count: number, wallets: readonly WalletName[]) {
  const { client, workspaceId } = await app.newWorkspace();
  const { passId } = await makePass(client);
  const issued = await inParallel(count, () => makeCard(client, passId));
  const ids = { workspaceId: decodeId('ws', workspaceId) ?? '', passId: decodeId('pass', passId) ?? '' };
  const holds = (wallet: WalletName) => (wallets.includes(wallet) ? 1 : 0);
  const cards = issued.map(({ instanceId }) => ({
    ...ids,
    instanceId: decodeId('inst', instanceId) ?? '',
    appleWallets: holds('apple'),
    googleWallets: holds('google'),
    webWallets: holds('web'),
    requestId: ctx.requestId,
  }));
  const at = new Date();
  await ctx.app.database.transaction(async (tx) => {
    await upsertPushes(tx, ids.workspaceId, cards, { ...plain, at });
    await reserveCredits(tx, ctx, ids.workspaceId, count, noCause);
  });
  const credits = async () => (await client.get('/credits')).body;
  const left = () => app.sql('select * from pushes where workspace_id = $1', [ids.workspaceId]);
  return { cards, client, credits, left };
}

type Cards = Awaited<ReturnType<typeof cardsOnTheirWay>>['cards'];

function settle(wallet: WalletName, cards: Cards, failure: string | null = null): Promise<void> {
  return ctx.app.database.transaction((tx) => recordPushOutcomes(tx, ctx, { wallet, cards, failure }));
}

describe('what has waited for a week', () => {
  it('is given up wallet by wallet: credits are not held while a card is waited for, and one that is renewed before that stays', async () => {
    const { workspaceId, client } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const ids = { workspaceId: decodeId('ws', workspaceId) ?? '', passId: decodeId('pass', passId) ?? '' };
    await waiting('appleWallets');
    const second = await waiting('googleWallets');
    const other = new pg.Client(app.databaseUrl);
    await other.connect();
    await other.query("set lock_timeout = '2s'");
    await other.query('begin');
    await other.query('update pushes set created_at = now() where instance_id = $1', [second]);
    const givingUp = giveUpPushes(ctx);
    await until('it waits for the card', async () => (await waiters()) === 1);
    await other.query('select from credit_accounts where workspace_id = $1 for update', [ids.workspaceId]);
    await other.query('commit');
    await other.end();
    await givingUp;
    const left = await app.sql<{ instance_id: string }>('select * from pushes where workspace_id = $1', [
      ids.workspaceId,
    ]);
    assert.deepEqual(
      left.map(({ instance_id }) => instance_id),
      [second],
    );
    assert.deepEqual((await client.get('/credits')).body, { balance: 99, reserved: 1, spent: 0 });
    await assertInvariants(app.sql);

    /** A card of one wallet, which has waited for it for eight days. */
    async function waiting(wallet: 'appleWallets' | 'googleWallets'): Promise<string> {
      const instanceId = decodeId('inst', (await makeCard(client, passId)).instanceId) ?? '';
      const wallets = { appleWallets: 0, googleWallets: 0, webWallets: 0, [wallet]: 1 };
      const card = { ...ids, instanceId, ...wallets, requestId: ctx.requestId };
      const at = new Date(Date.now() - 8 * 86_400_000);
      await ctx.app.database.transaction(async (tx) => {
        await upsertPushes(tx, ids.workspaceId, [card], { ...plain, at });
        await reserveCredits(tx, ctx, ids.workspaceId, 1, noCause);
      });
      return instanceId;
    }
  });

  async function waiters(): Promise<number> {
    const rows = await app.sql(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return rows.length;
  }
});

describe('cards in several wallets', () => {
  it('cost one credit, spent when the first wallet was notified', async () => {
    const { cards, credits, left } = await cardsOnTheirWay(2, ['apple', 'google', 'web']);
    await settle('google', cards);
    assert.deepEqual(await credits(), { balance: 98, reserved: 0, spent: 2 });
    await settle('web', cards, '410');
    await settle('apple', cards);
    assert.deepEqual(await credits(), { balance: 98, reserved: 0, spent: 2 });
    assert.deepEqual(await left(), []);
    await assertInvariants(app.sql);
  });

  it('get their credit back once, when the last wallet has failed', async () => {
    const { cards, credits, left } = await cardsOnTheirWay(2, ['apple', 'google']);
    await settle('apple', cards, 'Unregistered');
    assert.deepEqual(await credits(), { balance: 98, reserved: 2, spent: 0 });
    await settle('google', cards, 'refused');
    await settle('google', cards, 'refused');
    assert.deepEqual(await credits(), { balance: 100, reserved: 0, spent: 0 });
    assert.deepEqual(await left(), []);
    await assertInvariants(app.sql);
  });

  it('are settled once also when their wallets answer at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { cards, credits, left } = await cardsOnTheirWay(20, ['apple', 'google', 'web']);
      const failure = round % 2 === 0 ? null : 'away';
      await Promise.all([
        settle('apple', cards, failure),
        settle('google', [...cards].reverse(), 'refused'),
        settle('web', cards, failure),
      ]);
      const spent = failure === null ? 20 : 0;
      assert.deepEqual(await credits(), { balance: 100 - spent, reserved: 0, spent });
      assert.deepEqual(await left(), []);
    }
    await assertInvariants(app.sql);
  });

  it('count for each message that the push brings, once, and never for a wallet after the first', async () => {
    const { cards, client, credits } = await cardsOnTheirWay(3, ['apple', 'google']);
    const [first] = cards;
    const ids: string[] = [];
    for (const text of ['One', 'Other']) {
      const path = `/passes/${encodeId('pass', first?.passId ?? '')}/messages`;
      const messageId = decodeId('push', (await client.post(path, { text })).body.messageId) ?? '';
      ids.push(messageId);
      await ctx.app.database.transaction(async (tx) => {
        await upsertPushes(tx, first?.workspaceId ?? '', cards, { ...plain, messageId, at: new Date() });
        await reserveCredits(tx, ctx, first?.workspaceId ?? '', 3, noCause);
      });
    }
    await settle('apple', cards.slice(0, 1));
    await settle('apple', cards.slice(1), 'Unregistered');
    await settle('google', cards.slice(0, 2), 'refused');
    const counted = async () =>
      app.sql(
        'select distinct delivered::int, failed::int from message_deliveries where rollout_id = any($1)',
        [ids],
      );
    assert.deepEqual(await counted(), [{ delivered: 1, failed: 1 }]);
    await settle('google', cards);
    assert.deepEqual(await counted(), [{ delivered: 2, failed: 1 }]);
    assert.deepEqual(await credits(), { balance: 94, reserved: 0, spent: 6 });
    await assertInvariants(app.sql);
  });
});
