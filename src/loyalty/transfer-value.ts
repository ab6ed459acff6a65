import type { Static } from 'typebox';
import { presentPush } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, invalidField } from '../kit/http/api-error.ts';
import { parsePositive } from '../kit/http/schemas/money.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import type { LotUse } from '../ledger/account.ts';
import { type AccountLedger, expireDue, spend, spendable } from '../ledger/account-ledger.ts';
import { takeOver } from '../ledger/undo.ts';
import { minorOf } from '../passes/programs/program-terms.ts';
import { resolvePass } from './find-pass-of-card.ts';
import { auditOf, type LedgerItem, type Posted, type Settled } from './ledger-item.ts';
import { currencyOf, refuseOverfull, requireValue } from './money-on-card.ts';
import { post } from './post-to-ledger.ts';
import { type Named, targetOf } from './target.schema.ts';
import type { ValueTransfer } from './value.schema.ts';

/** What has left the first card. */
interface Taken {
  readonly ledger: AccountLedger;
  readonly points: number;
  readonly currency: string;
  readonly uses: readonly LotUse[];
}

/**
 * Moves money from one card of a pass to another, all of it unless an amount is said; it expires there when it would have
 * before. The first card may be voided: it was lost. Raises `insufficient_value`, and `invalid_request` for the same card twice, for
 * another currency, and for more than the second card may hold.
 */
export async function transferValue(
  tx: Tx,
  ctx: KeyCtx,
  body: Static<typeof ValueTransfer>,
  key: string | null,
) {
  const asked = body.amount === undefined ? null : parsePositive('amount', body.amount);
  const { passId, ...from } = await resolveSource(ctx, body, key);
  const { passId: _, ...to } = await resolvePass(ctx, { passId, ...body.to }, null);
  const { reason = null } = body;
  const passed: { taken?: Taken } = {};
  const item = (
    card: Named,
    isSource: boolean,
    decide: LedgerItem<number>['decide'],
  ): LedgerItem<number> => ({
    ctx,
    operation: 'transferValue',
    externalRef: key,
    passId,
    partnerId: null,
    target: targetOf(card),
    reason,
    occurredAt: null,
    counts: 'money',
    mustBeActive: true,
    mayBeVoided: isSource,
    refusesExpired: true,
    spends: isSource,
    undone: null,
    decide,
  });
  const source = item(from, true, (ledger, { program }, cause) => {
    const currency = currencyOf(program);
    const held = spendable(ledger, cause.at);
    const points = asked === null ? held : minorOf(currency, 'amount', asked);
    requireValue(currency, held, Math.max(1, points));
    expireDue(ledger, cause);
    const entry = spend(ledger, cause, 'correction', points);
    const uses = ledger.uses.filter(({ seq }) => seq === entry.seq);
    passed.taken = { ledger, points, currency, uses };
    return { entry, state: ledger.account.balance };
  });
  const destination = item(to, false, (ledger, { program }, cause): Posted<number> => {
    const { taken } = passed;
    if (taken === undefined) throw invalidField('from', 'other', 'nothing was taken from this card.');
    if (taken.ledger === ledger) throw invalidField('to', 'other', 'is the card that the money comes from.');
    refuseOverfull(program, spendable(ledger, cause.at) + taken.points, 'amount');
    expireDue(ledger, cause);
    const entry = takeOver(ledger, cause, taken.uses);
    const fromCard = encodeId('inst', taken.ledger.account.instanceId);
    const audit = auditOf(entry, encodeId('inst', ledger.account.instanceId), { from: fromCard });
    return { entry, state: ledger.account.balance, audit };
  });
  const outcomes = await post(tx, [source, destination]);
  const [left, came] = [settledOf(outcomes.get(source)), settledOf(outcomes.get(destination))];
  if (passed.taken === undefined) throw new Error('a transfer has taken nothing');
  const { points, currency } = passed.taken;
  return {
    programId: left.programId,
    transferred: presentMinor(points, currency),
    from: presentSide(left, currency),
    to: presentSide(came, currency),
  };
}

/** The pass, and the card that the money comes from, which may name it. */
export function resolveSource(
  ctx: KeyCtx,
  { passId, from }: Static<typeof ValueTransfer>,
  key: string | null,
) {
  return resolvePass(ctx, { passId, ...from }, { operation: 'transferValue', key });
}

/** Raises the refusal of one side: then neither moves. */
function settledOf(outcome: Settled<number> | ApiError | undefined): Settled<number> {
  if (outcome === undefined || outcome instanceof ApiError) throw outcome;
  return outcome;
}

function presentSide({ entry, instanceId, state, push }: Settled<number>, currency: string) {
  if (entry === null) throw new Error('a transfer has entered nothing');
  return {
    entryId: encodeId('entry', entry.entryId),
    instanceId,
    balance: presentMinor(state, currency),
    ...presentPush(push),
  };
}
