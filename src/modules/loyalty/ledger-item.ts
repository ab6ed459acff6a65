import type { ActorCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import type { Answer } from '../../kit/http/endpoint.ts';
import { encodeId } from '../../kit/ids.ts';
import type { HeldRow, Target } from '../instances/hold-targets.ts';
import { reachesPass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { LedgerRules } from '../programs/ledger-rules.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import type { Act, NewEntry, UndoneEntry, UndonePoints } from './account.ts';
import type { Book } from './account-book.ts';

/** One call that changes a card's account. */
export interface LedgerItem {
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
    | 'settleOrder';
  /** The idempotency key, and what the effect depends on: the same key for another effect is refused. */
  readonly key: string | null;
  readonly effect: unknown;
  /** Public ids. */
  readonly passId: string;
  readonly partnerId: string | null;
  readonly target: Target | { readonly accountId: string };
  readonly reason: string | null;
  /** Null: now. */
  readonly occurredAt: Date | null;
  /** Refuses a pass that the call does not take. */
  check?(pass: PassRow): void;
  /** Whether the program must be active, and the card too. */
  readonly mustBeActive: boolean;
  readonly mayBeVoided: boolean;
  /** Whether points or rewards may be taken, so that the account's lots are needed. */
  readonly spends: boolean;
  readonly undone: UndoneEntry | UndonePoints | null;
  /** Refuses with an ApiError before it changes anything in the book; what it enters there is written afterwards. */
  decide(book: Book, rules: LedgerRules, act: Act, card: HeldRow): Posted;
}

/** What a call has entered. */
export interface Posted {
  /** Null where there was nothing to do. */
  readonly entry: NewEntry | null;
  /** What its answer says beside the account's state. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** What the audit log says of it, where it says anything. */
  readonly audit?: { readonly target: string; readonly detail: Readonly<Record<string, unknown>> };
}

export type LedgerOutcome = Answer | ApiError;

/** The act of a call, as of `at`. `partnerId` is a uuid. */
export function actOf(item: LedgerItem, at: Date, partnerId: string | null): Act {
  return {
    actor: item.ctx.actor,
    at,
    occurredAt: item.occurredAt ?? at,
    externalRef: item.key,
    reason: item.reason,
    partnerId,
    orderId: null,
  };
}

/** Calls of one operation for one pass share transactions; others do not wait for them. */
export function laneOf(item: LedgerItem): string {
  return `${item.ctx.workspaceId} ${item.passId} ${item.operation}`;
}

/** A key that does not reach the pass gets no claim: its refusal must come before a replay, which shows a card. */
export function claimKey(ctx: ActorCtx, passId: string, key: string | null): string | null {
  return reachesPass(ctx, passId) ? key : null;
}

/** Raises `no_loyalty_program`. */
export function refuseNone(program: ProgramRow | undefined): asserts program is ProgramRow {
  if (program === undefined)
    throw refusal('no_loyalty_program', 'The pass has no loyalty program. POST /loyalty/programs makes one.');
}

/** Raises `no_loyalty_program`, `program_not_launched` and `program_inactive`, in this order. */
export function refuseIdle(program: ProgramRow | undefined): asserts program is ProgramRow {
  refuseNone(program);
  if (program.status === 'active') return;
  const path = `PATCH /loyalty/programs/${encodeId('prog', program.programId)} with {"status":"active"}`;
  throw program.status === 'not_launched'
    ? refusal('program_not_launched', `The program has not been launched yet. Launch it: ${path}.`)
    : refusal('program_inactive', `The program is paused. Resume it: ${path}.`);
}
