import type { PublicCtx } from '../context.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { NewEntry } from './account.ts';
import { type AccountLedger, nextExpiryOf } from './account-ledger.ts';
import { emitEntryEvents } from './emit-entry-events.ts';
import { insertPostings, insertUses, updateLots, upsertRewards } from './postings.sql.ts';
import type { Totals } from './totals.sql.ts';

/** What has happened in a program's accounts at a moment. */
interface Moves {
  readonly program: ProgramRow;
  readonly ledgers: readonly AccountLedger[];
  readonly at: Date;
}

const deferred: DeferredWrite<Moves[]> = {
  lockRank: lockRankOf('entries'),
  isFinal: () => true,
  empty: () => [],
  write: async (tx, all) => {
    await Promise.all(all.map((moves) => write(tx, moves)));
  },
};

/**
 * Has the changes of a program's accounts written, and their events emitted, at the end of the unit. The caller has locked
 * their cards, and reads none of these accounts again before.
 */
export function writeLedgers(
  tx: Tx,
  ctx: PublicCtx,
  program: ProgramRow,
  ledgers: readonly AccountLedger[],
  at: Date,
): void {
  emitEntryEvents(tx, ctx, program, ledgers);
  tx.unit.of(deferred).push({ program, ledgers, at });
}

async function write(tx: Tx, { program, ledgers, at }: Moves): Promise<void> {
  const moved = ledgers.filter(({ entries }) => entries.length > 0);
  if (moved.length === 0) return;
  const { workspaceId } = program;
  const ofAccount = <Row>(rowsOf: (ledger: AccountLedger) => readonly Row[]) =>
    moved.flatMap((ledger) => rowsOf(ledger).map((row) => ({ ...row, accountId: ledger.account.accountId })));

  const entries = ofAccount((ledger) =>
    ledger.entries.map((entry) => ({ ...entry, instanceId: ledger.account.instanceId })),
  );
  const changedLots = ofAccount((ledger) =>
    ledger.lots.filter(
      ({ stored, grown, moved, lapsed }) => stored && (grown > 0 || moved !== 0 || lapsed !== 0),
    ),
  );
  // In one write: none of them needs another's answer.
  await Promise.all([
    insertPostings(
      tx,
      program,
      entries,
      moved.map((ledger) => ({
        account: { ...ledger.account, nextExpiryAt: nextExpiryOf(ledger) },
        read: ledger.read,
      })),
      ofAccount((ledger) => ledger.lots.filter(({ stored }) => !stored)),
      totalsOf(entries),
      at,
    ),
    updateLots(tx, workspaceId, changedLots),
    insertUses(
      tx,
      workspaceId,
      ofAccount((ledger) => ledger.uses),
    ),
    upsertRewards(
      tx,
      workspaceId,
      ofAccount((ledger) => ledger.rewards.filter(({ changed }) => changed)),
    ),
  ]);
}

/** Sums may be beyond what a number can say exactly. Redeems and unlocked rewards count as redeemed, whatever undoes them against it. */
function totalsOf(entries: readonly NewEntry[]): Totals {
  const sum = (counts: (entry: NewEntry) => boolean) =>
    entries.filter(counts).reduce((total, entry) => total + BigInt(entry.points), 0n);
  return {
    issued: sum(({ kind }) => kind === 'earn'),
    redeemed: -sum(
      ({ kind, points }) =>
        kind === 'redeem' || kind === 'unlock' || kind === 'cancel' || (kind === 'reversal' && points > 0),
    ),
    expired: -sum(({ kind }) => kind === 'expire'),
    reversed: -sum(({ kind, points }) => kind === 'reversal' && points < 0),
    adjusted: sum(({ kind }) => ['adjust', 'correction', 'import'].includes(kind)),
  };
}
