import type { ActorCtx } from '../context.ts';
import type { BatchCall } from '../engine/batch.ts';
import type { PlainAnswer } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import { type Claim, fingerprintOf } from '../kit/db/claims.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import type { Cause, NewEntry, UndoneEntry, UndonePoints } from '../ledger/account.ts';
import type { AccountLedger } from '../ledger/account-ledger.ts';
import { maySeePass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import type { PushOutcome } from '../pushes/push-outcome.ts';
import type { LockedRow, Target } from './lock-targets.ts';

/** Something that changes a card's account. `State` is what it shows of the account afterwards. */
export interface LedgerItem<State = unknown> {
  readonly ctx: ActorCtx;
  readonly operation:
    | 'earnPoints'
    | 'redeemReward'
    | 'adjustPoints'
    | 'reverseEntry'
    | 'importBalances'
    | 'processOrder'
    | 'refundOrder'
    | 'cancelOrder'
    | 'recordOrder'
    | 'loadValue'
    | 'chargeValue'
    | 'refundValue'
    | 'transferValue';
  /** As its entries name it. */
  readonly externalRef: string | null;
  /** Public ids. */
  readonly passId: string;
  readonly partnerId: string | null;
  readonly target: Target;
  readonly reason: string | null;
  /** Null: now. */
  readonly occurredAt: Date | null;
  /** Refuses a pass that the call does not take. */
  check?(pass: PassRow): void;
  /** Whether the program must be active, and the card too. */
  readonly mustBeActive: boolean;
  readonly mayBeVoided: boolean;
  /** What the program must count; absent: either. */
  readonly counts?: 'points' | 'money';
  /** Whether an expired card refuses it. */
  readonly refusesExpired?: true;
  /** Whether points or rewards may be taken, so that the account's lots are needed. */
  readonly spends: boolean;
  readonly undone: UndoneEntry | UndonePoints | null;
  /** Refuses with an ApiError before it changes anything in the account; what it enters there is written afterwards. */
  decide(
    ledger: AccountLedger,
    rules: LedgerRules,
    cause: Cause,
    card: LockedRow,
    /** Whether the card had expired when the item happened. */
    isExpired?: boolean,
  ): Posted<State>;
}

/** What an item has entered. */
export interface Posted<State = unknown> {
  /** Null where there was nothing to do. */
  readonly entry: NewEntry | null;
  readonly state: State;
  /** What the audit log says of it, where it says anything. */
  readonly audit?: { readonly target: string; readonly detail: Readonly<Record<string, unknown>> };
}

/** What the audit log says of an entry: where it is, and what it has moved. */
export function auditOf(
  { entryId, points, balance }: NewEntry,
  target: string,
  more: Readonly<Record<string, unknown>> = {},
): NonNullable<Posted['audit']> {
  const before = { balance: balance - points };
  return {
    target,
    detail: { points, entryId: encodeId('entry', entryId), ...more, before, after: { balance } },
  };
}

/** The outcome of an item. */
export interface Settled<State = unknown> extends Posted<State> {
  readonly instanceId: string;
  readonly programId: string;
  readonly push: PushOutcome;
}

/** A call of the API that changes one account. */
export interface LedgerCall<State = unknown, A extends PlainAnswer = PlainAnswer>
  extends LedgerItem<State>,
    BatchCall<Settled<State>, A> {}

/** What a verb says of a call; its caller adds how it is answered. */
export type LedgerRequest<State> = Omit<LedgerCall<State>, 'present'>;

/** The cause of an item, as of `at`. `partnerId` is a uuid. */
export function causeOf(item: LedgerItem, at: Date, partnerId: string | null): Cause {
  return {
    actor: item.ctx.actor,
    requestId: item.ctx.requestId,
    at,
    occurredAt: item.occurredAt ?? at,
    externalRef: item.externalRef,
    reason: item.reason,
    partnerId,
    deviceId: item.ctx.key?.deviceId ?? null,
    orderId: null,
  };
}

/** Calls of one operation for one pass share transactions; others do not wait for them. */
export function laneOf({ ctx, passId, operation }: LedgerItem): string {
  return `${ctx.workspaceId} ${passId} ${operation}`;
}

/**
 * The claim of a call: `effect` is what its effect depends on, so that the same key for another one is refused. A key
 * that does not reach the pass gets none: its refusal must come before a replay, which shows a card.
 */
export function claimsOf(
  ctx: ActorCtx,
  operation: LedgerItem['operation'],
  passId: string,
  { key, effect }: { readonly key: string | null; readonly effect: unknown },
): Claim[] {
  if (key === null || !maySeePass(ctx, passId)) return [];
  return [{ operation, key, fingerprint: fingerprintOf(effect), requestId: ctx.requestId }];
}

/** Refuses a program that counts the other: `invalid_request`. */
export function requireCounting({ currency }: ProgramRow, counts: 'points' | 'money'): void {
  if ((counts === 'money') === (currency !== null)) return;
  throw invalidField(
    'passId',
    'reference',
    currency === null
      ? 'the program of this pass counts points: POST /loyalty/points and POST /loyalty/redeem move them.'
      : 'the program of this pass holds money: POST /value/load and POST /value/charge move it.',
  );
}

/** Raises `no_loyalty_program`. */
export function requireSomeProgram(program: ProgramRow | undefined): asserts program is ProgramRow {
  if (program === undefined)
    throw refusal('no_loyalty_program', 'The pass has no loyalty program. POST /loyalty/programs makes one.');
}

/** Raises `no_loyalty_program`, `program_not_launched` and `program_inactive`, in this order. */
export function requireActiveProgram(program: ProgramRow | undefined): asserts program is ProgramRow {
  requireSomeProgram(program);
  if (program.status === 'active') return;
  const path = `PATCH /loyalty/programs/${encodeId('prog', program.programId)} with {"status":"active"}`;
  throw program.status === 'not_launched'
    ? refusal('program_not_launched', `The program has not been launched yet. Launch it: ${path}.`)
    : refusal('program_inactive', `The program is paused. Resume it: ${path}.`);
}
