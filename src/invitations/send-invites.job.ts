import { findInstances } from '../cards/instances.sql.ts';
import { findHolders } from '../cards/keep-holder.ts';
import type { DueCtx, PublicCtx } from '../context.ts';
import { byWorkspace, readByWorkspace } from '../engine/by-workspace.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { findDueRows } from '../engine/due-workspaces.ts';
import { leaseDue, leaseFound } from '../engine/queue.sql.ts';
import { encodeId } from '../kit/ids.ts';
import type { Letter, MailOutcome } from '../kit/mail/letter.ts';
import { allEnded } from '../kit/promises.ts';
import { mayInvite, mayMailTo } from '../mail/mail-limits.ts';
import { senderName } from '../mail/mail-names.ts';
import { brandOf } from '../rendering/shop-brand.ts';
import { emitInviteEvent } from './emit-invite-event.ts';
import { inviteLetter } from './invite-letter.ts';
import { claimLink, unsubscribeLink } from './invite-link.ts';
import type { InviteStatus } from './invite-row.ts';
import { findSuppressed, insertSuppression, lockInvite } from './invites.sql.ts';
import {
  beginSending,
  type DueInvite,
  describeInvites,
  dueInvites,
  findDueInvites,
  givenUp,
  listDueQueues,
  lostInvites,
  recordSent,
  recordUnsent,
} from './sending.sql.ts';

/** A turn takes so many, and so many mails leave side by side. */
const most = { perTurn: 60, sideBySide: 6, lost: 1_000, queues: 1_000 };
/** A worker that dies before a mail has left leaves it to others after this time. */
const leaseMs = 5 * 60_000;
/** A mail takes two minutes at most: one without an outcome for so long is lost. */
const lostAfterMs = 5 * 60_000;
/** A suspended workspace sends nothing; it is looked at again after this time. */
const suspendedMs = 60 * 60_000;
/** A mailbox that has had enough mails for now gets the next one after this time. */
const mailboxMs = 15 * 60_000;

/** The invitations that may be sent, and those that were lost under way. */
export function invitesDue({ app }: DueCtx): DueWork {
  return { queues: app.mail.pausedUntil === null ? [lostInvites, dueInvites] : [lostInvites] };
}

/**
 * Sends invitations that are due: each queue in turn, so that a long one keeps no other waiting. Before each mail it is
 * written down that it leaves; a worker that dies after that leaves an invitation that is `unknown` and is not sent again.
 * False when nothing is left, or nothing may leave now.
 */
export async function sendInvites(ctx: PublicCtx): Promise<boolean> {
  const { database, mail, now } = ctx.app;
  await giveUpLost(ctx);
  if (mail.pausedUntil !== null || ctx.app.isDraining()) return false;
  const asked = { now: now(), most: most.queues };
  const queues = await findDueRows(ctx.app, dueInvites.job, asked, (within) =>
    listDueQueues(database.db, { now: asked.now, within, most: most.perTurn }),
  );
  const places = await takePlaces(
    ctx,
    queues.reduce((sum, queue) => sum + queue.due, 0),
  );
  if (places === 0) return false;
  const until = new Date(now().getTime() + leaseMs);
  const found = await readByWorkspace(database.db, shareOut(queues, places), (db, workspaceId, shares) =>
    findDueInvites(db, workspaceId, shares, now()),
  );
  const claim = { now: now(), until, most: found.length };
  const due = await leaseFound({ app: ctx.app, queue: dueInvites }, found, claim);
  const ready: DueInvite[] = [];
  for (const [workspaceId, taken] of byWorkspace(due))
    ready.push(...(await sortOut(ctx, workspaceId, await describeInvites(database.db, workspaceId, taken))));
  await sendAll(ctx, ready);
  return due.length > 0;
}

