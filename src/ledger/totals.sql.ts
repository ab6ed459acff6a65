import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';

/** The totals of a program are spread over so many rows: calls at the same time seldom wait for the same one. */
export const totalShards = 16;

/** What entries add to the totals of their program. */
export interface Totals {
  readonly issued: bigint;
  readonly redeemed: bigint;
  readonly expired: bigint;
  readonly reversed: bigint;
  readonly adjusted: bigint;
}

/** What a program has given out and taken back. */
export interface ProgramTotals {
  readonly issued: bigint;
  readonly redeemed: bigint;
  readonly expired: bigint;
  readonly reversed: bigint;
  readonly adjusted: bigint;
  /** The sum of all balances. */
  readonly outstanding: bigint;
}

/** The totals of a program as they are kept, summed over their shards. */
export async function readTotals(
  db: Db,
  { workspaceId, programId }: Pick<ProgramRow, 'workspaceId' | 'programId'>,
): Promise<ProgramTotals> {
  const { rows } = await sql<Record<keyof ProgramTotals, string | null>>`
    select sum(issued)::text as issued, sum(redeemed)::text as redeemed, sum(expired)::text as expired,
      sum(reversed)::text as reversed, sum(adjusted)::text as adjusted, sum(outstanding)::text as outstanding
    from program_totals
    where workspace_id = ${workspaceId} and program_id = ${programId}
  `.execute(db);
  const total = (name: keyof ProgramTotals) => BigInt(rows[0]?.[name] ?? 0);
  return {
    issued: total('issued'),
    redeemed: total('redeemed'),
    expired: total('expired'),
    reversed: total('reversed'),
    adjusted: total('adjusted'),
    outstanding: total('outstanding'),
  };
}
