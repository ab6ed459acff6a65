import { timingSafeEqual } from 'node:crypto';
import { uuidBytes, uuidFromBytes } from '../../kit/ids.ts';

/** What a holder's link names: the card, and a secret of 128 random bits that only the link's owner knows. */
export interface LinkTarget {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly linkSecret: Buffer;
}

/** The address of a card's page. It carries the workspace, so that one look-up on one shard finds the card. */
export function linkTo(publicUrl: string, target: LinkTarget): string {
  const token = Buffer.concat([
    uuidBytes(target.workspaceId),
    uuidBytes(target.instanceId),
    target.linkSecret,
  ]);
  return `${publicUrl}/p/${token.toString('base64url')}`;
}

/** What a token of a link names, or null when it is not one; the secret is still to be compared. */
export function readLinkToken(token: string): LinkTarget | null {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  return {
    workspaceId: uuidFromBytes(bytes.subarray(0, 16)),
    instanceId: uuidFromBytes(bytes.subarray(16, 32)),
    linkSecret: bytes.subarray(32),
  };
}

/** Compares the secret of a link with the card's, in constant time. */
export function opens(target: LinkTarget, card: { linkSecret: Buffer }): boolean {
  return (
    target.linkSecret.length === card.linkSecret.length && timingSafeEqual(target.linkSecret, card.linkSecret)
  );
}
