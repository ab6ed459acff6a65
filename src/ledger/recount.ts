import type { Ages } from './ages.ts';

/** Something in the ledger that does not agree with the rest of it. */
export interface Finding {
  /** The rule that is broken, `balance` and so on: docs/OPERATIONS.md lists them. */
  readonly rule: string;
  /** account_… or prog_… */
  readonly id: string;
  /** The card that shows the account. */
  readonly instanceId?: string;
  readonly expected: string;
  readonly found: string;
}

/** A recount of a workspace's ledger, and how far it has come. */
export interface Recount {
  readonly workspaceId: string;
  readonly stage: 'accounts' | 'programs' | 'finished';
  /** The account or program that was counted last. */
  readonly cursor: string | null;
  readonly accounts: number;
  readonly entries: number;
  readonly findings: readonly Finding[];
  readonly ages: Ages;
  readonly startedAt: Date;
}
