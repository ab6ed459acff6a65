import type { CommandCtx } from '../context.ts';
import { hashSecret, newSecret } from '../kit/crypto/tokens.ts';
import type { Tx } from '../kit/db/database.ts';
import { insertLink } from '../people/people.sql.ts';

/** Every secret of a sign-in link begins with it. */
export const linkPrefix = 'link_';

/** How long a link signs in: one that a person has asked for, and one that invites. */
export const linkLasts = { asked: 1_800_000, invitation: 7 * 86_400_000 } as const;

interface NewLink {
  readonly personId: string;
  readonly lastsMs: number;
  /** The address that it is mailed to; null: an owner shows it to the person. */
  readonly proves: string | null;
  /** The person has asked for it themselves; else it joins the workspace that gives it. */
  readonly asked: boolean;
}

/** A new link that signs a person in, once. Only its hash is stored. */
export async function newLink(
  tx: Tx,
  { app }: { readonly app: Pick<CommandCtx['app'], 'config' | 'now'> },
  { personId, lastsMs, proves, asked }: NewLink,
): Promise<string> {
  const secret = newSecret(linkPrefix);
  const now = app.now();
  const expiresAt = new Date(now.getTime() + lastsMs);
  await insertLink(tx, { secretHash: hashSecret(secret), personId, proves, asked, expiresAt }, now);
  return `${app.config.publicUrl}/sign-in/${secret}`;
}
