import type { MailOutcome } from '../../kit/mail/mail-outcome.ts';
import type { InviteStatus } from './invite-row.ts';

/** What a mail's outcome makes of its invitation. */
export interface AfterSending {
  readonly status: InviteStatus;
  readonly problem: string | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly attempts: number;
}

const minuteMs = 60_000;
/** After each refusal for now; the last one is for good. */
const pausesMs = [5, 15, 60, 180, 360, 360, 360].map((minutes) => minutes * minuteMs);
/** Nobody expects an invitation any more that has waited for a mail server for so long. */
const mostWaitMs = 3 * 24 * 60 * minuteMs;

/** A refusal for now is tried again, ever later; a mail that was perhaps sent is never sent again. */
export function afterSending(
  outcome: MailOutcome,
  invite: { readonly attempts: number; readonly createdAt: Date },
  now: Date,
): AfterSending {
  const { attempts } = invite;
  const over = { problem: null, dueAt: null, sentAt: null, attempts };
  switch (outcome.kind) {
    case 'sent':
      return { ...over, status: 'sent', sentAt: now };
    case 'unknown':
      return { ...over, status: 'unknown', problem: outcome.reason };
    case 'refused':
      return { ...over, status: 'failed', problem: outcome.status };
    case 'deferred': {
      const pauseMs = pausesMs[attempts];
      const problem = outcome.status;
      if (pauseMs === undefined) return { ...over, status: 'failed', problem };
      // Spread, so that what was refused together does not come back together.
      const dueAt = new Date(now.getTime() + pauseMs * (0.75 + Math.random() / 2));
      return { ...over, status: 'queued', problem, dueAt, attempts: attempts + 1 };
    }
    case 'unavailable': {
      const problem = 'mail_server_unavailable';
      const isTooOld = now.getTime() - invite.createdAt.getTime() > mostWaitMs;
      // Not the mail's own fault: it is the next to leave once the server is back.
      return isTooOld
        ? { ...over, status: 'failed', problem }
        : { ...over, status: 'queued', problem, dueAt: now };
    }
  }
}
