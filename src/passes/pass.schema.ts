import { type TSchema, Type } from 'typebox';
import { documentedAs, documentedWith, inNfc, named, variants } from '../kit/http/schemas/documented.ts';
import { Currency } from '../kit/http/schemas/money.ts';
import {
  closed,
  Id,
  line,
  Metadata,
  Moment,
  nullable,
  oneOf,
  partial,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { RolloutRow } from '../pushes/begin-rollout.ts';
import { presentRollout, Rollout } from '../pushes/rollout.schema.ts';
import { ColorChanges, Colors } from '../workspaces/workspace.schema.ts';
import {
  Actions,
  Beacons,
  Dates,
  Modules,
  NewDates,
  OptionChanges,
  Options,
  StampChanges,
  StampsShown,
} from './card-options.schema.ts';
import { presentStamps } from './card-options.ts';
import { fieldFormats } from './field-formats.ts';
import { Images, imageUrls, presentImages } from './images/image.schema.ts';
import { JoinForm, NewJoinForm } from './join.schema.ts';
import { presentJoinForm } from './join-form.ts';
import { type PassRow, templateOwnedKeys, unspeakableKeys } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';
import { mostOnCard } from './places.ts';
import { LowAt, Pool, presentPool } from './pool.schema.ts';
import { cardText, degrees, mostPlaces } from './text.schema.ts';
import { byLanguage, OwnLanguage, Translation } from './translation.schema.ts';

const PassTypeName = oneOf(['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic']);
export const PassStatusName = oneOf(['draft', 'published', 'archived']);

const NoExpiry = closed({ kind: Type.Literal('none') }, { $id: 'NoExpiry' });
const ExpiryAfterIssue = closed(
  { kind: Type.Literal('afterIssue'), days: Type.Integer({ minimum: 1, maximum: 36_500 }) },
  { $id: 'ExpiryAfterIssue' },
);

function expiryAt<T extends TSchema>(at: T, $id: string) {
  const fixed = closed({ kind: Type.Literal('fixed'), at }, { $id });
  return documentedAs(Type.Union([NoExpiry, fixed, ExpiryAfterIssue]), {
    description: 'when cards of this pass expire',
    ...variants('kind', { none: NoExpiry, fixed, afterIssue: ExpiryAfterIssue }),
  });
}

const fieldColumns = {
  key: documentedWith(
    Type.String({
      pattern: '^[a-z][a-z0-9_]{0,39}$',
      maxLength: 40,
      description: 'a small letter, then small letters, digits and _, at most 40 together',
    }),
    { not: { enum: [...templateOwnedKeys, ...unspeakableKeys] } },
  ),
  label: cardText.label,
  value: nullable(
    documentedWith(cardText.value, { description: 'what holders without a value of their own see' }),
  ),
  section: oneOf(['header', 'primary', 'secondary', 'auxiliary', 'back']),
  editable: Type.Boolean({ description: 'whether holders may have a value of their own' }),
  changeMessage: nullable(
    documentedWith(cardText.changeMessage, {
      description: 'shown on change; %@ is replaced by the new value',
    }),
  ),
  untilProgram: Type.Optional(
    Type.Boolean({
      description: 'whether it is shown only until a program is launched, such as a text about the reward',
    }),
  ),
  format: Type.Optional(
    documentedWith(oneOf(fieldFormats), {
      description:
        'what its values are: wallets write them in the language of the holder. `number` 12.5, `percent` 12.5 (of a hundred), `currency` 12.50, `date` 2027-03-01, `time` 18:30, `dateTime` and `relative` (such as "in 3 days") 2027-03-01T18:30:00Z; `link` https://example.com, `phone`, `email` and `address` open where they are touched. Absent: text',
    }),
  ),
  currency: Type.Optional(Currency),
  align: Type.Optional(
    documentedWith(oneOf(['left', 'center', 'right']), {
      description: 'its alignment in Apple Wallet; not in the sections `primary` and `back`',
    }),
  ),
};

const Field = closed(fieldColumns, { $id: 'PassField' });
const NewField = closed(
  {
    key: fieldColumns.key,
    label: fieldColumns.label,
    section: fieldColumns.section,
    value: Type.Optional(fieldColumns.value),
    editable: Type.Optional(fieldColumns.editable),
    changeMessage: Type.Optional(fieldColumns.changeMessage),
    untilProgram: fieldColumns.untilProgram,
    format: fieldColumns.format,
    currency: fieldColumns.currency,
    align: fieldColumns.align,
  },
  { $id: 'NewPassField' },
);

const barcodeColumns = {
  mode: oneOf(['simple', 'unique', 'pool', 'none']),
  format: oneOf(['qr', 'pdf417', 'aztec', 'code128', 'ean13', 'code39', 'codabar', 'itf']),
};
/** What a barcode may hold. */
export const BarcodeText = inNfc(line(255));
const Barcode = closed({ ...barcodeColumns, value: nullable(BarcodeText) });
const BarcodeChanges = closed({
  mode: Type.Optional(barcodeColumns.mode),
  format: Type.Optional(barcodeColumns.format),
  value: Type.Optional(nullable(BarcodeText)),
});
/** Only the mode `simple` has a shared value, and it must have one. */
const NewBarcode = documentedWith(BarcodeChanges, {
  anyOf: [
    { properties: { mode: { const: 'simple' }, value: { type: 'string' } }, required: ['mode', 'value'] },
    { properties: { mode: { enum: ['unique', 'pool', 'none'] }, value: { type: 'null' } } },
  ],
});

const Location = closed({
  ...degrees,
  relevantText: Type.Optional(nullable(cardText.relevantText)),
});

const design = {
  title: cardText.title,
  type: PassTypeName,
  details: nullable(cardText.details),
  terms: nullable(cardText.terms),
  expiry: expiryAt(Moment, 'NewFixedExpiry'),
  fields: Type.Array(NewField, { maxItems: 40 }),
  colors: ColorChanges,
  barcode: BarcodeChanges,
  pool: closed({ lowAt: Type.Optional(LowAt) }),
  ...imageUrls,
  locations: Type.Array(Location, {
    maxItems: mostPlaces,
    description:
      'where phones bring the card up. A card has ten: those nearest to the partner at which it was issued, if that has a location, or else the first',
  }),
  beacons: Beacons,
  dates: NewDates,
  actions: Actions,
  modules: Modules,
  walletOptions: OptionChanges,
  stamps: StampChanges,
  metadata: Metadata,
  language: nullable(OwnLanguage),
  translations: byLanguage(
    nullable(Translation),
    'its texts in other languages: one that is named replaces what it had, null takes it away, the others stay',
  ),
  join: nullable(NewJoinForm),
};

/** The properties of a design, each of which may be absent. */
export const optionalDesign = Type.Partial(closed(design)).properties;
export const NewPass = named(
  'NewPass',
  closed({
    ...optionalDesign,
    title: design.title,
    type: design.type,
    barcode: Type.Optional(NewBarcode),
  }),
);
export const PassChanges = named('PassChanges', partial({ ...design, status: PassStatusName }));
export const Clone = Type.Optional(closed({ title: Type.Optional(design.title) }));

/** What was done, but may not be what was meant. */
export const Warnings = Type.Array(
  closed({
    code: Type.String(),
    message: Type.String(),
    language: Type.Optional(Type.String({ description: 'of `translation_incomplete`' })),
    missing: Type.Optional(
      Type.Array(Type.String(), { description: 'the texts that a translation lacks: `fields.tier.label`' }),
    ),
  }),
);

export const Pass = closed(
  {
    passId: Id,
    status: PassStatusName,
    ...design,
    expiry: expiryAt(Timestamp, 'FixedExpiry'),
    fields: Type.Array(Field),
    translations: byLanguage(Translation, 'its texts in other languages'),
    dates: Dates,
    walletOptions: Options,
    stamps: StampsShown,
    join: nullable(JoinForm),
    colors: Colors,
    barcode: Barcode,
    images: Images,
    programId: nullable(Id),
    counts: closed({ issued: Type.Integer(), installed: Type.Integer(), voided: Type.Integer() }),
    pool: Pool,
    rollout: nullable(Rollout),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    warnings: Type.Optional(Warnings),
    moreLocations: Type.Optional(
      Type.Integer({ description: 'in lists: how many places there are besides the ten of `locations`' }),
    ),
  },
  { $id: 'Pass' },
);

/** A body that the reference shows for a new pass. */
export const passExample = {
  title: 'Blue Bean Club',
  type: 'loyalty',
  details: 'Ten stamps, one coffee',
  expiry: { kind: 'none' },
  fields: [
    { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary', changeMessage: 'You are now %@' },
  ],
  colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  barcode: { mode: 'unique', format: 'qr' },
};

/** A pass as the API shows it. */
export function presentPass(publicUrl: string, row: PassRow, counts: PassCounts, rollout?: RolloutRow) {
  return {
    passId: encodeId('pass', row.passId),
    status: row.status,
    title: row.title,
    type: row.type,
    details: row.details,
    terms: row.terms,
    expiry: row.expiry,
    fields: row.fields.map((field) => ({ ...field })),
    colors: row.colors,
    barcode: { mode: row.barcodeMode, format: row.barcodeFormat, value: row.barcodeValue },
    iconUrl: row.images.iconUrl?.url ?? null,
    logoUrl: row.images.logoUrl?.url ?? null,
    stripUrl: row.images.stripUrl?.url ?? null,
    thumbnailUrl: row.images.thumbnailUrl?.url ?? null,
    backgroundUrl: row.images.backgroundUrl?.url ?? null,
    heroUrl: row.images.heroUrl?.url ?? null,
    posterUrl: row.images.posterUrl?.url ?? null,
    locations: row.locations.map((location) => ({ ...location })),
    ...(row.moreLocations > 0 && row.locations.length <= mostOnCard && { moreLocations: row.moreLocations }),
    beacons: row.beacons.map((beacon) => ({ ...beacon })),
    dates: row.dates.map((date) => ({ ...date })),
    actions: row.actions.map((action) => ({ ...action })),
    modules: row.modules.map((module) => ({ ...module })),
    walletOptions: row.walletOptions,
    stamps: presentStamps(row.stampLook),
    metadata: row.metadata,
    language: row.language,
    translations: row.translations,
    join: row.joinForm && presentJoinForm(publicUrl, row.passId, row.joinForm),
    images: presentImages(publicUrl, row.images),
    programId: row.programId === null ? null : encodeId('prog', row.programId),
    counts: { issued: counts.issued, installed: counts.installed, voided: counts.voided },
    pool: presentPool(row, counts),
    rollout: rollout === undefined ? null : presentRollout(rollout),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
