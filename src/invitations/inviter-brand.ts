import type { PublicCtx } from '../context.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { findPassOf } from '../passes/passes.sql.ts';
import { type Brand, branded, brandOf } from '../rendering/shop-brand.ts';
import type { LinkedInvite } from './invites.sql.ts';

/** Who invites, as the pass shows them. */
export interface Inviter {
  /** Undefined where it was deleted. */
  readonly pass: PassRow | undefined;
  readonly brand: Brand;
}

/** Who has sent an invitation. */
export async function readInviter({ app }: PublicCtx, invite: LinkedInvite): Promise<Inviter> {
  const { workspaceId, passId, organization } = invite;
  const pass = await findPassOf(app.database.db, workspaceId, passId);
  const brand =
    pass === undefined
      ? { shop: organization, colors: plain, logo: null }
      : brandOf(app.config.publicUrl, organization, pass);
  return { pass, brand };
}

const plain = { background: null, foreground: null, label: null };

/** Runs `work`, and renders its refusals as pages in the shop's brand. */
export async function forInvited<T>(
  ctx: PublicCtx,
  invite: LinkedInvite,
  work: (inviter: Inviter) => Promise<T>,
): Promise<T> {
  const inviter = await readInviter(ctx, invite);
  return branded(inviter.brand, () => work(inviter));
}
