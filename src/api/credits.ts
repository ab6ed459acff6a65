import { type Static, Type } from 'typebox';
import { findAnyWorkspace } from '../administration/update-workspace.ts';
import type { KeyCtx } from '../context.ts';
import {
  type CreditEntryRow,
  findCreditAccount,
  firstEntrySince,
  listCreditEntries as listEntryRows,
} from '../credits/credits.sql.ts';
import { addCredits as addCreditsVerb } from '../credits/credits.ts';
import { answer, endpoint, operatorWriteEndpoint } from '../engine/endpoints.ts';
import { pageOf } from '../engine/listing.ts';
import {
  closed,
  Id,
  listOf,
  listQuery,
  madeBetween,
  nullable,
  oneOf,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { NewCredits } from '../workspaces/workspace.schema.ts';

const CreditAccount = closed(
  {
    balance: Type.Integer({ description: 'free to spend' }),
    reserved: Type.Integer({ description: 'held for pushes under way' }),
    spent: Type.Integer(),
  },
  { $id: 'CreditAccount' },
);

const CreditEntry = closed(
  {
    seq: Type.Integer(),
    kind: oneOf(['grant', 'correct', 'reserve', 'settle', 'release']),
    amount: Type.Integer({ description: 'what it adds to the balance' }),
    reserved: Type.Integer({ description: 'what it adds to the credits held for pushes under way' }),
    balance: Type.Integer({ description: 'after this entry' }),
    externalRef: nullable(Type.String()),
    note: nullable(Type.String()),
    instanceId: nullable(Id),
    messageId: nullable(Id),
    rolloutId: nullable(Type.String({ description: 'the change of a design that went to all its cards' })),
    requestId: nullable(Type.String({ description: 'the request that it was for' })),
    createdAt: Timestamp,
  },
  { $id: 'CreditEntry' },
);

export const addCredits = operatorWriteEndpoint({
  op: 'addCredits',
  call: 'operator.addCredits',
  tag: 'Operator',
  summary: "Top up or correct a workspace's credits",
  description:
    'Once by externalRef: a repeat answers the first result and adds nothing. Pushes that no credit was left for are sent. A negative amount takes free credits back, and is refused where fewer are free. Once fewer than a tenth of what was free after the last top-up are left, a `credits.low` event says so, once.',
  params: closed({ workspaceId: Id }),
  body: NewCredits,
  example: { amount: 5_000, externalRef: 'invoice-2027-014', note: 'January' },
  answers: { 200: CreditAccount },
  errors: ['workspace_not_found'],
  effect: ({ params, body }) => [params.workspaceId, body.amount],
  async handle(tx, ctx, { params, body }) {
    const { workspaceId } = await findAnyWorkspace(tx, params.workspaceId);
    return answer(200, await addCreditsVerb(tx, ctx, { ...body, workspaceId }));
  },
});

export const getCredits = endpoint({
  op: 'getCredits',
  call: 'credits.get',
  tag: 'Credits',
  summary: 'Credit balance',
  description: 'What is free to spend, what is held for pushes under way, and what was spent.',
  answers: { 200: CreditAccount },
  async handle(ctx: KeyCtx) {
    return answer(200, await findCreditAccount(ctx.app.database.db, ctx.workspaceId));
  },
});

export const listCreditEntries = endpoint({
  op: 'listCreditEntries',
  call: 'credits.entries',
  tag: 'Credits',
  summary: 'The credit ledger, newest first',
  description:
    'Every top-up and correction, and what pushes have taken and given back. An entry covers all that was paid for together: it names the card, the message, the rollout and the request where they are one, and null where they are several.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(CreditEntry) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const { createdAfter, createdBefore } = query;
    const seqAt = async (moment: string | undefined) =>
      moment === undefined ? null : firstEntrySince(db, ctx.workspaceId, new Date(moment));
    const scope = JSON.stringify(['listCreditEntries', ctx.workspaceId, createdAfter, createdBefore]);
    const page = pageOf(ctx, scope, query);
    const since = await seqAt(createdAfter);
    const before = page.after === null ? await seqAt(createdBefore) : Number(page.after);
    const rows = await listEntryRows(db, ctx.workspaceId, { since, before }, page.take);
    return answer(200, page.of(rows, 'seq', presentEntry));
  },
});

function presentEntry(row: CreditEntryRow): Static<typeof CreditEntry> {
  return {
    seq: row.seq,
    kind: row.kind,
    amount: row.amount,
    reserved: row.reserved,
    balance: row.balance,
    externalRef: row.externalRef,
    note: row.note,
    instanceId: row.instanceId && encodeId('inst', row.instanceId),
    messageId: row.messageId && encodeId('push', row.messageId),
    rolloutId: row.rolloutId && encodeId('push', row.rolloutId),
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  };
}
