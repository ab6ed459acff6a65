import { X509Certificate } from 'node:crypto';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { forgetStop } from '../pushes/wallet-stops.ts';
import type { SigningIdentity } from '../wallet/apple/certificates/certificates.ts';
import { lockWorkspace, ownWorkspace } from '../workspaces/own-workspace.ts';
import { changeWorkspace } from '../workspaces/workspaces.sql.ts';
import {
  type AppleIdentityRow,
  deleteSigningKey,
  findAppleIdentity,
  listAppleIdentities,
  retireAppleIdentity,
  upsertAppleIdentity,
} from './apple-identities.sql.ts';
import { appleScope, sealedAs } from './apple-issuers.ts';
import { hashOfKey } from './create-signing-request.ts';
import { readWallets } from './read-wallets.ts';

/** Those that cards in wallets may be signed with; each was proved to be the workspace's. */
const mostPassTypes = 20;

/**
 * Signs new passes of the workspace with a certificate of its own from now on. One for the same pass type takes the place of
 * that of before; cards in wallets under another pass type keep theirs.
 */
export async function setAppleIdentity(tx: Tx, ctx: KeyCtx, identity: SigningIdentity) {
  const { app, workspaceId } = ctx;
  const { passTypeIdentifier, teamIdentifier, certificate, privateKey, wwdr } = identity;
  const key = { workspaceId, passTypeIdentifier };
  await lockWorkspace(tx, ctx);
  const before = await current(tx, ctx);
  const known = await listAppleIdentities(tx, workspaceId);
  const isKnown = known.some((row) => row.passTypeIdentifier === passTypeIdentifier);
  if (!isKnown && known.length >= mostPassTypes)
    throw invalidRequest(
      `Cards in wallets are signed for ${known.length} pass types of this workspace already. Give a certificate for one of these: ${known.map((row) => row.passTypeIdentifier).join(', ')}.`,
    );
  if (before !== undefined && before.passTypeIdentifier !== passTypeIdentifier)
    await retireAppleIdentity(tx, before, app.now());
  const row: AppleIdentityRow = {
    ...key,
    teamIdentifier,
    certificate: certificate.toString(),
    intermediate: wwdr.toString(),
    privateKey: app.box.seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), sealedAs(key)),
    expiresAt: certificate.validToDate,
    retiredAt: null,
  };
  await upsertAppleIdentity(tx, row, app.now());
  await changeWorkspace(tx, workspaceId, { applePassTypeIdentifier: passTypeIdentifier });
  await forgetStop(tx, 'apple', appleScope(key));
  audit(tx, ctx, {
    action: 'setAppleIdentity',
    target: encodeId('ws', workspaceId),
    detail: { before: auditable(before), after: auditable(row) },
  });
  return readWallets(tx, ctx);
}

/** Has the installation sign new passes again. Cards in wallets keep the certificate that signed them. */
export async function removeAppleIdentity(tx: Tx, ctx: KeyCtx) {
  const { app, workspaceId } = ctx;
  await lockWorkspace(tx, ctx);
  const before = await current(tx, ctx);
  if (before !== undefined) {
    await retireAppleIdentity(tx, before, app.now());
    await changeWorkspace(tx, workspaceId, { applePassTypeIdentifier: null });
    await deleteSigningKey(tx, workspaceId, hashOfKey(new X509Certificate(before.certificate).publicKey));
  }
  audit(tx, ctx, {
    action: 'removeAppleIdentity',
    target: encodeId('ws', workspaceId),
    detail: { before: auditable(before), after: null },
  });
  return readWallets(tx, ctx);
}

async function current(tx: Tx, ctx: KeyCtx): Promise<AppleIdentityRow | undefined> {
  const { applePassTypeIdentifier } = await ownWorkspace(tx, ctx);
  if (applePassTypeIdentifier === null) return undefined;
  return findAppleIdentity(tx, ctx.workspaceId, applePassTypeIdentifier);
}

/** What the audit log shows of one. */
function auditable(row: AppleIdentityRow | undefined) {
  if (row === undefined) return null;
  const { passTypeIdentifier, teamIdentifier, expiresAt, certificate } = row;
  const { fingerprint256 } = new X509Certificate(certificate);
  return { passTypeIdentifier, teamIdentifier, expiresAt: expiresAt.toISOString(), fingerprint256 };
}
