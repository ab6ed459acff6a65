import { type Static, Type } from 'typebox';
import { closed, Id, listOf, nullable, oneOf, Timestamp } from '../../kit/http/schemas/shapes.ts';
import { encodeId } from '../../kit/ids.ts';
import { csvOf } from '../../kit/text/csv.ts';
import type { SweepItemRow } from './sweep-items.sql.ts';
import { countOf, noCounts, type Outcome, type SweepRow } from './sweep-row.ts';

export const NewSweep = closed({
  storeId: Type.Optional(Id),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'counts the outcome for each customer, and invites none of them' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'the most customers that are invited' }),
  ),
});

export type SweepInput = Static<typeof NewSweep>;

const counts = {
  found: Type.Integer({ description: 'customers that were looked at: the sum of the nine outcomes' }),
  invited: Type.Integer(),
  alreadyHolder: Type.Integer({ description: 'who have a card of the pass' }),
  alreadyInvited: Type.Integer({ description: 'whose address was invited to the pass before' }),
  noConsent: Type.Integer({ description: 'who have not agreed to be written to' }),
  consentUnknown: Type.Integer({
    description: 'customers whose consent is not known: they are not written to either',
  }),
  noContact: Type.Integer({ description: 'without an e-mail address' }),
  invalidContact: Type.Integer({ description: 'with an address that no mail reaches' }),
  suppressed: Type.Integer({ description: 'who want no mail, or whose address is dead' }),
  duplicateContact: Type.Integer({ description: 'whose address another customer of the sweep has' }),
};

export const SweepState = closed({
  running: Type.Boolean({ description: 'false as soon as it has ended, for whatever reason' }),
  status: oneOf(['running', 'completed', 'failed', 'cancelled']),
  ...counts,
  sent: Type.Integer({ description: 'mails that were handed over' }),
  sendFailed: Type.Integer({ description: 'mails that failed, or whose outcome is unknown' }),
  waiting: Type.Integer({ description: 'mails that are still to be sent' }),
  cursor: nullable(Type.String({ description: "where in the store's list of customers it goes on" })),
  reason: nullable(Type.String({ description: 'why it has failed, or what it is waiting for to pass' })),
});

export const Sweep = closed(
  {
    sweepId: Id,
    passId: Id,
    storeId: Id,
    dryRun: Type.Boolean(),
    limit: nullable(Type.Integer()),
    startedAt: Timestamp,
    finishedAt: nullable(Timestamp),
    state: SweepState,
  },
  { $id: 'Sweep' },
);

const SweepItem = closed(
  {
    customerId: Type.String({ description: "the customer's number in the store" }),
    outcome: oneOf(Object.keys(countOf) as Outcome[]),
    inviteId: nullable(Id),
    inviteStatus: nullable(Type.String({ description: 'the status of the invitation' })),
    decidedAt: Timestamp,
  },
  { $id: 'SweepItem' },
);

export const SweepItems = listOf(SweepItem);

/** A sweep as the API shows it; `invites` are its invitations by status. */
export function presentSweep(row: SweepRow, invites: ReadonlyMap<string, number>): Static<typeof Sweep> {
  return {
    sweepId: encodeId('sweep', row.sweepId),
    passId: encodeId('pass', row.passId),
    storeId: encodeId('store', row.storeId),
    dryRun: row.dryRun,
    limit: row.most,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    state: presentState(row, invites),
  };
}

function presentState(row: SweepRow, invites: ReadonlyMap<string, number>): Static<typeof SweepState> {
  const sum = (...statuses: string[]) =>
    statuses.reduce((total, status) => total + (invites.get(status) ?? 0), 0);
  return {
    running: row.status === 'running',
    status: row.status,
    ...noCounts,
    ...row.counts,
    sent: sum('sent'),
    sendFailed: sum('failed', 'unknown'),
    // What a cancelled sweep has queued is taken out of the queue in the background.
    waiting: row.status === 'cancelled' ? sum('sending') : sum('queued', 'sending'),
    cursor: row.cursor,
    reason: row.problem,
  };
}

/** The outcome for a customer as the API shows it. */
export function presentItem(row: SweepItemRow): Static<typeof SweepItem> {
  return {
    customerId: row.customerId,
    outcome: row.outcome,
    inviteId: row.inviteId === null ? null : encodeId('invite', row.inviteId),
    inviteStatus: row.inviteStatus,
    decidedAt: row.decidedAt.toISOString(),
  };
}

export const itemsHeader = csvOf([['customerId', 'outcome', 'inviteId', 'inviteStatus', 'decidedAt']]);

/** The same as lines of a file. */
export function presentLines(rows: readonly SweepItemRow[]): string {
  return csvOf(
    rows
      .map(presentItem)
      .map(({ customerId, outcome, inviteId, inviteStatus, decidedAt }) => [
        customerId,
        outcome,
        inviteId,
        inviteStatus,
        decidedAt,
      ]),
  );
}
