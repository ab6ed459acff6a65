import { decodeIdToken, encodeIdToken, isSameSecret } from '../kit/crypto/tokens.ts';

/** What a holder's link names: the card, and a secret of 128 random bits that only the link's owner knows. */
export interface LinkTarget {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly linkSecret: Buffer;
}

/** The address of a card's page. It carries the workspace, so that one look-up on one shard finds the card. */
export function linkTo(publicUrl: string, { workspaceId, instanceId, linkSecret }: LinkTarget): string {
  return `${publicUrl}/p/${encodeIdToken({ scope: workspaceId, id: instanceId, secret: linkSecret })}`;
}

/** What a token of a link names, or null when it is not one; the secret is still to be compared. */
export function readLinkToken(token: string): LinkTarget | null {
  const read = decodeIdToken(token);
  return read && { workspaceId: read.scope, instanceId: read.id, linkSecret: read.secret };
}

/** Compares the secret of a link with the card's, in constant time. */
export function opens(target: LinkTarget, card: { linkSecret: Buffer }): boolean {
  return isSameSecret(target.linkSecret, card.linkSecret);
}
