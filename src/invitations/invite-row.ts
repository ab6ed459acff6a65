/**
 * `unknown`: it was handed to the mail server, and its outcome is not known; or it may have been sent before the database
 * was restored. `cancelled`: it was not sent, since its sweep was cancelled or its pass is no longer published.
 */
export const inviteStatuses = [
  'queued',
  'sending',
  'sent',
  'unknown',
  'failed',
  'suppressed',
  'already_holder',
  'cancelled',
] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

/** What an invitation is found by. */
export interface InviteKey {
  readonly workspaceId: string;
  readonly inviteId: string;
}

/** An invitation to take a card of a pass. */
export interface InviteRow extends InviteKey {
  readonly passId: string;
  readonly sweepId: string | null;
  readonly status: InviteStatus;
  /** Who is invited; null once the person is forgotten, like name, locale and identifier. */
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  /** The identifier that the card gets; null: the address. */
  readonly identifier: string | null;
  readonly emailHash: Buffer;
  readonly linkSecret: Buffer;
  readonly problem: string | null;
  /** The card that was made of it. */
  readonly instanceId: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly acceptedAt: Date | null;
}

/** An invitation that has never left, and does not wait to: the address may be invited anew. */
export function neverLeft(status: InviteStatus): boolean {
  return ['failed', 'suppressed', 'already_holder', 'cancelled'].includes(status);
}
