import type { KeyCtx } from '../../src/context.ts';
import { ApiError, outcomeOf } from '../../src/kit/http/api-error.ts';
import { decodeId, encodeId } from '../../src/kit/ids.ts';
import { expireDue, undoPoints } from '../../src/modules/loyalty/account-book.ts';
import { earnPoints } from '../../src/modules/loyalty/earn-points.ts';
import { findEntryAnywhere } from '../../src/modules/loyalty/entries.sql.ts';
import { type LedgerItem, type LedgerOutcome, laneOf } from '../../src/modules/loyalty/ledger-item.ts';
import { presentState } from '../../src/modules/loyalty/loyalty.schema.ts';
import { postToLedger } from '../../src/modules/loyalty/post-to-ledger.ts';
import type { TestApp } from '../harness.ts';
import type { Call } from './calls.ts';

type OrderCall = Extract<Call, { op: 'earn' | 'refund' }>;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * What the ledger does for an order: the points that it earns are one entry, and refunds undo parts of it. Money and
 * the order itself are left out, so that any parts can be asked for.
 */
export async function askForOrder(
  { running: { app } }: TestApp,
  workspaceId: string,
  passId: string,
  call: OrderCall,
): Promise<Answer> {
  const key = { keyId: '', name: '', access: 'full', rateLimit: null } as const;
  const ctx: KeyCtx = { app, requestId: 'order', workspaceId, actor: 'order', passIds: null, key };
  const item = call.op === 'earn' ? outcomeOf(() => earnOf(ctx, passId, call)) : await refundOf(ctx, call);
  const outcome: LedgerOutcome =
    item instanceof ApiError ? item : await app.groupCommit.write(postToLedger, laneOf(item), item);
  if (outcome instanceof ApiError)
    return { status: outcome.status, body: { code: outcome.code, ...outcome.extra } };
  return { status: outcome.status, body: JSON.parse(String(outcome.body)) };
}

function earnOf(ctx: KeyCtx, passId: string, call: OrderCall & { op: 'earn' }): LedgerItem {
  const { target, points, occurredAt } = call;
  const when = occurredAt === null ? {} : { occurredAt: new Date(occurredAt).toISOString() };
  const item = earnPoints(ctx, { passId, [target.by]: target.value, points, ...when }, null);
  return {
    ...item,
    operation: 'processOrder',
    decide: (book, rules, act, card) => item.decide(book, rules, { ...act, orderId: 'an order' }, card),
  };
}

async function refundOf(ctx: KeyCtx, call: OrderCall & { op: 'refund' }): Promise<LedgerItem> {
  const row = await findEntryAnywhere(ctx.app.database.db, decodeId('entry', call.entryId) ?? '');
  if (row === undefined || row.expiresAt === null) throw new Error('an order that has earned nothing');
  const undone = { points: call.points, expiresAt: Number(row.expiresAt) };
  return {
    ctx,
    operation: 'processOrder',
    key: null,
    effect: null,
    passId: encodeId('pass', row.passId),
    partnerId: null,
    target: { accountId: row.accountId },
    reason: null,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: true,
    spends: true,
    undone,
    decide: (book, { program }, act) => {
      expireDue(book, act);
      const done = undoPoints(book, program, { ...act, orderId: 'an order' }, undone);
      const points = 0 - (done?.taken ?? 0);
      return { entry: done?.entry ?? null, answer: presentState(book.account, program, points) };
    },
  };
}
