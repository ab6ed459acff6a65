import { generateKeyPairSync } from 'node:crypto';
import {
  attribute,
  type CmsOptions,
  daysFromNow,
  type LeafOptions,
  leaf,
  makeLeaf,
  makeRoot,
  makeWwdr,
  now,
  oid,
  signCms,
  tlv,
  wwdr,
  wwdrKeys,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import type { BrokenSample } from './broken-files.fixture.ts';
import { buildPass, passJson } from './pkpass-sample.fixture.ts';
import type { RuleId } from './validate-rules.ts';

/** The passes whose signature or certificates are wrong. */
export const brokenSignature = {
  'signature-unreadable': {
    bytes: () => buildPass({ sign: (manifest) => Buffer.concat([signCms(manifest), Buffer.alloc(1)]) }),
  },
  'signature-not-detached': cms({ embedded: Buffer.from('{}') }),
  'signature-version': cms({ version: 3 }),
  'signature-key-identifier': cms({ version: 3, byKey: true }),
  'signature-signer-count': cms({ signers: 2 }),
  'signature-digest-algorithm': cms({ digest: 'sha512' }),
  'signature-algorithm': cms({ algorithm: oid.rsaPss }),
  'signature-attributes': cms({ attributes: null }),
  'signature-content-type': cms({
    attributes: ([, time, digest]) => [attribute(oid.contentType, oid.signedData), ...present(time, digest)],
  }),
  'signature-digest-mismatch': {
    bytes: () => buildPass({ sign: (manifest) => signCms(Buffer.concat([manifest, Buffer.from('\n')])) }),
  },
  'signature-time-missing': cms({ attributes: ([type, , digest]) => present(type, digest) }),
  'signature-time-range': cms({ time: daysFromNow(1) }),
  'signature-attribute-order': cms({ attributes: (attributes) => attributes.toReversed() }),
  'signature-invalid': cms({ key: wwdrKeys.privateKey }),

  'certificate-missing': cms({ certificates: [wwdr.raw] }),
  'certificate-unreadable': cms({ certificates: [leaf.raw, wwdr.raw, tlv(0x30, Buffer.alloc(3))] }),
  'certificate-validity': signedBy(
    { notBefore: daysFromNow(-400), notAfter: daysFromNow(-1) },
    daysFromNow(-2),
  ),
  'certificate-weak-key': {
    bytes: () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      return buildPass({ cms: { leaf: makeLeaf({ publicKey }), key: privateKey } });
    },
  },
  'certificate-pass-type': signedBy({ extensionPassType: 'pass.com.example.other' }),
  'certificate-name': signedBy({ commonName: 'Pass Type ID: pass.com.example.other' }),
  'certificate-team': signedBy({ unit: 'OTHERTEAM1' }),
  'certificate-not-nfc': {
    bytes: () => buildPass({ pass: passJson({ nfc: { message: 'id', encryptionPublicKey: nfcKey() } }) }),
  },
  'intermediate-missing': cms({ certificates: [leaf.raw] }),
  'intermediate-mismatch': {
    bytes: () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const g3 = makeWwdr({ unit: 'G3', keys: { publicKey, privateKey } });
      return buildPass({ cms: { certificates: [leaf.raw, g3.raw] } });
    },
  },
  'intermediate-not-wwdr': issuedBy(() => makeWwdr({ commonName: 'Example Intermediate' })),
  'intermediate-validity': issuedBy(() => makeWwdr({ notAfter: daysFromNow(-1) })),
  'root-mismatch': issuedBy(() => makeRoot({ keys: wwdrKeys, commonName: wwdrName })),
} satisfies Partial<Record<RuleId, BrokenSample>>;

/** A P-256 key as nfc.encryptionPublicKey wants it. */
export function nfcKey(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

const wwdrName = 'Apple Worldwide Developer Relations Certification Authority';

function cms(options: CmsOptions): BrokenSample {
  return { bytes: () => buildPass({ cms: options }) };
}

function signedBy(options: LeafOptions, time: Date = now): BrokenSample {
  return { bytes: () => buildPass({ cms: { leaf: makeLeaf(options), time } }) };
}

function issuedBy(makeIssuer: () => typeof wwdr): BrokenSample {
  return {
    bytes: () => {
      const issuer = makeIssuer();
      const signer = makeLeaf({ issuer });
      return buildPass({ cms: { leaf: signer, certificates: [signer.raw, issuer.raw] } });
    },
  };
}

function present(...attributes: (Buffer | undefined)[]): Buffer[] {
  return attributes.flatMap((one) => (one ? [one] : []));
}
