import type { KeyCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { listAppleIdentities } from './apple-identities.sql.ts';
import { presentWallets } from './wallets.schema.ts';

/** By what the wallets know the caller's workspace. */
export async function readWallets(db: Db, ctx: KeyCtx) {
  const { applePassTypeIdentifier } = await ownWorkspace(db, ctx);
  const identities = await listAppleIdentities(db, ctx.workspaceId);
  return presentWallets(ctx.app.apple, applePassTypeIdentifier, identities);
}
