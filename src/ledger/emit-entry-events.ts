import type { PublicCtx } from '../context.ts';
import type { EventType } from '../events/event-kinds.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { EntryKind, NewEntry } from './account.ts';
import type { AccountLedger } from './account-ledger.ts';
import { presentEntry } from './entry.schema.ts';

/** The actors of entries that no caller has asked for. */
export const expiryJob = 'expirePoints';
export const unlockJob = 'unlockRewards';

const typeOf: Readonly<Record<EntryKind, EventType>> = {
  earn: 'points.awarded',
  adjust: 'points.adjusted',
  correction: 'points.adjusted',
  import: 'points.adjusted',
  reversal: 'points.reversed',
  cancel: 'points.reversed',
  expire: 'points.expired',
  unlock: 'reward.unlocked',
  redeem: 'reward.redeemed',
};

const typeOfMoney: Readonly<Record<EntryKind, EventType>> = {
  ...typeOf,
  earn: 'value.loaded',
  redeem: 'value.charged',
  adjust: 'value.adjusted',
  correction: 'value.adjusted',
  import: 'value.adjusted',
  expire: 'value.expired',
};

function eventOf({ currency }: ProgramRow, { kind, points }: NewEntry): EventType {
  if (currency === null) return typeOf[kind];
  if (kind === 'reversal') return points > 0 ? 'value.refunded' : 'value.reversed';
  return typeOfMoney[kind];
}

/** Emits an event for each entry, in the order of its account: each starts from the balance that the last has left. */
export function emitEntryEvents(
  tx: Tx,
  { app }: PublicCtx,
  program: ProgramRow,
  ledgers: readonly AccountLedger[],
): void {
  const { workspaceId, passId } = program;
  for (const { account, entries } of ledgers) {
    for (const entry of entries) {
      const { actor, points, balance, requestId } = entry;
      recordEvent(
        tx,
        { app, requestId },
        {
          type: eventOf(program, entry),
          workspaceId,
          actor: actor === expiryJob || actor === unlockJob ? 'system' : actor,
          passId,
          instanceId: account.instanceId,
          data: dataOf(entry, account.instanceId, program),
          ...(points !== 0 && { previous: { balance: balance - points } }),
        },
      );
    }
  }
}

/** The entry as the API shows it, with the reward that it is about. */
function dataOf(entry: NewEntry, instanceId: string, { programId, currency }: ProgramRow): object {
  const shown = presentEntry({ ...entry, currency, instanceId, createdAt: entry.at });
  if (entry.reward === null) return shown;
  const { rewardId, title } = entry.reward;
  const ids = { programId: encodeId('prog', programId), rewardId: encodeId('rew', rewardId) };
  return { ...shown, ...ids, title };
}
