import type { Tx } from '../../kit/db/database.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import type { NewEntry } from './account.ts';
import { type Book, nextExpiryOf } from './account-book.ts';
import {
  insertAccounts,
  insertPostings,
  insertUses,
  type Totals,
  updateLots,
  upsertRewards,
} from './postings.sql.ts';

/** Writes what has happened in the books of a program's accounts. The caller holds their cards. */
export async function writeBooks(
  tx: Tx,
  program: ProgramRow,
  books: readonly Book[],
  at: Date,
): Promise<void> {
  const moved = books.filter(({ entries }) => entries.length > 0);
  if (moved.length === 0) return;
  const { workspaceId } = program;
  const ofAccount = <Row>(rowsOf: (book: Book) => readonly Row[]) =>
    moved.flatMap((book) => rowsOf(book).map((row) => ({ ...row, accountId: book.account.accountId })));

  await insertAccounts(
    tx,
    moved.filter(({ read }) => read.seq === 0).map(({ account }) => account),
    at,
  );
  const entries = ofAccount((book) =>
    book.entries.map((entry) => ({ ...entry, instanceId: book.account.instanceId })),
  );
  await insertPostings(
    tx,
    program,
    entries,
    moved.map((book) => ({
      account: { ...book.account, nextExpiryAt: nextExpiryOf(book) },
      read: book.read,
    })),
    ofAccount((book) => book.lots.filter(({ stored }) => !stored)),
    totalsOf(entries),
  );
  await updateLots(
    tx,
    workspaceId,
    ofAccount((book) =>
      book.lots.filter(
        ({ stored, grown, moved, lapsed }) => stored && (grown > 0 || moved !== 0 || lapsed !== 0),
      ),
    ),
  );
  await insertUses(
    tx,
    workspaceId,
    ofAccount((book) => book.uses),
  );
  await upsertRewards(
    tx,
    workspaceId,
    ofAccount((book) => book.rewards.filter(({ changed }) => changed)),
  );
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
