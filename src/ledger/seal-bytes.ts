import { createHash, type Hash } from 'node:crypto';

/** The fields of an entry in the order in which they are hashed. docs/LEDGER-SEALS.md has it for other languages. */
export const sealedFields = [
  'accountId',
  'seq',
  'entryId',
  'programId',
  'instanceId',
  'kind',
  'points',
  'balance',
  'expiresAt',
  'externalRef',
  'reason',
  'limitedBy',
  'partnerId',
  'orderId',
  'reversalOf',
  'actor',
  'occurredAt',
  'createdAt',
] as const;

/** An entry as it is sealed: each field is the text that is hashed. */
export type SealedEntry = Readonly<Record<(typeof sealedFields)[number], string | null>> & {
  /**
   * What stands for the reason, in hex: its salt, which with it makes the digest that is hashed; where the reason was
   * erased, the digest itself; empty where the reason had been hashed. Null or absent: the reason is hashed.
   */
  readonly reasonSeal?: string | null;
  /** The same of the externalRef. */
  readonly refSeal?: string | null;
};

/** How far an account is sealed: the number of its newest sealed entry, and the hash over all up to it, in hex. */
export interface SealedAccount {
  readonly accountId: string;
  readonly seq: number;
  readonly hash: string;
}

/** What the hash of a seal covers beside the seal before it. */
export interface SealContents {
  readonly workspaceId: string;
  readonly seal: number;
  /** 2026-01-31T12:00:00.000000Z */
  readonly sealedAt: string;
  readonly entries: number;
  /** In the order of their ids. */
  readonly accounts: readonly SealedAccount[];
}

/** The hash before the first one. */
export const noHash = '0'.repeat(64);

/** The hash over an account's entries, given the one over those before. */
export function accountHash(before: string, entries: readonly SealedEntry[]): string {
  const hash = createHash('sha256');
  add(hash, before);
  for (const entry of entries) {
    const { reason, reasonSeal, externalRef, refSeal } = entry;
    const sealed = {
      ...entry,
      reason: sealedText(reason, reasonSeal),
      externalRef: sealedText(externalRef, refSeal),
    };
    for (const field of sealedFields) add(hash, sealed[field]);
  }
  return hash.digest('hex');
}

/** Whether an entry has lost a text that its hash was made of: the hash can be made again by nobody. */
export function hasLostText({ reason, reasonSeal, externalRef, refSeal }: SealedEntry): boolean {
  return (reason === null && reasonSeal === '') || (externalRef === null && refSeal === '');
}

function sealedText(text: string | null, seal: string | null = null): string | null {
  if (seal === null || seal === '') return text;
  if (text === null) return seal;
  return createHash('sha256').update(seal, 'hex').update(text).digest('hex');
}

/** The hash of a seal, given the one of the seal before. */
export function sealHash(before: string, seal: SealContents): string {
  const hash = createHash('sha256');
  for (const text of [before, seal.workspaceId, String(seal.seal), seal.sealedAt, String(seal.entries)])
    add(hash, text);
  for (const { accountId, seq, hash: head } of seal.accounts) {
    add(hash, accountId);
    add(hash, String(seq));
    add(hash, head);
  }
  return hash.digest('hex');
}

/** A moment with the digits that the database keeps. */
export function sealedMoment(moment: Date): string {
  return moment.toISOString().replace('Z', '000Z');
}

/** The length in bytes as four bytes, the greatest first, then the text in UTF-8; of null only ff ff ff ff. */
function add(hash: Hash, text: string | null): void {
  const bytes = Buffer.from(text ?? '');
  const length = Buffer.alloc(4, 0xff);
  if (text !== null) length.writeUInt32BE(bytes.length);
  hash.update(length).update(bytes);
}

/** What the first line of an export calls the format. */
export const sealsFormat = 'punchcard-seals-3';

/** Formats that can be verified: in the first, reasons themselves are hashed, and in both before this one externalRefs. */
export const knownFormats: readonly string[] = ['punchcard-seals-1', 'punchcard-seals-2', sealsFormat];

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
