import type { WantedColors } from '../../cards/card-colors.ts';
import type { PassType } from '../../passes/pass-row.ts';
import type { BarcodeFormat } from '../../wallet/barcode-format.ts';
import type { Stamps } from '../stamps-drawing.ts';
import type { Picture } from './sheet.ts';

/** What the front of a card shows, whichever wallet shows it. */
interface PreviewCard {
  readonly organization: string;
  readonly title: string;
  readonly type: PassType;
  readonly colors: WantedColors;
  readonly barcode: { readonly format: BarcodeFormat; readonly value: string } | null;
  /** Drawn where the wallet has a place for them. */
  readonly stamps: Stamps | null;
  /** Why the card is no longer usable, in the holder's language. */
  readonly ended: string | null;
  /** BCP 47. */
  readonly language: string | null;
  readonly fromRight: boolean;
}

/** A card as Apple Wallet gets it. */
export interface ApplePreview extends PreviewCard {
  readonly platform: 'apple';
  /** Those that have a value, in the order of display inside each section. */
  readonly fields: readonly PreviewField[];
  readonly images: {
    readonly logo: Picture | null;
    readonly strip: Picture | null;
    readonly thumbnail: Picture | null;
    /** Blurred, as Wallet does it. */
    readonly background: Picture | null;
  };
}

/** A card as Google Wallet gets it. */
export interface GooglePreview extends PreviewCard {
  readonly platform: 'google';
  /** Next to the title of a generic card. */
  readonly subheader: string | null;
  /** Three of three items at most. */
  readonly rows: readonly (readonly PreviewItem[])[];
  readonly logo: Picture | null;
  readonly hero: Picture | null;
}

export interface PreviewItem {
  /** By which the drawing says what it has cut off. */
  readonly key?: string;
  readonly label: string;
  readonly value: string;
}

export interface PreviewField extends PreviewItem {
  readonly section: 'header' | 'primary' | 'secondary' | 'auxiliary';
}
