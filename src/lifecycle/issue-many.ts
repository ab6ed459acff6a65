import type { Static } from 'typebox';
import type { ActorCtx } from '../context.ts';
import { answerEach, itemResult, refusedItem } from '../engine/batch-results.ts';
import { keyAt } from '../engine/idempotency.ts';
import { ApiError, catchRefusal, invalidField } from '../kit/http/api-error.ts';
import { parseMoney } from '../kit/http/schemas/money.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import type { Opening } from '../loyalty/post-opening-balances.ts';
import { type BatchResults, ImportedInstance, NewInstance } from './issue.schema.ts';
import { issueInstance } from './issue-instances.ts';
import { type IssueItem, itemOf, newHere } from './issue-item.ts';

const checkNew = shapeCheck(NewInstance);
const checkImported = shapeCheck(ImportedInstance);

type Results = Static<typeof BatchResults>['results'];

/**
 * Issues many cards; results are in the order of the items. They share transactions with other calls. An
 * item without an externalRef gets the request's key and its place as its own.
 */
export function issueMany(
  ctx: ActorCtx,
  passId: string,
  inputs: readonly unknown[],
  key: string | null,
): Promise<Results> {
  return issueEach<Static<typeof NewInstance>>(inputs, checkNew, (card, at) =>
    itemOf(ctx, passId, card, card.externalRef ?? keyAt('issueBatch', key, at), {
      ...newHere,
      op: 'issueBatch',
    }),
  );
}

/**
 * Takes over cards issued elsewhere, with the barcodes they carry and the balances they had. A balance is entered with
 * the card: a repeat, or a holder who has an account already, changes nothing.
 */
export function importMany(
  ctx: ActorCtx,
  passId: string,
  inputs: readonly unknown[],
  key: string | null,
): Promise<Results> {
  return issueEach<Static<typeof ImportedInstance>>(inputs, checkImported, (card, at) => {
    const { barcode, holder, addressable = false } = card;
    const input = { barcode, ...(holder !== undefined && { holder }) };
    const opening = openingOf(card, key);
    const origin = { op: 'importInstances' as const, imported: true, addressable, opening, consents: [] };
    return itemOf(ctx, passId, input, keyAt('importInstances', key, at), origin);
  });
}

/** What a card had where it was issued. Raises `invalid_request` for points and money at once. */
function openingOf({ balance, value }: Static<typeof ImportedInstance>, key: string | null): Opening | null {
  if (value === undefined) {
    const points = balance ?? 0;
    return points === 0 ? null : { balance: points, currency: null, isSold: false, externalRef: key };
  }
  if (balance != null)
    throw invalidField('balance', 'excluded', 'is the same as value. Send one of the two.');
  const { minor, currency } = parseMoney('value', value);
  return minor === 0 ? null : { balance: minor, currency, isSold: false, externalRef: key };
}

/** Issues what `toItem` makes of each input of the right shape; refuses the others alone. */
function issueEach<Input>(
  inputs: readonly unknown[],
  check: (input: unknown) => ApiError | null,
  toItem: (input: Input, at: number) => IssueItem,
): Promise<Results> {
  return answerEach(inputs, (input, at) => {
    const problem = check(input);
    if (problem !== null) return refusedItem(problem);
    const item = catchRefusal(() => toItem(input as Input, at));
    if (item instanceof ApiError) return refusedItem(item);
    return itemResult(item.ctx, 'instance', { hasKey: item.claims.length > 0 }, () => issueInstance(item));
  });
}
