import type pg from 'pg';

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

/** Fills the ledger of cards that have earned nothing yet; an empty one only, since the totals are set, not added to. */
export async function fillLedger(pool: pg.Pool, filling: LedgerFilling): Promise<void> {
  const { workspaceId, passId, programId, entriesPerCard, points } = filling;
  // They hold each entry against the one before it, which takes longer than to write it.
  await setTriggers(pool, 'disable');
  await pool.query(
    `insert into loyalty_accounts
       (workspace_id, account_id, program_id, instance_id, seq, balance, lifetime_points, last_earned_at, created_at)
     select $1, uuidv7(), $3, instance_id, $4::bigint, $4::bigint * $5::bigint, $4::bigint * $5::bigint,
       now() - interval '1 day', now() - interval '1 day'
     from instances where workspace_id = $1 and pass_id = $2`,
    [workspaceId, passId, programId, entriesPerCard, points],
  );
  await pool.query(
    `insert into loyalty_entries (workspace_id, account_id, seq, entry_id, program_id, instance_id, kind, points, balance,
       expires_at, external_ref, actor, occurred_at, created_at)
     select $1, account_id, n, uuidv7(), $2, instance_id, 'earn', $3::bigint, n * $3::bigint,
       'infinity', case when (before + n) % 2 = 0 then ${refOf('before + n')} end, 'key_' || repeat('0', 26),
       created_at, created_at
     from (
       select *, seq * (row_number() over (order by account_id) - 1) as before from loyalty_accounts
       where workspace_id = $1 and program_id = $2
     ) as a
     cross join generate_series(1, a.seq) n`,
    [workspaceId, programId, points],
  );
  await setTriggers(pool, 'enable');
  await pool.query(
    `with lot as (
       insert into loyalty_lots (workspace_id, account_id, expires_at, original, remaining)
       select $1, account_id, 'infinity', balance, balance from loyalty_accounts
       where workspace_id = $1 and program_id = $2
     ), total as (
       insert into program_totals (workspace_id, program_id, shard, issued, outstanding)
       select $1, $2, 0, sum(balance), sum(balance) from loyalty_accounts
       where workspace_id = $1 and program_id = $2
     )
     insert into operation_claims (workspace_id, operation, key, fingerprint, request_id, status, body)
     select $1, 'earnPoints', ${refOf('n')}, '\\x00', 'filled', 200, '{}'
     from generate_series(
       2, (select sum(seq) from loyalty_accounts where workspace_id = $1 and program_id = $2), 2
     ) n`,
    [workspaceId, programId],
  );
  await pool.query(
    'vacuum (analyze) loyalty_accounts, loyalty_entries, loyalty_lots, program_totals, operation_claims',
  );
  await pool.query('checkpoint');
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
