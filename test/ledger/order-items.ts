import { presentPush, statusOf } from '../../src/cards/instance.schema.ts';
import type { KeyCtx } from '../../src/context.ts';
import { ApiError } from '../../src/kit/http/api-error.ts';
import { decodeId, encodeId } from '../../src/kit/ids.ts';
import { expireDue } from '../../src/ledger/account-ledger.ts';
import { findEntryOf } from '../../src/ledger/entries.sql.ts';
import { undoPoints } from '../../src/ledger/undo.ts';
import { earnPoints } from '../../src/loyalty/earn-points.ts';
import type { LedgerRequest, Settled } from '../../src/loyalty/ledger-item.ts';
import { presentPosted, presentState } from '../../src/loyalty/loyalty.schema.ts';
import { submitCall } from '../../src/loyalty/post-to-ledger.ts';
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
  const held = {
    kind: 'key',
    role: 'owner',
    access: 'full',
    partnerId: null,
    deviceId: null,
    rateLimit: null,
  } as const;
  const key = { ...held, secretHash: Buffer.alloc(0), name: '' };
  const caller = { workspaceId, actor: 'order', passIds: null, key };
  const admitted = { access: 'write pass', admittedAt: performance.now() } as const;
  const ctx: KeyCtx = { app, requestId: 'order', ...caller, ...admitted };
  const present = (settled: Settled) => ({
    status: statusOf(settled.push),
    // A refund that has nothing to take enters nothing.
    body: settled.entry === null ? presentStanding(settled) : presentPosted(settled),
  });
  try {
    const item = call.op === 'earn' ? earnOf(ctx, passId, call) : await refundOf(ctx, call);
    return await submitCall<unknown, Answer>(ctx, item, present);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: { code: error.code, ...error.extra } };
  }
}

function presentStanding({ instanceId, programId, state, push }: Settled) {
  return { instanceId, programId, ...(state as object), ...presentPush(push) };
}

function earnOf(ctx: KeyCtx, passId: string, call: OrderCall & { op: 'earn' }): LedgerRequest<unknown> {
  const { target, points, occurredAt } = call;
  const when = occurredAt === null ? {} : { occurredAt: new Date(occurredAt).toISOString() };
  const item = earnPoints(ctx, { passId, [target.by]: target.value, points, ...when }, null);
  return {
    ...item,
    operation: 'processOrder',
    decide: (ledger, rules, cause, card) =>
      item.decide(ledger, rules, { ...cause, orderId: 'an order' }, card),
  };
}

async function refundOf(ctx: KeyCtx, call: OrderCall & { op: 'refund' }): Promise<LedgerRequest<unknown>> {
  const row = await findEntryOf(ctx.app.database.db, ctx.workspaceId, decodeId('entry', call.entryId) ?? '');
  if (row === undefined || row.expiresAt === null) throw new Error('an order that has earned nothing');
  const undone = { points: call.points, expiresAt: Number(row.expiresAt) };
  return {
    ctx,
    operation: 'processOrder',
    claims: [],
    names: [],
    externalRef: null,
    passId: encodeId('pass', row.passId),
    partnerId: null,
    target: { accountId: row.accountId },
    reason: null,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: true,
    spends: true,
    undone,
    decide: (ledger, { program }, cause) => {
      expireDue(ledger, cause);
      const done = undoPoints(ledger, program, { ...cause, orderId: 'an order' }, undone);
      const points = 0 - (done?.taken ?? 0);
      return { entry: done?.entry ?? null, state: presentState(ledger.account, program, points) };
    },
  };
}
