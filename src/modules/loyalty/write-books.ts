import { placeOf } from '../../engine/lock-order.ts';
import type { Tx } from '../../kit/db/database.ts';
import type { Ending } from '../../kit/db/unit.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import type { NewEntry } from './account.ts';
import { type Book, nextExpiryOf } from './account-book.ts';
import { insertPostings, insertUses, type Totals, updateLots, upsertRewards } from './postings.sql.ts';

/** What has happened in the books of a program's accounts at a moment. */
interface Moves {
  readonly program: ProgramRow;
  readonly books: readonly Book[];
  readonly at: Date;
}

const ending: Ending<Moves[]> = {
  place: placeOf('entries'),
  begin: () => [],
  write: async (tx, all) => {
    await Promise.all(all.map((moves) => write(tx, moves)));
  },
};

/**
 * Has what has happened in the books of a program's accounts written at the end of the unit. The caller holds their
 * cards, and reads none of these accounts again before.
 */
export function writeBooks(tx: Tx, program: ProgramRow, books: readonly Book[], at: Date): void {
  tx.unit.of(ending).push({ program, books, at });
}

async function write(tx: Tx, { program, books, at }: Moves): Promise<void> {
  const moved = books.filter(({ entries }) => entries.length > 0);
  if (moved.length === 0) return;
  const { workspaceId } = program;
  const ofAccount = <Row>(rowsOf: (book: Book) => readonly Row[]) =>
    moved.flatMap((book) => rowsOf(book).map((row) => ({ ...row, accountId: book.account.accountId })));

  const entries = ofAccount((book) =>
    book.entries.map((entry) => ({ ...entry, instanceId: book.account.instanceId })),
  );
  const changedLots = ofAccount((book) =>
    book.lots.filter(
      ({ stored, grown, moved, lapsed }) => stored && (grown > 0 || moved !== 0 || lapsed !== 0),
    ),
  );
  // In one write: none of them needs another's answer.
  await Promise.all([
    insertPostings(
      tx,
      program,
      entries,
      moved.map((book) => ({
        account: { ...book.account, nextExpiryAt: nextExpiryOf(book) },
        read: book.read,
      })),
      ofAccount((book) => book.lots.filter(({ stored }) => !stored)),
      totalsOf(entries),
      at,
    ),
    updateLots(tx, workspaceId, changedLots),
    insertUses(
      tx,
      workspaceId,
      ofAccount((book) => book.uses),
    ),
    upsertRewards(
      tx,
      workspaceId,
      ofAccount((book) => book.rewards.filter(({ changed }) => changed)),
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
    adjusted: sum(({ kind }) => kind === 'adjust' || kind === 'import'),
  };
}
