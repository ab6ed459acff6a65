import { decodeScopedId, encodeScopedId } from '../../kit/crypto/tokens.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** The id of a pass's class: the issuer, a dot, and a suffix that carries the workspace. */
export function classIdOf(issuerId: string, pass: { workspaceId: string; passId: string }): string {
  return `${issuerId}.${encodeScopedId({ scope: pass.workspaceId, id: pass.passId })}`;
}

/** The id of a card's object. It carries the workspace, so that a call-back finds its card with one look-up. */
export function objectIdOf(issuerId: string, { workspaceId, instanceId }: Card): string {
  return `${issuerId}.${encodeScopedId({ scope: workspaceId, id: instanceId })}`;
}

/** The card that an object's id names; null when it is none of this issuer's, or none of ours. */
export function readObjectId(issuerId: string, objectId: string): Card | null {
  if (!objectId.startsWith(`${issuerId}.`)) return null;
  const named = decodeScopedId(objectId.slice(issuerId.length + 1));
  return named && { workspaceId: named.scope, instanceId: named.id };
}
