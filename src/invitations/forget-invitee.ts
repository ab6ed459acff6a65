import type { ActorCtx, PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import { hideClaims, overwriteAnswers } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { normalEmail } from '../kit/mail/address.ts';
import {
  type ForgottenInvite,
  forgetContacts,
  forgetContactsOfStore,
  type InviteeNames,
} from './forgetting.sql.ts';
import { presentInvite } from './invite.schema.ts';
import { insertSuppression } from './invites.sql.ts';

/**
 * Forgets a person who was invited: contact and kept answers are wiped, and the workspace no longer writes to the
 * address again. Its hash stays for that. A repeat changes nothing.
 */
export async function forgetInvitee(tx: Tx, ctx: ActorCtx, who: InviteeNames): Promise<void> {
  const { workspaceId } = ctx;
  const invites = await forgetContacts(tx, workspaceId, who);
  const hashes = [...invites.map(({ emailHash }) => emailHash), who.emailHash ?? null];
  const distinct = new Map(
    hashes.flatMap((hash) => (hash === null ? [] : [[hash.toString('hex'), hash] as const])),
  );
  // In one order, so that two who forget the same people do not wait for each other.
  for (const [, emailHash] of [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)))
    await insertSuppression(tx, { workspaceId, emailHash, reason: 'redacted', createdAt: ctx.app.now() });
  await forgetAnswers(tx, ctx, workspaceId, invites);
}

/** Forgets the person whose card is erased, as far as invitations to its pass know them. */
export async function forgetInviteeOf(
  tx: Tx,
  ctx: PublicCtx,
  card: {
    readonly workspaceId: string;
    readonly passId: string;
    readonly instanceId: string;
    readonly holder: { readonly email: string | null } | null;
  },
): Promise<void> {
  const { workspaceId, passId, instanceId } = card;
  const address = normalEmail(card.holder?.email ?? '');
  const emailHash = address === null ? null : emailHashOf(ctx, workspaceId, address);
  const invites = await forgetContacts(tx, workspaceId, { instanceId, emailHash, passId });
  await forgetAnswers(tx, ctx, workspaceId, invites);
}

/**
 * Forgets people whom a store has invited, those of `before` a moment if any, so many at a time; answers how many. Nought:
 * there are no more.
 */
export async function forgetInviteesOfStore(
  tx: Tx,
  ctx: ActorCtx,
  ofStore: { readonly storeId: string; readonly before: Date | null },
  most: number,
): Promise<number> {
  const invites = await forgetContactsOfStore(tx, ctx.workspaceId, ofStore, most);
  await forgetAnswers(tx, ctx, ctx.workspaceId, invites);
  return invites.length;
}

/** What was kept for replays names no person from now on, nor do the keys. */
async function forgetAnswers(
  tx: Tx,
  { app }: PublicCtx,
  workspaceId: string,
  invites: readonly ForgottenInvite[],
): Promise<void> {
  const { keyHash } = app.database;
  for (const invite of invites) {
    await overwriteAnswers(tx, workspaceId, invite.claims, JSON.stringify(presentInvite(invite)));
    if (keyHash !== undefined) await hideClaims(tx, workspaceId, invite.claims, keyHash);
  }
}
