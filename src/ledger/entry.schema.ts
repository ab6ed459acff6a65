import { type Static, Type } from 'typebox';
import { MoneyMoved } from '../kit/http/schemas/money.ts';
import { closed, Id, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import type { EntryKind } from './account.ts';
import type { EntryRow } from './entries.sql.ts';

export const EntryKindShown = oneOf([
  'earn',
  'redeem',
  'unlock',
  'cancel',
  'expire',
  'adjust',
  'import',
  'reversal',
]);

/** What makes an entry one of nothing; an expired card only of an order. */
export const limits = ['min_seconds_between', 'per_day', 'instance_expired'] as const;

export const Entry = closed(
  {
    entryId: Id,
    seq: Type.Integer({ description: 'number within the account, without gaps' }),
    kind: EntryKindShown,
    points: Type.Integer({ description: 'what it added to the balance; below zero: took from it' }),
    balance: Type.Integer({ description: 'after it' }),
    amount: Type.Optional(MoneyMoved),
    externalRef: nullable(Type.String()),
    reason: nullable(Type.String()),
    limitedBy: nullable(oneOf(limits)),
    partnerId: nullable(Id),
    orderId: nullable(Type.String()),
    reversalOf: nullable(Id),
    instanceId: Id,
    actor: Type.String({ description: 'who made it: a key, a person, a store, or the name of a job' }),
    deviceId: nullable(Type.String({ description: 'the shared till at which that person was signed in' })),
    occurredAt: Timestamp,
    createdAt: Timestamp,
    holderName: Type.Optional(
      nullable(
        Type.String({
          description:
            'in lists that were asked for with `include=holder`: what to call the holder of the card now: name, e-mail address, telephone number or identifier, the first that is known; else absent',
        }),
      ),
    ),
  },
  { $id: 'Entry' },
);

/** A kind as the API shows it: what an adjust does to lifetime points is seen there. */
export function shownKind(kind: EntryKind) {
  return kind === 'correction' ? 'adjust' : kind;
}

/** The kinds that the API shows as this one. */
export function kindsOf(shown: Static<typeof EntryKindShown>): EntryKind[] {
  return shown === 'adjust' ? ['adjust', 'correction'] : [shown];
}

/** What is shown of an entry. */
export type ShownEntry = Omit<
  EntryRow,
  'workspaceId' | 'programId' | 'passId' | 'accountId' | 'expiresAt' | 'reversalOf'
>;

/** An entry as the API shows it. */
export function presentEntry(row: ShownEntry) {
  return {
    entryId: encodeId('entry', row.entryId),
    seq: row.seq,
    kind: shownKind(row.kind),
    points: row.points,
    balance: row.balance,
    ...(row.currency !== null && { amount: presentMinor(row.points, row.currency) }),
    externalRef: row.externalRef,
    reason: row.reason,
    limitedBy: row.limitedBy as (typeof limits)[number] | null,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    orderId: row.orderId,
    reversalOf: row.reversedEntryId === null ? null : encodeId('entry', row.reversedEntryId),
    instanceId: encodeId('inst', row.instanceId),
    actor: row.actor,
    deviceId: row.deviceId === null ? null : encodeId('device', row.deviceId),
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}
