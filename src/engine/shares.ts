import type { PublicCtx } from '../context.ts';
import { addressBucket } from '../kit/http/endpoints/client-address.ts';

/** Whose places a request without a key takes: those of the workspace that it is about, and those of its address. */
export function strangersShares({ ip = '' }: PublicCtx, workspaceId: string): readonly string[] {
  return [workspaceId, addressBucket(ip)];
}
