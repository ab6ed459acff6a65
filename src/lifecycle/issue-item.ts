import type { Static } from 'typebox';
import type { GivenConsent } from '../cards/consents.sql.ts';
import { presentPush, type ShownInstance, statusOf } from '../cards/instance.schema.ts';
import type { HolderRow, InstanceRow } from '../cards/instance-row.ts';
import type { ActorCtx } from '../context.ts';
import type { BatchCall } from '../engine/batch.ts';
import { type Claim, fingerprintOf } from '../kit/db/claims.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { parsePositive } from '../kit/http/schemas/money.ts';
import type { Opening } from '../loyalty/post-opening-balances.ts';
import { maySeePass } from '../passes/find-pass.ts';
import type { LockedPass } from '../passes/pass-row.ts';
import type { PushOutcome } from '../pushes/push-outcome.ts';
import { requireNumber } from '../workspaces/phone-country.ts';
import type { KnownInstance, NewInstance } from './issue.schema.ts';

/** One card to issue. */
export interface IssueItem extends BatchCall<Issued, IssueAnswer>, Origin {
  /** Public id. */
  readonly passId: string;
  readonly input: IssueInput;
}

/** A body of the API, or what a store reports of its customer. */
export type IssueInput = Omit<Static<typeof NewInstance>, 'holder'> & {
  readonly holder?: Partial<HolderRow> | null;
};

/** Where a card comes from. */
interface Origin {
  /** The operation that it is audited as. */
  readonly op: 'issueInstance' | 'issueBatch' | 'importInstances';
  /** A card issued elsewhere: it brings its barcode, also where the pass has a pool. */
  readonly imported: boolean;
  readonly addressable: boolean;
  /** What a card issued elsewhere brings along, or what one is sold with. */
  readonly opening: Opening | null;
  /** What its holder has agreed to. */
  readonly consents: readonly GivenConsent[];
  /** The refusal of the item alone, raised once its pass is known; null: the item has no fault of its own. */
  readonly problem?: ApiError | null;
}

/** A new card, or the one that the holder has. */
export interface Issued {
  readonly row: InstanceRow;
  readonly isNew: boolean;
  /** The card as the API shows it. */
  readonly shown: ShownInstance;
  /** The outcome of the push, where the card that the holder has was to be updated. */
  readonly push?: PushOutcome;
}

/** 201 with a new card; 200 with the one that the holder has, 202 where it was updated and not pushed. */
export type IssueAnswer =
  | { readonly status: 201; readonly body: ShownInstance }
  | { readonly status: 200 | 202; readonly body: Static<typeof KnownInstance> };

/** An item that passed its checks, its pass, and the partner that it names. */
export interface CheckedItem {
  readonly item: IssueItem;
  readonly pass: LockedPass;
  readonly partnerId: string | null;
  readonly instanceId: string;
}

/** The holder whom an item names. */
export function identifierOf({ input }: IssueItem): string | null {
  return input.holder?.identifier ?? null;
}

/** Names the claim whose answer shows the card. */
export function claimDetail({ claims: [claim] }: IssueItem) {
  return claim === undefined ? {} : { op: claim.operation, key: claim.key };
}

/** Whether a card that the holder has takes over what was sent. */
export function updatesPresent({ input }: IssueItem): boolean {
  return input.onExisting === 'update';
}

export const newHere: Origin = {
  op: 'issueInstance',
  imported: false,
  addressable: true,
  opening: null,
  consents: [],
};

/**
 * An item to issue. A key that does not reach the pass gets no claim: its refusal must come before a replay, which
 * shows a holder. Identifiers and barcodes are compared in Unicode's NFC form, whatever form they come in. Raises
 * `invalid_request` for one that is too long in it.
 */
export function itemOf(
  ctx: ActorCtx,
  passId: string,
  input: IssueInput,
  key: string | null,
  origin = newHere,
): IssueItem {
  const normal = normalInput(input);
  const identifier = normal.holder?.identifier ?? null;
  const barcode = normal.barcode ?? null;
  const opening = openingOf(normal, key) ?? origin.opening;
  const brought = opening === null ? [] : [opening.balance];
  // What an update changes is a part of its effect, as it is of that of PATCH …/fields.
  const update = normal.onExisting === 'update' ? [{ holder: normal.holder, fields: normal.fields }] : [];
  const effect = [passId, identifier, barcode, ...brought, ...update];
  return {
    ctx,
    passId,
    input: normal,
    ...origin,
    opening,
    claims: key !== null && maySeePass(ctx, passId) ? [claimOf(ctx, key, effect)] : [],
    names: [
      ...(identifier === null ? [] : [`holder ${identifier}`]),
      ...(barcode === null ? [] : [`barcode ${barcode}`]),
    ],
    present: presentIssued,
  };
}

/** The money that a card is sold with. */
function openingOf({ value }: IssueInput, key: string | null): Opening | null {
  if (value === undefined) return null;
  const { minor, currency } = parsePositive('value', value);
  return { balance: minor, currency, isSold: true, externalRef: key };
}

function presentIssued({ isNew, shown, push }: Issued): IssueAnswer {
  if (isNew) return { status: 201, body: shown };
  if (push === undefined) return { status: 200, body: shown };
  return { status: statusOf(push), body: { ...shown, ...presentPush(push) } };
}

function normalInput(input: IssueInput): IssueInput {
  const { holder, barcode } = input;
  return {
    ...input,
    ...(barcode != null && { barcode: normalText('barcode', barcode) }),
    ...(holder?.identifier != null && {
      holder: { ...holder, identifier: normalText('holder.identifier', holder.identifier) },
    }),
  };
}

/**
 * The item with the telephone number of its holder in the form of E.164. What is none is its problem: kept answers of former
 * versions are looked for first.
 */
export async function withNumber(item: IssueItem): Promise<IssueItem> {
  const { ctx, input } = item;
  if (input.holder?.phone == null) return item;
  const holder = await numberRead(ctx, input.holder).catch(problemOf);
  return holder instanceof ApiError ? { ...item, problem: holder } : { ...item, input: { ...input, holder } };
}

/** A holder as a caller has sent it, with the number in the form of E.164. Raises `invalid_request` for what is none. */
export async function numberRead(ctx: ActorCtx, holder: Partial<HolderRow>): Promise<Partial<HolderRow>> {
  const { phone } = holder;
  return phone == null ? holder : { ...holder, phone: await requireNumber(ctx, 'holder.phone', phone) };
}

function problemOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function claimOf({ requestId }: ActorCtx, key: string, effect: unknown): Claim {
  return { operation: 'issueInstance', key, fingerprint: fingerprintOf(effect), requestId };
}
