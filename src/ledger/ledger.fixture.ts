import pg from 'pg';
import { makeCard, makePass } from '../../test/factories.ts';
import type { TestApp } from '../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';

/** A workspace with a program; all ids are UUIDs. */
export interface TestLedger {
  readonly workspaceId: string;
  /** ws_… */
  readonly publicId: string;
  readonly programId: string;
  /** A card with an honest account of four entries: earn 100, redeem 30, the redeem undone, 10 for a reward. */
  addAccount(): Promise<string>;
  /** One more earn of 5 points, committed when `hold` resolves. */
  earn(accountId: string, hold?: Promise<unknown>): Promise<void>;
  /** Statements that no trigger of the ledger minds. */
  damage(statement: string, values?: unknown[]): Promise<void>;
}

export async function makeLedger(app: TestApp): Promise<TestLedger> {
  const { workspaceId: publicId, client } = await app.newWorkspace();
  const pass = await makePass(client);
  const made = await client.post('/loyalty/programs', {
    passId: pass.passId,
    mode: 'POINTS',
    reward: { title: 'Free coffee', cost: 30 },
  });
  const workspaceId = uuidOf('ws', publicId);
  // Its entries emit no events: statistics, which count those, are not compared with them while a walk is to come.
  await app.sql(
    `insert into statistics_walks (workspace_id, pass_id, stage, due_at) values ($1, $2, 'cards', 'infinity')`,
    [workspaceId, uuidOf('pass', pass.passId)],
  );
  const programId = uuidOf('prog', made.body.programId);

  // As the service makes them: by its own clock.
  const newId = () => newUuidV7(app.running.app.now().getTime());
  return {
    workspaceId,
    publicId,
    programId,
    async addAccount() {
      const card = await makeCard(client, pass.passId);
      const accountId = newId();
      const ids = [1, 2, 3, 4].map(() => newId());
      const account = [workspaceId, accountId, programId, uuidOf('inst', card.instanceId)];
      await app.sql(
        `insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, created_at)
         values ($1, $2, $3, $4, now())`,
        account,
      );
      await app.sql(firstEntries, [...account, ids]);
      return accountId;
    },
    earn: (accountId, hold) =>
      connected(app, async (db) => {
        await db.query('begin');
        // One statement: entries and accounts are held against each other when it ends.
        await db.query(oneEarn, [workspaceId, accountId, newId(), hold === undefined ? 1 : 15]);
        await hold;
        await db.query('commit');
      }),
    damage: (statement, values = []) =>
      connected(app, async (db) => {
        await db.query('set session_replication_role = replica');
        await db.query(statement, values);
      }),
  };
}

async function connected(app: TestApp, work: (db: pg.Client) => Promise<void>): Promise<void> {
  const db = new pg.Client({ connectionString: app.databaseUrl });
  await db.connect();
  await db.query("set lock_timeout = '10s'");
  try {
    await work(db);
  } finally {
    await db.end();
  }
}

function uuidOf(prefix: string, id: string): string {
  const uuid = decodeId(prefix, id);
  if (uuid === null) throw new Error(`${id} is no ${prefix}_…`);
  return uuid;
}

/** How an account is called in findings. */
export function publicAccount(accountId: string): string {
  return encodeId('account', accountId);
}

const firstEntries = `
  with entries as (
    insert into loyalty_entries (workspace_id, account_id, program_id, instance_id, entry_id, seq, kind, points, balance,
      expires_at, reason, reversal_of, actor, occurred_at, created_at)
    select $1, $2, $3, $4, ($5::uuid[])[e.seq], e.seq, e.kind, e.points, e.balance,
      case when e.seq = 1 then 'infinity'::timestamptz end, case when e.seq = 3 then 'Zurück – 退款 🎁' end,
      case when e.seq = 3 then 2 end, 'key_1', now(), now()
    from (values (1, 'earn', 100, 100), (2, 'redeem', -30, 70), (3, 'reversal', 30, 100), (4, 'unlock', -10, 90))
      as e(seq, kind, points, balance)
  ), account as (
    update loyalty_accounts set seq = 4, balance = 90, lifetime_points = 100, pending_rewards = 1
    where workspace_id = $1 and account_id = $2
  ), lots as (
    insert into loyalty_lots (workspace_id, account_id, expires_at, original, remaining)
    values ($1, $2, 'infinity', 100, 90)
  ), uses as (
    insert into loyalty_lot_uses (workspace_id, account_id, seq, expires_at, amount)
    values ($1, $2, 2, 'infinity', 30), ($1, $2, 3, 'infinity', -30), ($1, $2, 4, 'infinity', 10)
  ), reward as (
    insert into rewards (workspace_id, account_id, seq, title, threshold, status)
    values ($1, $2, 4, 'Free coffee', 10, 'pending')
  )
  insert into program_totals as t (workspace_id, program_id, shard, issued, redeemed, outstanding)
  values ($1, $3, 3, 100, 10, 90)
  on conflict (workspace_id, program_id, shard) do update set issued = t.issued + excluded.issued,
    redeemed = t.redeemed + excluded.redeemed, outstanding = t.outstanding + excluded.outstanding`;

const oneEarn = `
  with account as (
    update loyalty_accounts set seq = seq + 1, balance = balance + 5, lifetime_points = lifetime_points + 5
    where workspace_id = $1 and account_id = $2
    returning *
  ), entry as (
    insert into loyalty_entries (workspace_id, account_id, program_id, instance_id, entry_id, seq, kind, points, balance,
      expires_at, actor, occurred_at, created_at)
    select workspace_id, account_id, program_id, instance_id, $3, seq, 'earn', 5, balance, 'infinity', 'key_1', now(), now()
    from account
  ), lots as (
    update loyalty_lots set original = original + 5, remaining = remaining + 5 where workspace_id = $1 and account_id = $2
  )
  insert into program_totals as t (workspace_id, program_id, shard, issued, outstanding)
  select workspace_id, program_id, $4, 5, 5 from account
  on conflict (workspace_id, program_id, shard) do update
  set issued = t.issued + excluded.issued, outstanding = t.outstanding + excluded.outstanding`;
