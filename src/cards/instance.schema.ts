import { type Static, type TSchema, Type } from 'typebox';
import { documentedAs, freelyNamed, inNfc, named } from '../kit/http/schemas/documented.ts';
import { Money } from '../kit/http/schemas/money.ts';
import {
  closed,
  Id,
  LocaleTag,
  line,
  Metadata,
  Moment,
  nullable,
  oneOf,
  partial,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { addressPattern } from '../kit/http/schemas/text-patterns.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import { ModeName } from '../passes/programs/program.schema.ts';
import { AccountTier, presentTier } from '../passes/programs/tier.schema.ts';
import { shownTier, TIER_KEY, tierOf } from '../passes/programs/tiers.ts';
import type { PushOutcome } from '../pushes/push-outcome.ts';
import { CardDetails } from './consent.schema.ts';
import { type CardAccount, type InstanceRow, presentPerson } from './instance-row.ts';
import { type LinkTarget, linkTo } from './link-token.ts';

export const InstanceStatus = oneOf(['active', 'voided']);
/** What names a holder within a workspace. */
export const Identifier = inNfc(
  line(255, "the holder's number in your own system; one active card per pass and identifier"),
);

/** What a locale looks like on a card. */
export const Phone = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'a telephone number, however it is written; one without its country is of the country of the workspace. It is kept and answered in the form of E.164',
});
export const Email = Type.String({
  maxLength: 254,
  pattern: addressPattern,
  description: 'an e-mail address',
});

export const holderColumns = {
  identifier: nullable(Identifier),
  name: nullable(line(200)),
  email: nullable(Email),
  phone: nullable(Phone),
  locale: nullable(LocaleTag),
};
export const HolderChanges = Type.Partial(closed(holderColumns), { additionalProperties: false });

/** The holder as answers show it. */
export const shownHolderColumns = {
  ...holderColumns,
  phone: nullable(Type.String({ description: 'a telephone number in the form of E.164' })),
};

/** The phone number as it was given, if it differs. */
export const PhoneGiven = Type.Optional(
  Type.String({
    description:
      'what a store or a former version has given as telephone number of the holder and is none; absent: nothing',
  }),
);

const FieldText = Type.String({ maxLength: 1_000 });

/** Values of the pass's fields by key; null clears one. */
export const FieldValues = freelyNamed(
  Type.Record(Type.String(), nullable(FieldText), { maxProperties: 40 }),
);

/** At least one of them, for an update; `{ useDefault: true }` returns a field to the value of the pass. */
export const FieldChanges = freelyNamed(
  Type.Record(
    Type.String(),
    Type.Union([nullable(FieldText), closed({ useDefault: Type.Literal(true) })], {
      description:
        "the holder's own value; null leaves the field blank, useDefault shows the value of the pass",
    }),
    { minProperties: 1, maxProperties: 40 },
  ),
);

const Loyalty = closed({
  programId: Id,
  mode: ModeName,
  balance: Type.Integer({ description: 'in MONEY in the smallest unit of the currency' }),
  amount: Type.Optional(Money),
  pendingRewards: Type.Integer(),
  tier: nullable(AccountTier),
});

export const Links = closed({
  add: Type.String(),
  apple: Type.String(),
  google: Type.String(),
  card: Type.String(),
  qr: Type.String(),
});

export const instanceColumns = {
  instanceId: Id,
  passId: Id,
  status: InstanceStatus,
  barcode: nullable(Type.String()),
  addressable: Type.Boolean({ description: 'whether the holder may have values of their own' }),
  holder: nullable(closed(shownHolderColumns)),
  phoneGiven: PhoneGiven,
  fields: Type.Record(Type.String(), nullable(Type.String())),
  expiresAt: nullable(Timestamp),
  partnerId: nullable(Id),
  metadata: Metadata,
  wallets: closed({ apple: Type.Integer(), google: Type.Integer(), web: Type.Integer() }),
  loyalty: nullable(Loyalty),
  links: Links,
  externalRef: nullable(Type.String({ description: 'yours, of its issue' })),
  installedAt: nullable(Type.String({ format: 'date-time', description: 'when a wallet took it first' })),
  lastPush: nullable(
    closed(
      { at: Timestamp, result: oneOf(['delivered', 'skipped', 'failed']) },
      {
        description:
          'the outcome of the last push of the card; a design that goes to all cards is not counted',
      },
    ),
  ),
  createdAt: Timestamp,
  updatedAt: Type.String({
    format: 'date-time',
    description:
      'when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and pushes, leave it',
  }),
  voidedAt: nullable(Timestamp),
  voidReason: nullable(Type.String()),
  details: Type.Optional(CardDetails),
  expired: Type.Optional(
    Type.Literal(true, { description: 'where a card is read whose `expiresAt` has come; else absent' }),
  ),
};
export const Instance = closed(instanceColumns, { $id: 'Instance' });
export type ShownInstance = Static<typeof Instance>;

/** Items that are checked one by one, so that a malformed one does not spoil the others. */
export function batchOf(item: TSchema, description: string) {
  const options = { minItems: 1, maxItems: 1_000, description };
  return documentedAs(Type.Array(Type.Unknown(), options), Type.Array(item, options));
}

/** How a card is looked up: by its code or its id, and what distinguishes cards with one code. */
export const LookUp = closed({
  barcode: Type.Optional(inNfc(Type.String({ minLength: 1, maxLength: 255 }))),
  instanceId: Type.Optional(Id),
  passId: Type.Optional(Id),
  identifier: Type.Optional(Identifier),
});

