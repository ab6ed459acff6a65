import { X509Certificate } from 'node:crypto';
import type { KeyCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { isForNfc } from '../wallet/apple/certificates/certificate-fields.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { listAppleIdentities } from './apple-identities.sql.ts';
import { listGoogleIdentities } from './google-identities.sql.ts';
import { presentWallets } from './wallets.schema.ts';

/** By what the wallets know the caller's workspace. */
export async function readWallets(db: Db, ctx: KeyCtx) {
  const { apple, google } = ctx.app;
  const workspace = await ownWorkspace(db, ctx);
  const certificates = await listAppleIdentities(db, ctx.workspaceId);
  const own = certificates.find((row) => row.passTypeIdentifier === workspace.applePassTypeIdentifier);
  return presentWallets({
    installation: apple,
    installationIssuerId: google?.issuerId ?? null,
    own,
    isForNfc: own === undefined ? apple.nfc : isForNfc(new X509Certificate(own.certificate)),
    ownIssuerId: workspace.googleIssuerId,
    certificates,
    accounts: await listGoogleIdentities(db, ctx.workspaceId),
    readers: workspace,
  });
}
