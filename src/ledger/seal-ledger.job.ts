import type { PublicCtx } from '../context.ts';
import { leaseDue, lockLeased } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { firstIdSince } from '../kit/ids.ts';
import {
  accountHash,
  noHash,
  type SealedAccount,
  type SealedEntry,
  sealedMoment,
  sealHash,
} from './seal-bytes.ts';
import {
  insertSeal,
  insertTurn,
  listNewAccounts,
  listOverlooked,
  listUnsealed,
  listUnturned,
  newestSeal,
  type SealTurn,
  saveTurn,
  sealTurns,
  type Unsealed,
} from './seals.sql.ts';

const minuteMs = 60_000;
/** Entries may be committed this long after they were made, and clocks may differ as much. */
const lateMs = 5 * minuteMs;
/** New entries are looked for in spans: a worker that was away for long catches up in several turns. */
const spanMs = 3 * minuteMs;
const most = { accounts: 1_000, entries: 20_000 };

/**
 * Seals what is new in the workspace that waited longest, a minute after its last turn at the earliest. False when none
 * has waited as long. Entries that are not committed yet are not seen, and covered by a later seal: what counts is the
 * number of the entry in its account, not its time.
 */
export async function sealLedgers(ctx: PublicCtx): Promise<boolean> {
  const { database, now, config } = ctx.app;
  if (!config.ledgerSeals) return false;
  for (const workspaceId of await listUnturned(database.db))
    await database.transaction((tx) => insertTurn(tx, workspaceId, now()));
  const minuteAgo = new Date(now().getTime() - minuteMs);
  const on = { app: ctx.app, queue: sealTurns };
  const [next] = await leaseDue(on, { now: minuteAgo, until: now(), most: 1 });
  if (next === undefined) return false;
  await database.transaction(async (tx) => {
    const turn = await lockLeased(tx, sealTurns, next);
    if (turn !== undefined) await sealNext(tx, turn, now());
  });
  return true;
}

/** Seals what is new, and what a slow walk over all accounts finds beside it. */
async function sealNext(tx: Tx, turn: SealTurn, at: Date): Promise<void> {
  const { workspaceId, seenUntil } = turn;
  const until = new Date(Math.min(at.getTime(), seenUntil.getTime() + spanMs));
  const ids = {
    from: firstIdSince(new Date(seenUntil.getTime() - lateMs)),
    until: firstIdSince(new Date(until.getTime() + lateMs)),
  };
  const newer = await listNewAccounts(tx, workspaceId, ids, most.accounts);
  const walk = await listOverlooked(tx, turn, most.accounts);
  const found = new Map([...newer, ...walk.accounts].map((account) => [account.accountId, account]));
  const { accounts, isAll } = atMost(
    [...found.values()].sort((a, b) => (a.accountId < b.accountId ? -1 : 1)),
  );
  const sealed = await seal(tx, workspaceId, accounts, at);

  // Where nothing could be sealed the ledger is damaged: to come back at once would not help.
  const isSeen = sealed === 0 || (isAll && newer.length < most.accounts);
  const isBehind = until < at || !isSeen || (sealed > 0 && walk.accounts.length > 0);
  const cursor = isAll || sealed === 0 ? walk.last : turn.cursor;
  // Who has not caught up is due again, behind those who have waited longer.
  const turnAt = isBehind ? new Date(at.getTime() - minuteMs - 1) : at;
  await saveTurn(tx, { workspaceId, seenUntil: isSeen ? until : seenUntil, cursor, turnAt });
}

/** As many as fit into one seal; an account with very many entries is sealed in parts. */
function atMost(found: readonly Unsealed[]): { accounts: Unsealed[]; isAll: boolean } {
  const accounts: Unsealed[] = [];
  let left = most.entries;
  for (const account of found.slice(0, most.accounts)) {
    if (left === 0) break;
    const through = Math.min(account.through, account.after + left);
    accounts.push({ ...account, through });
    left -= through - account.after;
  }
  const isAll = accounts.length === found.length && accounts.at(-1)?.through === found.at(-1)?.through;
  return { accounts, isAll };
}

/** Returns how many accounts were sealed. */
async function seal(tx: Tx, workspaceId: string, unsealed: readonly Unsealed[], at: Date): Promise<number> {
  if (unsealed.length === 0) return 0;
  const entries = Map.groupBy(await listUnsealed(tx, workspaceId, unsealed), ({ accountId }) => accountId);
  const accounts = unsealed.flatMap((account) => sealAccount(account, entries.get(account.accountId) ?? []));
  if (accounts.length === 0) return 0;
  const newest = await newestSeal(tx, workspaceId);
  const contents = {
    workspaceId,
    seal: (newest?.seal ?? 0) + 1,
    sealedAt: sealedMoment(at),
    entries: accounts.reduce((sum, account) => sum + (entries.get(account.accountId)?.length ?? 0), 0),
    accounts,
  };
  await insertSeal(tx, contents, sealHash(newest?.hash ?? noHash, contents));
  return accounts.length;
}

/** An account with its new hash; none when an entry is missing: that is for the audit to tell. */
function sealAccount(account: Unsealed, entries: readonly SealedEntry[]): SealedAccount[] {
  const { accountId, after, before, through } = account;
  const isWhole = entries.length === through - after;
  return isWhole ? [{ accountId, seq: through, hash: accountHash(before ?? noHash, entries) }] : [];
}
