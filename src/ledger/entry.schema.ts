import { Type } from 'typebox';
import { closed, Id, nullable, oneOf, Timestamp } from '../kit/http/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { EntryRow, Holding } from './entries.sql.ts';

export const Entry = closed(
  {
    entryId: Id,
    seq: Type.Integer({ description: 'number within the account, without gaps' }),
    kind: oneOf(['earn', 'redeem', 'unlock', 'cancel', 'expire', 'adjust', 'import', 'reversal']),
    points: Type.Integer({ description: 'what it added to the balance; below zero: took from it' }),
    balance: Type.Integer({ description: 'after it' }),
    externalRef: nullable(Type.String()),
    reason: nullable(Type.String()),
    limitedBy: nullable(oneOf(['min_seconds_between', 'per_day'])),
    partnerId: nullable(Id),
    orderId: nullable(Type.String()),
    reversalOf: nullable(Id),
    instanceId: Id,
    occurredAt: Timestamp,
    createdAt: Timestamp,
  },
  { $id: 'Entry' },
);

/** An entry as the API shows it. */
export function presentEntry(row: EntryRow) {
  return {
    entryId: encodeId('entry', row.entryId),
    seq: row.seq,
    kind: row.kind,
    points: row.points,
    balance: row.balance,
    externalRef: row.externalRef,
    reason: row.reason,
    limitedBy: row.limitedBy as 'min_seconds_between' | 'per_day' | null,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    orderId: row.orderId,
    reversalOf: row.reversedEntryId === null ? null : encodeId('entry', row.reversedEntryId),
    instanceId: encodeId('inst', row.instanceId),
    occurredAt: row.occurredAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}

export const LoyaltyHolder = closed(
  {
    identifier: Type.String(),
    instanceId: Id,
    passId: Id,
    programId: Id,
    mode: oneOf(['POINTS', 'STAMPS']),
    balance: Type.Integer({ description: 'below zero: points that were spent before their earn was undone' }),
    lifetimePoints: Type.Integer({ description: 'all that was ever earned, without what was undone' }),
    pendingRewards: Type.Integer(),
    threshold: nullable(Type.Integer()),
    cost: nullable(Type.Integer()),
    nextExpiry: nullable(closed({ points: Type.Integer(), at: Timestamp })),
  },
  { $id: 'LoyaltyHolder' },
);

/** A holder's account as the API shows it: without points whose time is over, whether or not they were taken yet. */
export function presentHolder(
  card: { readonly identifier: string; readonly instanceId: string },
  program: ProgramRow,
  holding: Holding | undefined,
  now: Date,
) {
  const { balance, lifetimePoints, pendingRewards, expiring } = holding ?? nothing;
  const over = expiring.filter(({ at }) => new Date(at) <= now);
  const next = expiring[over.length];
  return {
    identifier: card.identifier,
    instanceId: encodeId('inst', card.instanceId),
    passId: encodeId('pass', program.passId),
    programId: encodeId('prog', program.programId),
    mode: program.mode,
    balance: balance - over.reduce((sum, { points }) => sum + points, 0),
    lifetimePoints,
    pendingRewards,
    threshold: program.threshold,
    cost: program.rewardCost,
    nextExpiry: next === undefined ? null : { points: next.points, at: new Date(next.at).toISOString() },
  };
}

const nothing: Holding = { balance: 0, lifetimePoints: 0, pendingRewards: 0, expiring: [] };
