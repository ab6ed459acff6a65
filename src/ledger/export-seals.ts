import type { Db } from '../kit/db/database.ts';
import { type LedgerLine, noHash, type SealedEntry, sealsFormat } from './seal-bytes.ts';
import { listSealAccounts, listSeals, listUnsealed } from './seals.sql.ts';

const page = { seals: 500, entries: 20_000 };

/**
 * The sealed entries of a workspace and their seals, in the order in which they can be verified: each seal after the
 * accounts that it covers, each account before the entries that the seal adds to it.
 */
export async function* exportSeals(db: Db, workspaceId: string): AsyncGenerator<LedgerLine> {
  yield { type: 'ledger', format: sealsFormat, workspaceId };
  const newest = { seal: 0, hash: noHash };
  for (let lines = await nextPage(db, workspaceId, 0); lines.length > 0; ) {
    yield* lines;
    const last = lines.at(-1);
    if (last?.type === 'seal') Object.assign(newest, { seal: last.seal, hash: last.hash });
    lines = await nextPage(db, workspaceId, newest.seal);
  }
  yield { type: 'end', seals: newest.seal, head: newest.hash };
}

async function nextPage(db: Db, workspaceId: string, after: number): Promise<LedgerLine[]> {
  const seals = await listSeals(db, workspaceId, after, page);
  const [first, last] = [seals[0], seals.at(-1)];
  if (first === undefined || last === undefined) return [];
  const accounts = await listSealAccounts(db, workspaceId, { first: first.seal, last: last.seal });
  const entries = Map.groupBy(await listUnsealed(db, workspaceId, accounts), ({ accountId }) => accountId);
  const covered = Map.groupBy(accounts, ({ seal }) => seal);
  return seals.flatMap(({ seal, sealedAt, entries: count, hash }): LedgerLine[] => [
    ...(covered.get(seal) ?? []).flatMap(({ accountId, through, hash: head }): LedgerLine[] => [
      { type: 'account', accountId, seq: through, hash: head },
      ...takeUpTo(entries.get(accountId) ?? [], through).map((entry) => ({
        type: 'entry' as const,
        ...entry,
      })),
    ]),
    { type: 'seal', seal, sealedAt, entries: count, hash },
  ]);
}

/** Takes the entries up to a number off the front. */
function takeUpTo(entries: SealedEntry[], through: number): SealedEntry[] {
  const next = entries.findIndex(({ seq }) => Number(seq) > through);
  return entries.splice(0, next === -1 ? entries.length : next);
}
