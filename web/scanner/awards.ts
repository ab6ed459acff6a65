import { signal } from '@preact/signals';
import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import type { Posting } from '../../sdk/typescript/src/types.ts';
import { recall, remember } from '../shared/remembered.ts';
import { api } from './api.ts';

/** An award that somebody has entered for a card. */
export interface Award {
  /** Made once, when the card was scanned: however often it is sent, it counts once. */
  readonly externalRef: string;
  readonly passId: string;
  readonly instanceId: string;
  readonly points: number;
  /** What the screen calls the card: the name of its holder, or its code. */
  readonly label: string;
}

/** Awards that were sent and of which it is not known whether they count: the device keeps them until that is known. */
export const openAwards = signal<readonly Award[]>(kept());

/** Sends an award, and answers what the ledger made of it. What `isUndecided` says of an error, the same may be sent again. */
export async function sendAward(award: Award): Promise<Posting> {
  keep([...others(award), award]);
  const { passId, instanceId, points, externalRef } = award;
  try {
    const posting = await api.loyalty.earn({ passId, instanceId, points, externalRef });
    keep(others(award));
    return posting;
  } catch (error) {
    if (!isUndecided(error)) keep(others(award));
    throw error;
  }
}

/** Undoes what an entry has done, by an entry of its own. */
export function undoEntry(entryId: string) {
  return api.loyalty.reverse(entryId, { externalRef: `undo-${entryId}` });
}

/** Forgets an award of which nothing is known. */
export function dropAward(award: Award): void {
  keep(others(award));
}

/** Whether the service may have done it, or may still do it: no answer, or it wants a sign-in or a pause first. */
export function isUndecided(error: unknown): boolean {
  return error instanceof PunchcardError && (error.retryable || error.status === 0 || error.status === 401);
}

function others({ externalRef }: Award): readonly Award[] {
  return openAwards.peek().filter((one) => one.externalRef !== externalRef);
}

function keep(awards: readonly Award[]): void {
  openAwards.value = awards;
  remember('scanner.awards', awards.length === 0 ? null : JSON.stringify(awards));
}

function kept(): readonly Award[] {
  return JSON.parse(recall('scanner.awards') ?? '[]') as readonly Award[];
}