/** Mails whose worker has died on the way: it is unknown whether they arrived. */
async function giveUpLost({ app }: PublicCtx): Promise<void> {
  const claim = { now: app.now(), until: null, most: most.lost, set: givenUp };
  const lost = await leaseDue({ app, queue: lostInvites }, claim);
  if (lost.length > 0)
    app.log.warn({ mails: lost.length }, 'a worker was lost while it sent mails: they are not sent again');
}

/** How many of the mails that are due may leave now. */
async function takePlaces(ctx: PublicCtx, due: number): Promise<number> {
  const wanted = Math.min(due, most.perTurn);
  for (let places = 0; places < wanted; places++) {
    if (!(await mayInvite(ctx))) return places;
  }
  return wanted;
}

/** One place after the other to each queue that can use it, beginning with any. */
function shareOut<Q extends { readonly due: number }>(
  queues: readonly Q[],
  places: number,
): (Q & { most: number })[] {
  const start = Math.floor(Math.random() * queues.length);
  const shares = [...queues.slice(start), ...queues.slice(0, start)].map((queue) => ({ ...queue, most: 0 }));
  for (let left = places; left > 0; ) {
    const open = shares.filter((share) => share.most < share.due).slice(0, left);
    if (open.length === 0) break;
    for (const share of open) share.most += 1;
    left -= open.length;
  }
  return shares.filter((share) => share.most > 0);
}

/** Cancels the invitations of a workspace that must no longer be sent. Returns the others. */
async function sortOut(ctx: PublicCtx, workspaceId: string, due: readonly DueInvite[]): Promise<DueInvite[]> {
  const { database, now } = ctx.app;
  const suppressed = await findSuppressed(
    database.db,
    workspaceId,
    due.map(({ emailHash }) => emailHash),
  );
  const holders = await holdersAmong(ctx, due);
  const served = await servedAmong(ctx, workspaceId, due);
  const full = new Set<string>();
  for (const { inviteId, email, problem } of due) {
    // One that was tried before has been counted.
    if (problem === null && !(await mayMailTo(ctx, workspaceId, email))) full.add(inviteId);
  }
  const verdictOf = (invite: DueInvite) => {
    if (suppressed.has(invite.emailHash.toString('hex'))) return 'suppressed';
    if (holders.has(invite.inviteId) || served.has(invite.instanceId ?? '')) return 'already_holder';
    if (invite.sweepStatus === 'cancelled') return 'sweep_cancelled';
    if (invite.passStatus !== 'published') return 'pass_not_active';
    if (invite.suspendedAt !== null) return 'suspended';
    return full.has(invite.inviteId) ? 'mailbox_full' : 'ready';
  };
  const piles = Map.groupBy(due, verdictOf);
  const later = new Date(now().getTime() + suspendedMs);
  const over = { problem: null, dueAt: null };
  const states = {
    suppressed: { ...over, status: 'suppressed' },
    already_holder: { ...over, status: 'already_holder' },
    sweep_cancelled: { ...over, status: 'cancelled', problem: 'sweep_cancelled' },
    pass_not_active: { ...over, status: 'cancelled', problem: 'pass_not_active' },
    suspended: { status: 'queued', problem: 'workspace_suspended', dueAt: later },
    mailbox_full: { status: 'queued', problem: null, dueAt: new Date(now().getTime() + mailboxMs) },
  } as const;
  for (const [verdict, pile] of piles) {
    if (verdict === 'ready') continue;
    await database.transaction((tx) => recordUnsent(tx, pile, states[verdict]));
  }
  return piles.get('ready') ?? [];
}

/** Returns the people of a workspace who have a card of the pass now. */
async function holdersAmong({ app }: PublicCtx, due: readonly DueInvite[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const invites of Map.groupBy(due, ({ passId }) => passId).values()) {
    const [pass] = invites;
    if (pass === undefined) continue;
    const open = invites.filter(({ instanceId }) => instanceId === null);
    const cards = await findHolders(app.database.db, pass, open);
    for (const [at, invite] of open.entries()) if (cards[at] != null) found.add(invite.inviteId);
  }
  return found;
}

