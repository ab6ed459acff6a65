import type { Static } from 'typebox';
import { invalidField } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { requireCurrency } from '../kit/http/schemas/money.ts';
import type { WorkspaceDefaults } from '../workspaces/own-workspace.ts';
import { refuseUnprintable } from './barcode-formats.ts';
import {
  changeOptions,
  changeStamps,
  checkDates,
  completeActions,
  completeBeacons,
  completeDates,
  completeModules,
} from './card-options.ts';
import { changeTranslations, readLanguage } from './change-translations.ts';
import { type FieldLook, misfitOf } from './field-formats.ts';
import { type ImageUrls, noImages, translatedUrls } from './images/fetch-images.ts';
import { checkJoinForm, completeJoinForm } from './join-form.ts';
import type { NewPass } from './pass.schema.ts';
import {
  type ImageSlot,
  imageSlots,
  type PassField,
  type PassImages,
  type PassRow,
  type Translations,
  templateOwnedKeys,
  unspeakableKeys,
} from './pass-row.ts';

type NewDesign = Static<typeof NewPass>;

const designKeys = [
  'title',
  'type',
  'details',
  'terms',
  'expiry',
  'fields',
  'colors',
  'barcodeMode',
  'barcodeFormat',
  'barcodeValue',
  'poolLowAt',
  'images',
  'locations',
  'beacons',
  'dates',
  'actions',
  'modules',
  'walletOptions',
  'stampLook',
  'metadata',
  'language',
  'translations',
  'joinForm',
] as const satisfies readonly (keyof PassRow)[];

/** The part of a pass that its author decides. */
export type Design = Pick<PassRow, (typeof designKeys)[number]>;

/** The design that a new pass begins with, before its body is laid over it. */
export function blankDesign(title: string, type: Design['type'], defaults: WorkspaceDefaults): Design {
  return {
    title,
    type,
    details: null,
    terms: defaults.terms ?? null,
    expiry: { kind: 'none' },
    fields: [],
    colors: { background: null, foreground: null, label: null, ...defaults.colors },
    barcodeMode: 'unique',
    barcodeFormat: 'qr',
    barcodeValue: null,
    poolLowAt: 100,
    images: {},
    locations: [],
    beacons: [],
    dates: [],
    actions: [],
    modules: [],
    walletOptions: {},
    stampLook: {},
    metadata: {},
    language: null,
    translations: {},
    joinForm: null,
  };
}

/** The design of a pass, without its identity, state and history. */
export function designOf(row: PassRow): Design {
  return Object.fromEntries(designKeys.map((key) => [key, row[key]])) as Design;
}

/**
 * Lays changes over a design: absent leaves alone. The images of the URLs among them have been `fetched`. Raises
 * `invalid_request` that names the parameter.
 */
export function changeDesign(
  before: Design,
  changes: Partial<NewDesign>,
  fetched: PassImages = noImages.images,
): Design {
  const { title, type, details, terms, expiry, colors, locations, metadata, barcode, pool, join } = changes;
  const changed: Omit<Design, 'translations'> = {
    title: title ?? before.title,
    type: type ?? before.type,
    details: details === undefined ? before.details : details,
    terms: terms === undefined ? before.terms : terms,
    expiry: expiry === undefined ? before.expiry : normalExpiry(expiry),
    fields: changes.fields === undefined ? before.fields : completeFields(changes.fields),
    colors: { ...before.colors, ...colors },
    images: changeImages(before.images, changes, fetched),
    locations: locations ?? before.locations,
    beacons: changes.beacons === undefined ? before.beacons : completeBeacons(changes.beacons),
    dates: changes.dates === undefined ? before.dates : completeDates(changes.dates),
    actions: changes.actions === undefined ? before.actions : completeActions(changes.actions),
    modules: changes.modules === undefined ? before.modules : completeModules(changes.modules),
    walletOptions: changeOptions(before.walletOptions, changes.walletOptions),
    stampLook: changeStamps(before.stampLook, changes.stamps),
    metadata: metadata ?? before.metadata,
    language:
      changes.language === undefined
        ? before.language
        : changes.language && readLanguage('language', changes.language),
    barcodeMode: barcode?.mode ?? before.barcodeMode,
    barcodeFormat: barcode?.format ?? before.barcodeFormat,
    barcodeValue: sharedValue(before, barcode),
    poolLowAt: pool?.lowAt ?? before.poolLowAt,
    joinForm: join === undefined ? before.joinForm : join && completeJoinForm(join),
  };
  const translations = changeTranslations(
    before,
    { ...changed, imageSlots: imageSlots.filter((slot) => hasImage(before, changes, slot)) },
    changes.translations,
  );
  const images = { ...changed.images, ...translatedImages(before.images, translations, fetched) };
  const after = { ...changed, images, translations };
  const shared = after.barcodeMode === 'simple';
  if (shared && after.barcodeValue === null)
    throw invalidField('barcode.value', 'required', 'is required with mode "simple".');
  if (!shared && after.barcodeValue !== null)
    throw invalidField('barcode.value', 'excluded', 'only mode "simple" has a shared value; leave it out.');
  if (after.barcodeValue !== null)
    refuseUnprintable('barcode.value', after.barcodeFormat, after.barcodeValue);
  checkDates(after.dates, after.fields);
  refusePoster(after, changes);
  if (after.joinForm !== null) checkJoinForm(after.joinForm, after.fields);
  return after;
}

