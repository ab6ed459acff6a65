import type pg from 'pg';
import { insertLike } from './insert-like.ts';

/** Entries of a program's ledger, made by SQL as the service would have made them. */
export interface LedgerFilling {
  /** UUIDs. */
  readonly workspaceId: string;
  readonly passId: string;
  readonly programId: string;
  /** How often each card of the pass has earned; every other time the caller gave a reference. */
  readonly entriesPerCard: number;
  /** What it has earned each time. */
  readonly points: number;
}

/**
 * Fills the ledger of cards that have earned nothing yet. One card must have been awarded once by the service, with a
 * reference, and no other: the rows are like those.
 */
export async function fillLedger(pool: pg.Pool, filling: LedgerFilling): Promise<void> {
  const { workspaceId, passId, programId, entriesPerCard, points } = filling;
  const first = 'workspace_id = $1 and program_id = $2';
  const values = [workspaceId, programId];
  const { rows } = await pool.query<{ account: string; ref: string }>(
    `select account_id as account, external_ref as ref from loyalty_entries where ${first}`,
    values,
  );
  const { account, ref } = rows[0] ?? {};
  // They hold each entry against the one before it, which takes longer than to write it.
  await setTriggers(pool, 'disable');
  await insertLike(pool, {
    table: 'loyalty_accounts',
    like: first,
    from: `(select instance_id from instances where workspace_id = $1 and pass_id = $3
              and instance_id not in (select instance_id from loyalty_accounts)) as f`,
    differ: {
      account_id: 'uuidv7()',
      instance_id: 'f.instance_id',
      seq: '$4::bigint',
      balance: '$4::bigint * $5::bigint',
      lifetime_points: '$4::bigint * $5::bigint',
    },
    values: [...values, passId, entriesPerCard, points],
  });
  await insertLike(pool, {
    table: 'loyalty_entries',
    like: first,
    from: `(select account_id, instance_id, n, before from (
              select account_id, instance_id, $3::bigint * (row_number() over (order by account_id) - 1) as before
              from loyalty_accounts where ${first} and account_id <> $4
            ) as a cross join generate_series(1, $3::bigint) n) as f`,
    differ: {
      account_id: 'f.account_id',
      instance_id: 'f.instance_id',
      seq: 'f.n',
      entry_id: 'uuidv7()',
      points: '$5::bigint',
      balance: 'f.n * $5::bigint',
      external_ref: `case when (f.before + f.n) % 2 = 0 then ${refOf('f.before + f.n')} end`,
    },
    values: [...values, entriesPerCard, account, points],
  });
  await setTriggers(pool, 'enable');
  await insertLike(pool, {
    table: 'loyalty_lots',
    like: 'workspace_id = $1 and account_id = $3',
    from: `(select * from loyalty_accounts where ${first} and account_id <> $3) as f`,
    differ: { account_id: 'f.account_id', original: 'f.balance', remaining: 'f.balance' },
    values: [...values, account],
  });
  await insertLike(pool, {
    table: 'operation_claims',
    like: `workspace_id = $1 and operation = 'earnPoints' and key = $2`,
    from: `(select n from generate_series(2, (
              select sum(seq)::bigint from loyalty_accounts where workspace_id = $1 and program_id = $3
            ), 2) n) as f`,
    differ: { key: refOf('f.n'), body: "'{}'" },
    values: [workspaceId, ref, programId],
  });
  await pool.query(
    `update program_totals set issued = sum, outstanding = sum
     from (select sum(balance) from loyalty_accounts where ${first}) as a where ${first}`,
    values,
  );
}

/**
 * The reference of entry `n` of all: in order, so that the index of them grows at its end, which takes least; those of ten
 * million lie as far apart as the random ones of a caller do.
 */
function refOf(n: string): string {
  return `lpad(to_hex((${n})::bigint * 100000000000), 15, '0') || '0'`;
}

async function setTriggers(pool: pg.Pool, to: 'disable' | 'enable'): Promise<void> {
  for (const table of ['loyalty_accounts', 'loyalty_entries'])
    await pool.query(`alter table ${table} ${to} trigger user`);
}
