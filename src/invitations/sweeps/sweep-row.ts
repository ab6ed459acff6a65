/** The outcome for a customer in a sweep, and the count that it goes into. */
export const countOf = {
  invited: 'invited',
  already_holder: 'alreadyHolder',
  already_invited: 'alreadyInvited',
  no_consent: 'noConsent',
  consent_unknown: 'consentUnknown',
  no_contact: 'noContact',
  invalid_contact: 'invalidContact',
  suppressed: 'suppressed',
  duplicate_contact: 'duplicateContact',
} as const;

export type Outcome = keyof typeof countOf;

/** Customers by outcome; `found` is their sum. */
export type Counts = Readonly<Record<'found' | (typeof countOf)[Outcome], number>>;

/** An invitation of a store's existing customers. */
export interface SweepRow {
  readonly workspaceId: string;
  readonly sweepId: string;
  readonly passId: string;
  readonly storeId: string;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly dryRun: boolean;
  /** The most customers that are invited; null for all. */
  readonly most: number | null;
  /** Where the store's list of customers was left. */
  readonly cursor: string | null;
  /** The end of the lease while a worker has it; else the moment at which it goes on. Null: it has ended. */
  readonly dueAt: Date | null;
  readonly counts: Counts;
  /** Failed pages in a row, and the last unreadable one. */
  readonly failures: number;
  readonly unreadable: number;
  readonly problem: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** Before the first customer. */
export const noCounts: Counts = {
  found: 0,
  invited: 0,
  alreadyHolder: 0,
  alreadyInvited: 0,
  noConsent: 0,
  consentUnknown: 0,
  noContact: 0,
  invalidContact: 0,
  suppressed: 0,
  duplicateContact: 0,
};

/** The counts with these outcomes added. */
export function addOutcomes(counts: Counts, outcomes: readonly Outcome[]): Counts {
  const sums = { ...counts, found: counts.found + outcomes.length };
  for (const outcome of outcomes) sums[countOf[outcome]] += 1;
  return sums;
}
