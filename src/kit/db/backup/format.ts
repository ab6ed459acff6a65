import { createHash } from 'node:crypto';
import type { AppliedMigration } from '../migrate.ts';

/** A backup that cannot be made or used; the message says why. */
export class BackupProblem extends Error {}

/** The first line of the file, as JSON. */
export interface BackupHeader {
  readonly format: string;
  readonly createdAt: string;
  /** The version of the server that it was taken from. */
  readonly server: string;
  readonly migrations: readonly AppliedMigration[];
  /** What the program wants to know of it later. */
  readonly facts: Readonly<Record<string, string | null>>;
  /** True if a seal follows at its end; no file of former versions has one. */
  readonly sealed?: boolean;
}

/** The keyed hash that seals a file, of the SHA-256 of all that it holds: making or changing one takes the key. */
export type Seal = (sha256: string) => Buffer;

/** A table begins, some of its rows as COPY writes them, it ends, and so does the whole. */
export type BackupPart =
  | { readonly kind: 'table'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table end'; readonly rows: number; readonly sha256: string }
  | { readonly kind: 'end'; readonly totals: BackupTotals };

/** The totals at the end of a backup. */
export interface BackupTotals {
  readonly tables: number;
  readonly rows: number;
  readonly sequences: readonly Sequence[];
}

/** The column that a sequence numbers, and the last number that it has given. */
export interface Sequence {
  readonly table: string;
  readonly column: string;
  readonly last: string;
}

/** What a backup is made of, without the sums, which are added as it is written. */
export type UnsummedPart =
  | Extract<BackupPart, { kind: 'table' | 'rows' }>
  | { readonly kind: 'table end' }
  | { readonly kind: 'end'; readonly sequences: readonly Sequence[] };

/**
 * Behind the line everything is compressed, and behind that stands the SHA-256 of all that comes before; last, where the line
 * says so, the seal. Each frame is a byte for its kind, four for its length, and so many bytes: rows, or JSON.
 */
export const codes = { table: 1, rows: 2, 'table end': 3, end: 4 } as const;
export const headBytes = 5;
/** No frame is longer; nor is the first line. */
export const mostBytes = 1_048_576;
/** The length of a hash, and of a seal. */
export const hashBytes = 32;

/** The rows of one table: in COPY's text a line each, since it writes a line break within a value as two characters. */
export class TableSum {
  readonly #hash = createHash('sha256');
  #rows = 0;

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) this.#rows += 1;
  }

  end(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') };
  }
}