/** Returns the people of a workspace who were to be sent their card, and have it in a wallet, or have it no more. */
async function servedAmong(ctx: PublicCtx, workspaceId: string, due: readonly DueInvite[]) {
  const ids = due.flatMap(({ instanceId }) => (instanceId === null ? [] : [instanceId]));
  const cards = ids.length === 0 ? [] : await findInstances(ctx.app.database.db, workspaceId, ids);
  const open = new Set(
    cards.flatMap((card) => (card?.status === 'active' && !card.installed ? [card.instanceId] : [])),
  );
  return new Set(ids.filter((id) => !open.has(id)));
}

/** Several side by side, until the mail server or the process stops. */
async function sendAll(ctx: PublicCtx, ready: readonly DueInvite[]): Promise<void> {
  const waiting = [...ready];
  const isStopped = () => ctx.app.mail.pausedUntil !== null || ctx.app.isDraining();
  async function carry(): Promise<void> {
    while (!isStopped()) {
      const invite = waiting.shift();
      if (invite === undefined) return;
      await sendOne(ctx, invite);
    }
  }
  try {
    await allEnded(Array.from({ length: most.sideBySide }, carry));
  } finally {
    // Mails that no sender has taken go back all the same.
    const back = { status: 'queued', problem: null, dueAt: ctx.app.now() } as const;
    for (const [, unsent] of byWorkspace(waiting))
      await ctx.app.database.transaction((tx) => recordUnsent(tx, unsent, back));
  }
}

async function sendOne(ctx: PublicCtx, invite: DueInvite): Promise<void> {
  const { database, mail, log, now } = ctx.app;
  const lostAt = new Date(now().getTime() + lostAfterMs);
  if (!(await database.transaction((tx) => beginSending(tx, invite, lostAt)))) return;
  const outcome = await mail.send(letterOf(ctx, invite));
  if (outcome.kind === 'unavailable') log.warn({ reason: outcome.reason }, 'the mail server takes no mail');
  await database.transaction(async (tx) => {
    const before = await lockInvite(tx, invite);
    await recordSent(tx, invite, afterSending(outcome, invite, now()));
    const after = await lockInvite(tx, invite);
    if (after?.status === 'sent' && before !== undefined && before.status !== 'sent')
      emitInviteEvent(tx, ctx, 'invite.sent', 'system', before, after);
    if (outcome.kind !== 'refused' || !outcome.isBadAddress) return;
    const { workspaceId, emailHash } = invite;
    await insertSuppression(tx, { workspaceId, emailHash, reason: 'bounced', createdAt: now() });
  });
}

function letterOf({ app }: PublicCtx, invite: DueInvite): Letter {
  const { publicUrl, mail } = app.config;
  const { shop, title, type, colors, images, name, email } = invite;
  const content = inviteLetter({
    brand: brandOf(publicUrl, shop, { colors, images }),
    title,
    type,
    name,
    locale: invite.locale ?? invite.shopLocale,
    links: { claim: claimLink(publicUrl, invite), unsubscribe: unsubscribeLink(publicUrl, invite) },
  });
  return {
    ...content,
    key: encodeId('invite', invite.inviteId),
    from: { name: senderName(shop), address: mail.from },
    to: email,
    date: app.now(),
  };
}

/** What a mail's outcome makes of its invitation. */
interface AfterSending {
  readonly status: InviteStatus;
  readonly problem: string | null;
  readonly dueAt: Date | null;
  readonly sentAt: Date | null;
  readonly attempts: number;
}

const minuteMs = 60_000;
/** After each refusal for now; the last one is for good. */
const pausesMs = [5, 15, 60, 180, 360, 360, 360].map((minutes) => minutes * minuteMs);
/** An invitation that has waited for a mail server this long is not sent: its recipient no longer expects it. */
const mostWaitMs = 3 * 24 * 60 * minuteMs;

/** A refusal for now is tried again, ever later; a mail that was perhaps sent is never sent again. */
function afterSending(
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
