import { createHash, type KeyObject } from 'node:crypto';
import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField, invalidRequest } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { restampPasses } from '../passes/change-shown.ts';
import { makeNfcKey, passNfcKey, readNfcKey } from '../wallet/apple/nfc-key.ts';
import { readWallets } from '../wallet-credentials/read-wallets.ts';
import type { NfcReaders } from '../wallet-credentials/wallets.schema.ts';
import { lockWorkspace, ownWorkspace } from '../workspaces/own-workspace.ts';
import { changeWorkspace, type WorkspaceChange, type WorkspaceRow } from '../workspaces/workspaces.sql.ts';

/**
 * Lets readers take the cards of passes with `walletOptions.nfc`, and has these cards renewed, so that a certificate for NFC
 * that came later shows, too. Raises `invalid_request` for a key that is not on P-256.
 */
export function setNfcReaders(tx: Tx, ctx: KeyCtx, readers: Static<typeof NfcReaders>) {
  const { publicKey, redemptionIssuers } = readers;
  return change(tx, ctx, 'setNfcReaders', ({ nfcPublicKey }) => ({
    ...((publicKey !== undefined || nfcPublicKey === null) && keyColumns(ctx, publicKey ?? null)),
    ...(redemptionIssuers !== undefined && { nfcRedemptionIssuers: JSON.stringify(redemptionIssuers) }),
  }));
}

/** No reader gets cards any longer. The key is forgotten. */
export function removeNfcReaders(tx: Tx, ctx: KeyCtx) {
  return change(tx, ctx, 'removeNfcReaders', () => ({
    nfcPublicKey: null,
    nfcPrivateKey: null,
    nfcRedemptionIssuers: '[]',
  }));
}

/** The key that was made here, for the readers. Raises `invalid_request` where there is none. */
export async function showNfcKey(tx: Tx, ctx: KeyCtx): Promise<{ publicKey: string; privateKey: string }> {
  const { nfcPublicKey, nfcPrivateKey } = await ownWorkspace(tx, ctx);
  const key = nfcPublicKey === null ? null : readNfcKey(nfcPublicKey);
  if (key === null || nfcPrivateKey === null)
    throw invalidRequest(
      'No key for readers was made here. PUT /workspace/wallets/nfc makes one, unless the maker of the readers gives you theirs.',
    );
  const target = encodeId('ws', ctx.workspaceId);
  audit(tx, ctx, { action: 'showNfcKey', target, detail: { publicKey: nameOf(nfcPublicKey) } });
  return { publicKey: pem(key), privateKey: ctx.app.box.open(nfcPrivateKey, sealedAs(ctx)) };
}

async function change(
  tx: Tx,
  ctx: KeyCtx,
  action: string,
  columnsOf: (before: WorkspaceRow) => WorkspaceChange,
) {
  await lockWorkspace(tx, ctx);
  const before = await ownWorkspace(tx, ctx);
  const columns = columnsOf(before);
  if (Object.keys(columns).length > 0) await changeWorkspace(tx, ctx.workspaceId, columns);
  await restampPasses(tx, ctx, ctx.workspaceId, 'nfc');
  const after = await readWallets(tx, ctx);
  audit(tx, ctx, {
    action,
    target: encodeId('ws', ctx.workspaceId),
    detail: {
      before: auditable(before.nfcPublicKey, before.nfcRedemptionIssuers),
      after: auditable(after.nfc?.publicKey ?? null, after.nfc?.redemptionIssuers ?? []),
    },
  });
  return after;
}

function keyColumns(ctx: KeyCtx, given: string | null): WorkspaceChange {
  if (given === null) {
    const { publicKey, privateKey } = makeNfcKey();
    const sealed = ctx.app.box.seal(
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      sealedAs(ctx),
    );
    return { nfcPublicKey: passNfcKey(publicKey), nfcPrivateKey: sealed };
  }
  const key = readNfcKey(given);
  if (key === null)
    throw invalidField(
      'publicKey',
      'format',
      'must be a public key on the curve P-256, as PEM (-----BEGIN PUBLIC KEY-----) or in base64.',
    );
  return { nfcPublicKey: passNfcKey(key), nfcPrivateKey: null };
}

/** A sealed key that is copied to another workspace does not open there. */
function sealedAs({ workspaceId }: KeyCtx): string {
  return `workspaces/${workspaceId}/nfc`;
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** How the audit log names a key. */
function nameOf(publicKey: string | null): string | null {
  return publicKey && createHash('sha256').update(publicKey, 'base64').digest('hex');
}

function auditable(publicKey: string | null, redemptionIssuers: readonly string[]) {
  return { publicKey: nameOf(publicKey), redemptionIssuers: [...redemptionIssuers] };
}
