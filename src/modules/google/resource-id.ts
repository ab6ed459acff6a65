import { decodeBase32, encodeBase32, uuidBytes, uuidFromBytes } from '../../kit/ids.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** The id of a pass's class: the issuer, a dot, and a suffix that carries the workspace. */
export function classIdOf(issuerId: string, pass: { workspaceId: string; passId: string }): string {
  return `${issuerId}.${suffixOf(pass.workspaceId, pass.passId)}`;
}

/** The id of a card's object. It carries the workspace, so that a call-back finds its card with one look-up. */
export function objectIdOf(issuerId: string, { workspaceId, instanceId }: Card): string {
  return `${issuerId}.${suffixOf(workspaceId, instanceId)}`;
}

/** The card that an object's id names; null when it is none of this issuer's, or none of ours. */
export function readObjectId(issuerId: string, objectId: string): Card | null {
  if (!objectId.startsWith(`${issuerId}.`)) return null;
  const bytes = decodeBase32(objectId.slice(issuerId.length + 1));
  if (bytes?.length !== 32) return null;
  return {
    workspaceId: uuidFromBytes(bytes.subarray(0, 16)),
    instanceId: uuidFromBytes(bytes.subarray(16)),
  };
}

function suffixOf(workspaceId: string, id: string): string {
  return encodeBase32(Buffer.concat([uuidBytes(workspaceId), uuidBytes(id)]));
}
