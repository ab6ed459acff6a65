import type { Db } from '../kit/db/database.ts';
import { countWhole, findCountedProgram } from './checking.sql.ts';
import type { KindCount } from './statistics.schema.ts';

/** Of more events that are not counted yet a recount does not ask. */
const mostUncounted = 50_000;

/** What a ledger adds up to, of points that came and went. */
interface Sums {
  readonly issued: bigint;
  readonly redeemed: bigint;
  readonly expired: bigint;
  readonly reversed: bigint;
  readonly adjusted: bigint;
}

/**
 * What the statistics of a program say that its ledger has come to: of one moment, if `db` is a snapshot. Undefined while
 * much is yet to be counted.
 */
export async function sumStatistics(
  db: Db,
  program: { readonly workspaceId: string; readonly programId: string },
): Promise<Sums | undefined> {
  const counted = await findCountedProgram(db, program);
  if (counted === undefined || !counted.isWalked) return undefined;
  if (counted.lastSeq - counted.countedSeq > mostUncounted) return undefined;
  return sumsOf(await countWhole(db, program.workspaceId, counted));
}

function sumsOf(counts: readonly KindCount[]): Sums {
  const of = (kind: string) => counts.find((one) => one.kind === kind);
  const added = (kind: string) => BigInt(of(kind)?.pointsIn ?? 0);
  const taken = (kind: string) => -BigInt(of(kind)?.pointsOut ?? 0);
  const lost = (kind: string) => taken(kind) - added(kind);
  return {
    issued: -lost('earn'),
    redeemed: lost('redeem') + lost('unlock') + lost('cancel') - added('reversal'),
    expired: lost('expire'),
    reversed: taken('reversal'),
    adjusted: -lost('adjust') - lost('import'),
  };
}