/** The outcome of the push, in the answer to every update of a card. */
export const pushColumns = {
  pushed: Type.Boolean({ description: 'whether the change is on its way to a wallet' }),
  pushSkipReason: Type.Optional(oneOf(['unchanged', 'insufficient_credits', 'not_installed'])),
  warnings: Type.Optional(Type.Array(closed({ code: Type.String(), message: Type.String() }))),
};

export const UpdatedInstance = closed(
  {
    ...instanceColumns,
    ...pushColumns,
  },
  { $id: 'UpdatedInstance' },
);

export const InstanceChanges = named(
  'InstanceChanges',
  partial({
    holder: HolderChanges,
    expiresAt: nullable(Moment),
    metadata: Metadata,
    fields: FieldChanges,
  }),
);

/** The code on the card: its own, or the one that all cards of its pass share. */
export function barcodeOf(row: Pick<InstanceRow, 'barcode' | 'sharedBarcode'>): string | null {
  return row.barcode ?? row.sharedBarcode;
}

/** What the card shows in each field of its pass: its `tier`, the holder's own value, or the default. */
export function fieldValuesOf(
  row: Pick<InstanceRow, 'fields' | 'passFields'>,
  tier: string | null,
): Record<string, string | null> {
  const values: Record<string, string | null> = {};
  for (const { key, value } of row.passFields) {
    const own = key === TIER_KEY && tier !== null ? tier : row.fields[key];
    values[key] = own === undefined ? value : own;
  }
  return values;
}

/** The moment at which the card expires: its own, or that of the pass. */
export function expiryOf(row: Pick<InstanceRow, 'expiresAt' | 'passExpiry' | 'createdAt'>): Date | null {
  if (row.expiresAt !== null) return row.expiresAt;
  if (row.passExpiry.kind === 'fixed') return new Date(row.passExpiry.at);
  if (row.passExpiry.kind === 'afterIssue')
    return new Date(row.createdAt.getTime() + row.passExpiry.days * dayMs);
  return null;
}

const dayMs = 86_400_000;

/** Whether a card that expires then has expired at a moment: at its last moment it has. The only place that compares them. */
export function hasExpired(expiry: Date | null, at: Date): boolean {
  return expiry !== null && expiry <= at;
}

/** An instance as the API shows it; its links are built on `publicUrl`. */
export function presentInstance(publicUrl: string, row: InstanceRow) {
  return {
    instanceId: encodeId('inst', row.instanceId),
    passId: encodeId('pass', row.passId),
    status: row.status,
    barcode: barcodeOf(row),
    addressable: row.addressable,
    holder: null,
    ...(row.holder !== null && presentPerson(row.holder)),
    fields: fieldValuesOf(row, shownTier(row.loyalty)),
    expiresAt: expiryOf(row)?.toISOString() ?? null,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    metadata: row.metadata,
    wallets: { apple: row.appleWallets, google: row.googleWallets, web: row.webWallets },
    loyalty: row.loyalty && presentAccount(row.loyalty),
    links: linksTo(publicUrl, row),
    externalRef: row.externalRef,
    installedAt: row.installedAt?.toISOString() ?? null,
    lastPush:
      row.lastPushAt === null || row.lastPushResult === null
        ? null
        : { at: row.lastPushAt.toISOString(), result: row.lastPushResult },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    voidedAt: row.voidedAt?.toISOString() ?? null,
    voidReason: row.voidReason,
  };
}

/** The same for a caller who reads it: it says where the card has expired by then. */
export function presentFound(publicUrl: string, row: InstanceRow, at: Date) {
  const shown = presentInstance(publicUrl, row);
  return hasExpired(expiryOf(row), at) ? { ...shown, expired: true as const } : shown;
}

function presentAccount(account: CardAccount) {
  const { programId, mode, currency, balance, pendingRewards } = account;
  const tier = presentTier(tierOf(account));
  const amount = currency === null ? {} : { amount: presentMinor(balance, currency) };
  return { programId: encodeId('prog', programId), mode, balance, ...amount, pendingRewards, tier };
}

/** Where the holder gets the card, in each way. */
export function linksTo(publicUrl: string, target: LinkTarget) {
  const add = linkTo(publicUrl, target);
  return {
    add,
    apple: `${add}/apple.pkpass`,
    google: `${add}/google`,
    card: `${add}/card`,
    qr: `${add}/qr.svg`,
  };
}

/** The answer to a change: the instance, and the outcome of the push. */
export function presentUpdate(publicUrl: string, row: InstanceRow, push: PushOutcome) {
  return { ...presentInstance(publicUrl, row), ...presentPush(push) };
}

/** The outcome of the push of a change. */
export function presentPush(push: PushOutcome) {
  if (push.pushed) return { pushed: true };
  const { pushSkipReason } = push;
  if (pushSkipReason !== 'insufficient_credits') return { pushed: false, pushSkipReason };
  const message = push.installed ? unpaidPush : unpaidWithoutWallet;
  return { pushed: false, pushSkipReason, warnings: [{ code: pushSkipReason, message }] };
}

/** 202 says that the change was applied and that the wallets do not know it yet (contract, retry rule 1). */
export function statusOf(push: PushOutcome): 200 | 202 {
  return !push.pushed && push.pushSkipReason === 'insufficient_credits' ? 202 : 200;
}

const unpaidPush =
  'The change was applied, but no credit was left to push it. A top-up delivers it by itself; so does POST /instances/{instanceId}/push, which applies nothing again. A re-send needs a fresh externalRef, and must not be an award that was applied already.';

const unpaidWithoutWallet =
  'The change was applied. No credit was left to push it, but no wallet holds the card: nothing waits for a top-up, and a wallet that adds the card gets its newest state. There is no need to send it again, and an award would count twice.';
