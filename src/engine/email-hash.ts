import type { PublicCtx } from '../context.ts';

/** The keyed hash by which an address is compared. It contains the workspace, so that none can ask about those of another. */
export function emailHashOf({ app }: PublicCtx, workspaceId: string, normalAddress: string): Buffer {
  return app.addressHash(`${workspaceId} ${normalAddress}`);
}
