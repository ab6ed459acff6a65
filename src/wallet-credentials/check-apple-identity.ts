import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { CertificateProblem } from '../wallet/apple/certificates/certificate-fields.ts';
import { type PartNames, readUploadedCertificates } from '../wallet/apple/certificates/certificate-source.ts';
import {
  checkSigningIdentity,
  type IdentityParts,
  type SigningIdentity,
} from '../wallet/apple/certificates/certificates.ts';
import { openP12 } from '../wallet/apple/certificates/open-p12.ts';
import { refuseMismatch } from '../wallet/apple/signature.ts';
import { listSigningKeys } from './apple-identities.sql.ts';
import { hashOfKey, signingKeySealedAs } from './create-signing-request.ts';
import type { NewAppleIdentity } from './wallets.schema.ts';

type Body = Static<typeof NewAppleIdentity>;

/** Opening a file takes processor time from all other calls. */
const budget = { burst: 10, secondsEach: 6 };

/**
 * The identity that a body holds, checked as that of the installation is at its start. Raises `invalid_request`, which
 * says what to do, and `rate_limited`.
 */
export async function checkAppleIdentity(ctx: KeyCtx, body: Body): Promise<SigningIdentity> {
  const { apple, limiter, now } = ctx.app;
  const verdict = await limiter.take(`certificates:${ctx.workspaceId}`, 1 / budget.secondsEach, budget.burst);
  if (!verdict.allowed) {
    const message = 'This workspace has sent many certificates. Try again in a minute.';
    throw refusal('rate_limited', message, {}, { 'retry-after': String(budget.secondsEach) });
  }
  try {
    const { parts, names } = await readParts(ctx, body);
    const identity = checkSigningIdentity(parts, now(), names);
    refuseMismatch(identity);
    if (identity.development && !apple.development) throw new CertificateProblem(notOfApple(names.cert));
    if (identity.passTypeIdentifier === apple.passTypeIdentifier)
      throw new CertificateProblem(
        `${names.cert}: ${identity.passTypeIdentifier} is the pass type of this installation, which signs your passes as it is. Give a certificate for one of your own.`,
      );
    return identity;
  } catch (error) {
    throw error instanceof CertificateProblem ? invalidRequest(error.message) : error;
  }
}

function notOfApple(cert: string): string {
  return `${cert}: Apple did not issue this certificate, and phones would refuse the passes. Create a Pass Type ID certificate in the Apple Developer account (Certificates, Identifiers & Profiles).`;
}

interface Read {
  readonly parts: IdentityParts;
  readonly names: PartNames;
}

async function readParts(ctx: KeyCtx, { certificate, intermediate, p12, passphrase }: Body): Promise<Read> {
  const cert = p12 === undefined ? 'certificate' : 'p12';
  const names = { cert, key: 'p12', wwdr: 'intermediate', passphrase: 'passphrase' };
  const others = ctx.app.appleIssuers.intermediates;
  const wwdr = intermediate === undefined ? null : readUploadedCertificates(intermediate, 'wwdr', names);
  if (p12 !== undefined && certificate === undefined) {
    const question = { base64: p12, passphrase: passphrase ?? null, names };
    const material = await ctx.app.heavyWork.ofWorkspaces.enter(ctx.workspaceId, () => openP12(question));
    return { parts: { cert: material, key: null, wwdr, others }, names };
  }
  if (certificate === undefined || p12 !== undefined || passphrase !== undefined)
    throw invalidRequest(
      'Give either certificate, which Apple issued for a signing request of this workspace, or p12 and its passphrase.',
    );
  const material = readUploadedCertificates(certificate, 'cert', names);
  const key = await findKeyOf(ctx, material.certificates);
  return { parts: { cert: material, key: { keys: [key], certificates: [] }, wwdr, others }, names };
}

/** The key of the signing request that one of the certificates was issued for. */
async function findKeyOf(
  { app, workspaceId }: KeyCtx,
  certificates: readonly X509Certificate[],
): Promise<KeyObject> {
  const hashes = certificates.map(({ publicKey }) => hashOfKey(publicKey));
  const [found] = await listSigningKeys(app.database.db, workspaceId, hashes);
  if (found !== undefined)
    return createPrivateKey(app.box.open(found.privateKey, signingKeySealedAs(workspaceId, found.keyHash)));
  throw new CertificateProblem(
    'certificate: it was issued for none of the newest signing requests of this workspace. Make one with POST /workspace/wallets/apple/signing-request and have Apple issue the certificate for it, or give a p12 that holds the key.',
  );
}
