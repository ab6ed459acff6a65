import type { ProgramMode } from '../programs/program-row.ts';

export type PassType = 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
export type PassStatus = 'draft' | 'published' | 'archived';
export type BarcodeMode = 'simple' | 'unique' | 'pool' | 'none';
export type BarcodeFormat = 'qr' | 'pdf417' | 'aztec' | 'code128';

/** A design: what all cards of a pass share. */
export interface PassRow {
  readonly workspaceId: string;
  readonly passId: string;
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
  readonly locations: readonly PassLocation[];
  readonly metadata: Record<string, string | number | boolean | null>;
  /** The newest message to all holders. */
  readonly message: string | null;
  /** Its loyalty program. */
  readonly programId: string | null;
  readonly revision: number;
  readonly modifiedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A pass with what its cards need to know of its program. */
export interface HeldPass extends PassRow {
  readonly programMode: ProgramMode | null;
}

export type Expiry = { kind: 'none' } | { kind: 'fixed'; at: string } | { kind: 'afterIssue'; days: number };

export interface PassField {
  readonly key: string;
  readonly label: string;
  readonly value: string | null;
  readonly section: 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';
  readonly editable: boolean;
  readonly changeMessage: string | null;
}

export interface PassLocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly relevantText?: string | null;
}
