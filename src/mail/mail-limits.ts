import { setTimeout } from 'node:timers/promises';
import { countIn, type Limit, tooManyRequests } from '../access/limits.ts';
import type { PublicCtx } from '../context.ts';
import type { Letter, MailOutcome } from '../kit/mail/letter.ts';
import { mailboxOf } from '../kit/mail/mailbox.ts';

const limits = {
  ofWorkspaceTo: { atOnce: 3, everyS: 900 },
  to: { atOnce: 10, everyS: 300 },
  ofWorkspace: { atOnce: 300, everyS: 2 },
} satisfies Record<string, Limit>;

/** Mails that a person waits for may run so far ahead of the pace, which invitations never do. */
const ahead = 30;
/** What has not had its turn by then is not sent: its link is no longer expected. */
const mostWaitMs = 10 * 60_000;

type Ctx = Pick<PublicCtx, 'app'>;

/**
 * Counts a mail that a workspace causes, against its own number and against what the recipient's mailbox gets from it and from
 * all. False where the mailbox has had enough for now: the sender does not learn of what others have sent. Raises
 * `rate_limited` where the workspace itself sends too many.
 */
export async function mayMail(ctx: Ctx, workspaceId: string, to: string): Promise<boolean> {
  const verdict = await countIn(ctx.app, `mails-of:${workspaceId}`, limits.ofWorkspace);
  if (!verdict.allowed) throw tooManyRequests(verdict);
  return mayMailTo(ctx, workspaceId, to);
}

/** The same for mails whose number is limited elsewhere, such as invitations. */
export async function mayMailTo(ctx: Ctx, workspaceId: string, to: string): Promise<boolean> {
  const mailbox = ctx.app.addressHash(mailboxOf(to)).toString('base64url');
  const own = await countIn(ctx.app, `mails-of:${workspaceId}-to:${mailbox}`, limits.ofWorkspaceTo);
  return own.allowed && (await countIn(ctx.app, `mails-to:${mailbox}`, limits.to)).allowed;
}

/** Whether an invitation may leave now by the pace that all mails keep together (`MAIL_PER_MINUTE`). */
export async function mayInvite(ctx: Ctx): Promise<boolean> {
  return (await takePlace(ctx, 0)).allowed;
}

async function takePlace({ app }: Ctx, more: number) {
  const perSecond = app.config.mail.perMinute / 60;
  return app.limiter.take('mails', perSecond, Math.max(1, Math.floor(perSecond)) + more);
}

/**
 * Mails a letter when the pace of all mails allows it, or when the process ends. No request waits for it: only the log has
 * a failure, as `failed`.
 */
export function mailInTurn(ctx: Ctx, letter: Letter, failed: string): void {
  const { log } = ctx.app;
  void sendInTurn(ctx, letter)
    .then((outcome) => {
      if (outcome.kind !== 'sent') log.warn({ outcome }, failed);
    })
    .catch((error) => log.error({ err: error }, failed));
}

async function sendInTurn(ctx: Ctx, letter: Letter): Promise<MailOutcome> {
  const begun = performance.now();
  for (;;) {
    const verdict = await takePlace(ctx, ahead);
    if (verdict.allowed || ctx.app.isDraining()) return ctx.app.mail.send(letter);
    if (performance.now() - begun > mostWaitMs) return { kind: 'unavailable', reason: 'EPACE' };
    // Not as long as the verdict says: a process that ends sends what waits.
    await setTimeout(1_000, undefined, { ref: false });
  }
}
