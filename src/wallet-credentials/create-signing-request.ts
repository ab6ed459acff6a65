import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { certificateOid } from '../wallet/apple/certificates/certificate-fields.ts';
import { makeSigningRequest } from '../wallet/apple/certificates/signing-request.ts';
import { lockWorkspace, ownWorkspace } from '../workspaces/own-workspace.ts';
import { keepSigningKey } from './apple-identities.sql.ts';

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const makeKeyPair = promisify(generateKeyPair);

/** Making a key keeps a thread busy that signs passes. */
const budget = { burst: 20, secondsEach: 60 };
/** The newest ones of a workspace: an owner may begin several times before they send one to Apple. */
const mostKeys = 5;

/** The key of a signing request, which is made before the transaction. Raises `rate_limited`. */
export async function makeSigningKey(ctx: KeyCtx): Promise<KeyPair> {
  const name = `signing requests:${ctx.workspaceId}`;
  const verdict = await ctx.app.limiter.take(name, 1 / budget.secondsEach, budget.burst);
  if (!verdict.allowed) {
    const message =
      'This workspace has made many signing requests. Use one of them, or try again in a minute.';
    throw refusal('rate_limited', message, {}, { 'retry-after': String(budget.secondsEach) });
  }
  return ctx.app.heavyWork.ofWorkspaces.enter(ctx.workspaceId, () =>
    makeKeyPair('rsa', { modulusLength: 2048 }),
  );
}

/** What Apple issues a certificate for; its key is kept, sealed, and never shown. */
export async function createSigningRequest(tx: Tx, ctx: KeyCtx, { publicKey, privateKey }: KeyPair) {
  const { app, workspaceId } = ctx;
  await lockWorkspace(tx, ctx);
  const { name } = await ownWorkspace(tx, ctx);
  const keyHash = hashOfKey(publicKey);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const sealed = app.box.seal(pem, signingKeySealedAs(workspaceId, keyHash));
  await keepSigningKey(tx, { workspaceId, keyHash, privateKey: sealed }, app.now(), mostKeys);
  const target = encodeId('ws', workspaceId);
  audit(tx, ctx, { action: 'createSigningRequest', target, detail: { keyHash: keyHash.toString('hex') } });
  // X.520 has names of 64 characters at most, and Apple puts one of its own in the place of this.
  const commonName = Array.from(name).slice(0, 64).join('');
  return {
    csr: makeSigningRequest({ name: [[certificateOid.commonName, commonName]], publicKey, privateKey }),
  };
}

/** By what the key of a signing request is found again when its certificate comes. */
export function hashOfKey(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** A sealed key that is copied to another workspace does not open there. */
export function signingKeySealedAs(workspaceId: string, keyHash: Buffer): string {
  return `apple_signing_keys/${workspaceId}/${keyHash.toString('hex')}`;
}
