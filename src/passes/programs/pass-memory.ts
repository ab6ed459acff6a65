import { LRUCache } from 'lru-cache';
import type { PassRow } from '../pass-row.ts';
import type { ProgramRow } from './program-row.ts';

export type ProgramInZone = ProgramRow & { readonly timezone: string };

/** A pass and its program as they were read once. */
interface KnownPass {
  /** Of these rows: a copy is right as long as it is the version that a transaction reads. */
  readonly version: string;
  readonly pass: PassRow;
  readonly program: ProgramInZone | undefined;
}

/** Passes that this process has read, by id: they change rarely, and nearly each call asks for one. */
export type PassMemory = LRUCache<string, KnownPass>;

const mostKnown = 1_000;

export function createPassMemory(): PassMemory {
  return new LRUCache({ max: mostKnown });
}
