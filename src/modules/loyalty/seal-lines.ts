import type { SealedAccount, SealedEntry } from './seal-bytes.ts';

/** What the first line of an export calls the format. */
export const sealsFormat = 'punchcard-seals-2';

/** Formats that can be verified: in the first, reasons themselves are hashed. */
export const knownFormats: readonly string[] = ['punchcard-seals-1', sealsFormat];

/** A line of an export, as JSON. docs/LEDGER-SEALS.md describes them. */
export type LedgerLine =
  | { readonly type: 'ledger'; readonly format: string; readonly workspaceId: string }
  | AccountLine
  | EntryLine
  | SealLine
  | { readonly type: 'end'; readonly seals: number; readonly head: string };

/** An account that the next seal covers; its new entries follow. */
export type AccountLine = { readonly type: 'account' } & SealedAccount;

export type EntryLine = { readonly type: 'entry' } & SealedEntry;

/** A seal over the accounts before it. */
export interface SealLine {
  readonly type: 'seal';
  readonly seal: number;
  readonly sealedAt: string;
  readonly entries: number;
  readonly hash: string;
}
