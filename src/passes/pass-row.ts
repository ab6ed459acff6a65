import { refusedNames } from '../kit/http/schemas/documented.ts';
import type { Kind } from '../locales/words.ts';
import type { BarcodeFormat } from '../wallet/barcode-format.ts';
import type { FieldLook } from './field-formats.ts';
import type { PointName, ProgramRow } from './programs/program-row.ts';
import type { StampLook, WalletOptions } from './wallet-options.ts';

/** What a pass is found by. */
export interface PassKey {
  readonly workspaceId: string;
  readonly passId: string;
}

export type PassType = 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
/** What a pass is called when one speaks of it. */
export function kindOf(type: PassType): Kind {
  return type === 'loyalty' || type === 'generic' ? 'card' : type === 'eventTicket' ? 'ticket' : type;
}

export type PassStatus = 'draft' | 'published' | 'archived';
export type BarcodeMode = 'simple' | 'unique' | 'pool' | 'none';

/** A design: what all cards of a pass share. */
export interface PassRow extends PassKey {
  readonly title: string;
  readonly type: PassType;
  readonly status: PassStatus;
  readonly details: string | null;
  readonly terms: string | null;
  readonly expiry: Expiry;
  readonly fields: readonly PassField[];
  readonly colors: { background: string | null; foreground: string | null; label: string | null };
  readonly barcodeMode: BarcodeMode;
  readonly barcodeFormat: BarcodeFormat;
  readonly barcodeValue: string | null;
  readonly images: PassImages;
  /** The first ten, unless it was read with all. */
  readonly locations: readonly PassLocation[];
  /** How many places it has besides the first ten. */
  readonly moreLocations: number;
  readonly beacons: readonly PassBeacon[];
  readonly dates: readonly PassDate[];
  readonly actions: readonly PassAction[];
  readonly modules: readonly PassModule[];
  readonly walletOptions: WalletOptions;
  readonly stampLook: StampLook;
  readonly metadata: Record<string, string | number | boolean | null>;
  /** BCP 47: that of its own texts; null: its workspace's. */
  readonly language: string | null;
  readonly translations: Translations;
  /** How people enrol by themselves; null: they do not. */
  readonly joinForm: JoinForm | null;
  /** The newest message to all holders. */
  readonly message: string | null;
  /** Its rollout; null where that was not kept. */
  readonly messageId: string | null;
  /** Its loyalty program. */
  readonly programId: string | null;
  /** Its pool is low once no more than so many codes are left. */
  readonly poolLowAt: number;
  /** The issue of this code, or of a later one, makes the pool low; null if no more than `poolLowAt` are left. */
  readonly poolLowSeq: number | null;
  /** Since when the pool is low; null while it is not. */
  readonly poolLowSince: Date | null;
  /** No earlier code is left in the pool. */
  readonly poolFromSeq: number;
  readonly revision: number;
  readonly modifiedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The page on which people enrol by themselves. */
export interface JoinForm {
  readonly enabled: boolean;
  readonly fields: readonly JoinField[];
  readonly headline: string | null;
  readonly text: string | null;
  /** Which image of the pass stands above the form. */
  readonly image: ImageSlot | null;
  readonly consents: readonly JoinConsent[];
  readonly proof: 'none' | 'email';
  /** New cards on a day in the time zone of the workspace; null: no limit. */
  readonly limitPerDay: number | null;
  /** Hosts that may show the page in a frame. */
  readonly domainAllow: readonly string[];
}

/** What the page asks for: something of the person, or a field of the pass. */
export interface JoinField {
  readonly key: string;
  readonly required: boolean;
  readonly label: string | null;
}

export interface JoinConsent {
  readonly key: string;
  readonly text: string;
  readonly required: boolean;
}

/** What a new card needs to know of the program of its pass. */
interface PassProgram extends Pick<ProgramRow, 'mode' | 'currency' | 'tiers'> {
  /** ISO 8601. */
  readonly launchedAt: string | null;
}

/** The same with its program. */
export interface LockedPass extends PassRow {
  readonly program: PassProgram | null;
}

export type Expiry = { kind: 'none' } | { kind: 'fixed'; at: string } | { kind: 'afterIssue'; days: number };

export interface PassField extends FieldLook {
  readonly key: string;
  readonly label: string;
  readonly value: string | null;
  readonly section: 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';
  readonly editable: boolean;
  readonly changeMessage: string | null;
  /** Replaces what a program says of its reward, until one is launched. */
  readonly untilProgram?: true;
}

/** The parameters that take an image URL, in the order in which their problems are reported. */
export const imageSlots = [
  'iconUrl',
  'logoUrl',
  'stripUrl',
  'thumbnailUrl',
  'backgroundUrl',
  'heroUrl',
  'posterUrl',
] as const;

export type ImageSlot = (typeof imageSlots)[number];

/** An image in a slot, or what is there in another language: `logoUrl@de`. */
export type ImageKey = ImageSlot | `${ImageSlot}@${string}`;

export type PassImages = Readonly<Partial<Record<ImageKey, PassImage>>>;

/** An image as it was fetched once, and what was made of it. */
export interface PassImage {
  /** The URL as the caller sent it, of the web or of an upload. It is not fetched again. */
  readonly url: string;
  /** The main image, which pages show. */
  readonly shown: StoredImage;
  /** By the name that a wallet knows it by: `strip@2x.png` in a pass file, `google-hero.png`. */
  readonly files: Readonly<Record<string, StoredImage>>;
}

/** A PNG in the store of images. */
export interface StoredImage {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PassLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly relevantText?: string | null;
}

/** A Bluetooth beacon near which phones bring the card up. */
export interface PassBeacon {
  readonly uuid: string;
  /** Of a group of beacons, and of one in it; absent: any. */
  readonly major?: number;
  readonly minor?: number;
  readonly relevantText?: string | null;
}

/** When a card matters: at a moment, for a time, or at the moment that a field has for each holder. */
export type PassDate = { readonly start: string; readonly end?: string | null } | { readonly field: string };

/** What a button of a card is for. */
export const actionKinds = [
  'shop',
  'order',
  'offers',
  'benefits',
  'topUp',
  'call',
  'appointment',
  'schedule',
  'stay',
  'car',
  'flight',
  'music',
  'trailer',
] as const;
export type ActionKind = (typeof actionKinds)[number];

export interface PassAction {
  readonly kind: ActionKind;
  readonly title: string;
  /** An address of the web, or of `call` a telephone number. */
  readonly to: string;
}

/** An offer or a link below the card. */
export interface PassModule {
  /** Each module has another. */
  readonly header: string;
  readonly body?: string | null;
  readonly url: string;
}

/** One value for all holders: never the key of a field. */
export const templateOwnedKeys: ReadonlySet<string> = new Set(['title', 'details', 'terms', 'expiry']);

/** Refused as names in every JSON body, so that no caller could give such a field a value. */
export const unspeakableKeys: ReadonlySet<string> = new Set(refusedNames);

/** The texts of a design and of its program in another language. What is absent is not translated yet. */
export interface Translation {
  readonly title?: string;
  readonly details?: string;
  readonly terms?: string;
  /** By the key of the field. */
  readonly fields?: Readonly<Record<string, FieldTexts>>;
  /** What the lock screen says at each of the locations, in their order. */
  readonly locations?: (string | null)[];
  /** At each of the beacons. */
  readonly beacons?: (string | null)[];
  /** Titles by the kind of the action. */
  readonly actions?: Readonly<Partial<Record<ActionKind, string>>>;
  /** Of each of the modules, in their order. */
  readonly modules?: ({ readonly header?: string; readonly body?: string } | null)[];
  readonly program?: ProgramTexts;
  /** Where the images in the place of the pass's own were fetched, by their slots. */
  readonly images?: Readonly<Partial<Record<ImageSlot, string>>>;
}

interface FieldTexts {
  readonly label?: string;
  /** What holders without a value of their own see. */
  readonly value?: string;
  readonly changeMessage?: string;
}

interface ProgramTexts {
  readonly rewardTitle?: string;
  readonly pointName?: PointName;
  /** Titles by the key of the tier. */
  readonly tiers?: Readonly<Record<string, string>>;
}

/** By BCP 47 language. */
export type Translations = Readonly<Record<string, Translation>>;