/** A shared value stays while the mode stays; another mode has none. Look-ups compare in Unicode's NFC form. */
function sharedValue(before: Design, barcode: NewDesign['barcode']): string | null {
  if (barcode?.value === null) return null;
  if (barcode?.value !== undefined) return normalText('barcode.value', barcode.value);
  return (barcode?.mode ?? before.barcodeMode) === 'simple' ? before.barcodeValue : null;
}

/** Null removes an image. */
function changeImages(before: PassImages, urls: ImageUrls, fetched: PassImages): PassImages {
  const kept = imageSlots.flatMap((slot) => {
    const image = urls[slot] === null ? undefined : (fetched[slot] ?? before[slot]);
    return image === undefined ? [] : [[slot, image] as const];
  });
  return Object.fromEntries(kept);
}

/** Whether a design has an image in a slot after changes, fetched or yet to be fetched. */
function hasImage(before: Design, urls: ImageUrls, slot: ImageSlot): boolean {
  return urls[slot] === undefined ? before.images[slot] !== undefined : urls[slot] !== null;
}

/** The images of translations: those that were fetched, and those of before that are from the same URL. */
function translatedImages(before: PassImages, translations: Translations, fetched: PassImages): PassImages {
  const kept = translatedUrls(translations).flatMap(([key, url]) => {
    const image = fetched[key] ?? (before[key]?.url === url ? before[key] : undefined);
    return image === undefined ? [] : [[key, image] as const];
  });
  return Object.fromEntries(kept);
}

/** iOS has posters of no other type. */
function refusePoster({ type, images }: Pick<Design, 'type' | 'images'>, { posterUrl }: ImageUrls): void {
  if (type === 'generic') return;
  if (typeof posterUrl !== 'string' && images.posterUrl === undefined) return;
  throw invalidField(
    'posterUrl',
    'excluded',
    'is for passes of the type "generic" alone. Send null, or that type.',
  );
}

function completeFields(fields: NonNullable<NewDesign['fields']>): PassField[] {
  const seen = new Set<string>();
  return fields.map((field, at) => {
    if (templateOwnedKeys.has(field.key))
      throw invalidField(
        `fields[${at}].key`,
        'reserved',
        `"${field.key}" belongs to the pass itself. Choose another key.`,
      );
    if (unspeakableKeys.has(field.key))
      throw invalidField(
        `fields[${at}].key`,
        'reserved',
        `"${field.key}" cannot be a property name. Choose another key.`,
      );
    if (seen.has(field.key))
      throw invalidField(`fields[${at}].key`, 'unique', `"${field.key}" is used twice. Keys must be unique.`);
    seen.add(field.key);
    const { key, label, section, value = null, editable = true, changeMessage = null } = field;
    const complete = { key, label, value, section, editable, changeMessage, ...lookOf(field, at) };
    return field.untilProgram === true ? { ...complete, untilProgram: true } : complete;
  });
}

/** How a field is written; raises `invalid_request` for a currency without amounts, or a value of another format. */
function lookOf(field: NonNullable<NewDesign['fields']>[number], at: number): FieldLook {
  const { format = 'text', currency, align, value = null } = field;
  if (format === 'currency' && currency === undefined)
    throw invalidField(`fields[${at}].currency`, 'required', 'is required with the format "currency".');
  if (format !== 'currency' && currency !== undefined)
    throw invalidField(
      `fields[${at}].currency`,
      'excluded',
      'goes with the format "currency"; leave it out.',
    );
  if (currency !== undefined) requireCurrency(`fields[${at}].currency`, currency);
  const look = {
    ...(format !== 'text' && { format }),
    ...(currency !== undefined && { currency }),
    ...(align !== undefined && { align }),
  };
  const misfit = misfitOf(look, value);
  if (misfit !== null) throw invalidField(`fields[${at}].value`, 'format', misfit);
  return look;
}

function normalExpiry(expiry: NonNullable<NewDesign['expiry']>): Design['expiry'] {
  return expiry.kind === 'fixed' ? { kind: 'fixed', at: new Date(expiry.at).toISOString() } : expiry;
}
