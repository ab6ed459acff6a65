import type { Static } from 'typebox';
import type { ActorCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { asRefusal } from '../../failures.ts';
import { ApiError, invalidRequest, outcomeOf } from '../../kit/http/api-error.ts';
import { normalText } from '../../kit/http/normal-text.ts';
import { shapeCheck } from '../../kit/http/shape-check.ts';
import { reachesPass } from '../passes/find-pass.ts';
import { type BatchResults, ImportedInstance, NewInstance } from './instance.schema.ts';
import { issueInstances, laneOf } from './issue-instances.ts';
import type { IssueItem, IssueOutcome } from './issue-item.ts';

const checkNew = shapeCheck(NewInstance);
const checkImported = shapeCheck(ImportedInstance);

type Results = Static<typeof BatchResults>['results'];

/**
 * Issues many cards; each result stands at its item's place. They share transactions with whoever else issues. An
 * item without an externalRef gets the request's key and its place as its own.
 */
export function issueMany(
  ctx: ActorCtx,
  passId: string,
  inputs: readonly unknown[],
  key: string | null,
): Promise<Results> {
  return issueEach<Static<typeof NewInstance>>(ctx, inputs, checkNew, (card, at) =>
    itemOf(ctx, passId, card, card.externalRef ?? keyAt('issueBatch', key, at)),
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
  return issueEach<Static<typeof ImportedInstance>>(ctx, inputs, checkImported, (card, at) => {
    const { barcode, holder, addressable = false, balance } = card;
    const input = { barcode, ...(holder !== undefined && { holder }) };
    const item = itemOf(ctx, passId, input, keyAt('importInstances', key, at));
    const opening = balance == null || balance === 0 ? null : { balance, externalRef: key };
    return { ...item, imported: true, addressable, opening };
  });
}

/** Issues what `toItem` makes of each input of the right shape; refuses the others alone. */
function issueEach<Input>(
  ctx: ActorCtx,
  inputs: readonly unknown[],
  check: (input: unknown) => string | null,
  toItem: (input: Input, at: number) => IssueItem,
): Promise<Results> {
  return Promise.all(
    inputs.map(async (input, at) => {
      const problem = check(input);
      if (problem !== null) return resultOf(invalidRequest(problem));
      const item = outcomeOf(() => toItem(input as Input, at));
      return item instanceof ApiError ? resultOf(item) : settled(ctx, item);
    }),
  );
}

/**
 * An item to issue. A key that does not reach the pass gets no claim: its refusal must come before a replay, which
 * shows a holder. Identifiers and barcodes are compared in Unicode's NFC form, whatever form they come in. Raises
 * `invalid_request` for one that is too long in it.
 */
export function itemOf(
  ctx: ActorCtx,
  passId: string,
  input: Static<typeof NewInstance>,
  key: string | null,
): IssueItem {
  const { holder, barcode } = input;
  const normal = {
    ...input,
    ...(barcode != null && { barcode: normalText('barcode', barcode) }),
    ...(holder?.identifier != null && {
      holder: { ...holder, identifier: normalText('holder.identifier', holder.identifier) },
    }),
  };
  return {
    ctx,
    passId,
    input: normal,
    key: reachesPass(ctx, passId) ? key : null,
    imported: false,
    addressable: true,
    opening: null,
  };
}

/** Apart from every key that a caller can choose: those hold no tab. */
function keyAt(op: string, key: string | null, at: number): string | null {
  return key === null ? null : `${op}\t${key}\t${at}`;
}

async function settled(ctx: ActorCtx, item: IssueItem): Promise<Results[number]> {
  try {
    return resultOf(await ctx.app.groupCommit.write(issueInstances, laneOf(item), item));
  } catch (error) {
    const known = asRefusal(error, item.key !== null);
    if (known instanceof ApiError) return resultOf(known);
    // The other items have their own fate, which the caller must learn.
    ctx.app.log.error({ err: error, requestId: ctx.requestId }, 'an item of a batch failed');
    return resultOf(refusal('internal_error', 'The card could not be issued. Contact support.'));
  }
}

function resultOf(outcome: IssueOutcome): Results[number] {
  if (outcome instanceof ApiError) {
    return {
      status: outcome.status,
      error: { error: outcome.message, code: outcome.code, ...outcome.extra },
    };
  }
  return { status: outcome.status, instance: JSON.parse(String(outcome.body)) };
}
