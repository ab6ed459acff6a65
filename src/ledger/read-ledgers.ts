import type { Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { Account, Lot, UndoneEntry, UndonePoints } from './account.ts';
import type { AccountLedger } from './account-ledger.ts';
import { readLots, readReversed, readRewards, readUses, type StoredLot } from './accounts.sql.ts';

/** What is about to be done to a held card's account. */
export interface WantedAccount {
  readonly card: { readonly instanceId: string; readonly account: Account | null };
  /** Whether points or rewards may be taken from it. */
  readonly spends: boolean;
  /** What is to be undone. Of an entry it is found out whether it was undone before. */
  readonly undone: UndoneEntry | UndonePoints | null;
}

/** The accounts of held cards, by instance: what is wanted of each, and no more. */
export async function readLedgers(
  tx: Tx,
  program: ProgramRow,
  wanted: readonly WantedAccount[],
  at: Date,
): Promise<Map<string, AccountLedger>> {
  const { workspaceId } = program;
  const ofCard = Map.groupBy(wanted, ({ card }) => card.instanceId);
  const touched = [...ofCard.values()].flatMap((wanted) => {
    const account = wanted[0]?.card.account;
    return account == null ? [] : [{ account, wanted }];
  });

  const undoing = touched.filter((one) => one.wanted.some(({ undone }) => undone !== null));
  const spending = touched.filter(
    ({ account, wanted }) =>
      program.mode === 'STAMPS' ||
      account.nextExpiryAt <= at.getTime() ||
      wanted.some(({ spends, undone }) => spends || undone !== null),
  );
  const ids = (some: typeof touched) => some.map(({ account }) => account.accountId);
  const undone = undoing.flatMap(({ account, wanted }) =>
    wanted.flatMap((one) =>
      one.undone !== null && 'seq' in one.undone
        ? [{ accountId: account.accountId, seq: one.undone.seq }]
        : [],
    ),
  );
  const [lotsRead, reversedRead, rewards] = await Promise.all([
    readLots(tx, workspaceId, ids(spending), ids(undoing)),
    readReversed(tx, workspaceId, undone),
    rewardsOf(tx, program, touched, {
      accountIds: new Set(ids(undoing)),
      seqs: undone.map(({ seq }) => seq),
    }),
  ]);
  const lots = Map.groupBy(lotsRead, ({ accountId }) => accountId);
  const reversed = Map.groupBy(reversedRead, ({ accountId }) => accountId);

  const ledgers = new Map<string, AccountLedger>();
  for (const [instanceId, [first]] of ofCard) {
    const account = first?.card.account ?? newAccount(program, instanceId);
    const { accountId } = account;
    ledgers.set(instanceId, {
      account,
      read: account,
      hasLots: account.seq === 0 || spending.some((one) => one.account === account),
      lots: (lots.get(accountId) ?? []).map(storedLot),
      rewards: (rewards.get(accountId) ?? []).map((reward) => ({ ...reward, changed: false })),
      reversed: new Map((reversed.get(accountId) ?? []).map(({ seq, points }) => [seq, points])),
      entries: [],
      uses: [],
    });
  }
  return ledgers;
}

/** Rewards that may be used, or be given back or cancelled; with what unlocking took where one may be cancelled. */
async function rewardsOf(
  tx: Tx,
  { workspaceId, mode }: ProgramRow,
  touched: readonly { account: Account; wanted: readonly WantedAccount[] }[],
  undoing: { accountIds: ReadonlySet<string>; seqs: readonly number[] },
) {
  if (mode !== 'STAMPS') return new Map<string, never[]>();
  const spending = touched.filter(({ wanted }) => wanted.some((one) => one.spends || one.undone !== null));
  const rows = await readRewards(
    tx,
    workspaceId,
    spending.map(({ account }) => account.accountId),
    undoing.seqs,
  );
  const withUses = [];
  for (const [accountId, rewards] of Map.groupBy(rows, (row) => row.accountId)) {
    const seqs = undoing.accountIds.has(accountId) ? rewards.map(({ seq }) => seq) : [];
    const uses = Map.groupBy(await readUses(tx, { workspaceId, accountId }, seqs), ({ seq }) => seq);
    withUses.push(...rewards.map((reward) => ({ ...reward, uses: uses.get(reward.seq) ?? [] })));
  }
  return Map.groupBy(withUses, (row) => row.accountId);
}

function storedLot({ expiresAt, remaining, expired }: StoredLot): Lot {
  return { expiresAt, remaining, expired, stored: true, grown: 0, moved: 0, lapsed: 0 };
}

function newAccount({ workspaceId, programId }: ProgramRow, instanceId: string): Account {
  return {
    workspaceId,
    accountId: newUuidV7(),
    programId,
    instanceId,
    seq: 0,
    balance: 0,
    lifetimePoints: 0,
    pendingRewards: 0,
    nextExpiryAt: Number.POSITIVE_INFINITY,
    lastEarnedAt: null,
    dayEndsAt: null,
    earnedThatDay: 0,
    shownAt: null,
    shownPassRevision: 0,
  };
}
