import { hash, type KeyObject, sign as signWithKey, type X509Certificate } from 'node:crypto';
import { createGate } from '../../kit/limits/bulkhead.ts';
import { CertificateProblem, certificateFields } from './certificates/certificate-fields.ts';
import type { SigningIdentity } from './certificates/certificates.ts';
import { der, objectIdentifier, setOf, TAG } from './der.ts';

/** What of a signing identity the signature needs. */
export type SigningMaterial = Pick<
  SigningIdentity,
  'passTypeIdentifier' | 'teamIdentifier' | 'certificate' | 'privateKey' | 'wwdr'
>;

export interface PassSigner {
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  /**
   * The detached CMS signature (DER) over the manifest's bytes. `at` is the signing time it states; a time
   * before the certificate's validity is moved to its beginning, so that passes last changed under an earlier
   * certificate still verify. Rejects with CertificateProblem when the certificate had expired by then.
   */
  sign(manifest: Buffer, at: Date): Promise<Buffer>;
}

/**
 * A signer for one pass type. Everything that does not vary from pass to pass is encoded here once; the RSA
 * operation itself runs in the thread pool. Throws CertificateProblem when key, certificate and intermediate do not
 * belong together. Structure: RFC 5652 5, with a SHA-256 digest and RSASSA-PKCS1-v1_5.
 */
export function createSigner(material: SigningMaterial): PassSigner {
  refuseMismatch(material);
  const { passTypeIdentifier, teamIdentifier, certificate, privateKey } = material;
  const cms = cmsAround(material);
  const inPool = createGate(MAX_IN_POOL);
  const validFrom = certificate.validFromDate.getTime();
  const validTo = certificate.validToDate.getTime();
  return {
    passTypeIdentifier,
    teamIdentifier,
    async sign(manifest, at) {
      const time = Math.max(at.getTime(), validFrom);
      if (!(time <= validTo)) {
        throw new CertificateProblem(
          `The pass certificate of ${passTypeIdentifier} expired on ${certificate.validToDate.toISOString()}; renew it.`,
        );
      }
      const attributes = signedAttributes(manifest, new Date(time));
      return cms(attributes, await inPool(() => signInThreadPool(attributes, privateKey)));
    },
  };
}

const OID = {
  data: objectIdentifier('1.2.840.113549.1.7.1'),
  signedData: objectIdentifier('1.2.840.113549.1.7.2'),
  contentType: objectIdentifier('1.2.840.113549.1.9.3'),
  messageDigest: objectIdentifier('1.2.840.113549.1.9.4'),
  signingTime: objectIdentifier('1.2.840.113549.1.9.5'),
  sha256: objectIdentifier('2.16.840.1.101.3.4.2.1'),
  rsaEncryption: objectIdentifier('1.2.840.113549.1.1.1'),
};
const NULL = der(TAG.null);
const VERSION_1 = der(TAG.integer, Buffer.from([1]));
const SHA256 = der(TAG.sequence, OID.sha256, NULL);
const RSA = der(TAG.sequence, OID.rsaEncryption, NULL);
const DIGEST_SIZE = 32;
/**
 * Enough to keep the pool's threads busy while the main thread is away for a few milliseconds. More would let
 * hundreds of finished signatures pile up for one turn of the event loop, and queue files and images behind
 * them in the pool.
 */
const MAX_IN_POOL = 16;

/**
 * The attributes that are signed, as a universal SET OF: type, time and digest happen to be in DER order.
 * RFC 5652 11.1–11.3. They have the same length in every pass, so each is the template with the time and the
 * digest written over.
 */
const ATTRIBUTES = setOf([
  der(TAG.sequence, OID.contentType, der(TAG.set, OID.data)),
  der(TAG.sequence, OID.signingTime, der(TAG.set, der(TAG.utcTime, Buffer.from('000101000000Z')))),
  der(TAG.sequence, OID.messageDigest, der(TAG.set, der(TAG.octetString, Buffer.alloc(DIGEST_SIZE)))),
]);
const TIME_OFFSET = ATTRIBUTES.indexOf('000101000000Z');
const DIGEST_OFFSET = ATTRIBUTES.length - DIGEST_SIZE;

function signedAttributes(manifest: Buffer, at: Date): Buffer {
  const attributes = Buffer.from(ATTRIBUTES);
  attributes.write(utcTime(at), TIME_OFFSET, 'latin1');
  attributes.write(hash('sha256', manifest, 'hex'), DIGEST_OFFSET, 'hex');
  return attributes;
}

/** yyMMddHHmmssZ, which RFC 5652 11.3 prescribes until 2049. */
function utcTime(at: Date): string {
  return `${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`;
}

/**
 * A function that puts attributes and signature into the finished structure. Both have a fixed length and stand
 * at its end, with nothing but the signature algorithm between them; all before them is encoded once.
 */
function cmsAround(material: SigningMaterial): (attributes: Buffer, signature: Buffer) => Buffer {
  const signatureSize = Math.ceil((material.privateKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  const signature = der(TAG.octetString, Buffer.alloc(signatureSize));
  const whole = signedData(material, implicitSet(ATTRIBUTES), signature);
  const head = whole.subarray(0, whole.length - signature.length - RSA.length - ATTRIBUTES.length + 1);
  const between = Buffer.concat([RSA, signature.subarray(0, signature.length - signatureSize)]);
  return (attributes, signatureBytes) =>
    Buffer.concat([head, attributes.subarray(1), between, signatureBytes], whole.length);
}

function signedData(material: SigningMaterial, attributes: Buffer, signature: Buffer): Buffer {
  const signerInfo = der(
    TAG.sequence,
    VERSION_1,
    issuerAndSerial(material.certificate),
    SHA256,
    attributes,
    RSA,
    signature,
  );
  const content = der(
    TAG.sequence,
    VERSION_1,
    setOf([SHA256]),
    der(TAG.sequence, OID.data),
    setOf([material.certificate.raw, material.wwdr.raw], TAG.context0),
    setOf([signerInfo]),
  );
  return der(TAG.sequence, OID.signedData, der(TAG.context0, content));
}

/** In the SignerInfo the attributes are tagged [0]; what is signed is tagged SET OF. RFC 5652 5.4. */
function implicitSet(attributes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([TAG.context0]), attributes.subarray(1)]);
}

/** Issuer and serial number as they are encoded in the certificate. RFC 5652 10.2.4. */
function issuerAndSerial(certificate: X509Certificate): Buffer {
  const { issuerDer, serial } = certificateFields(certificate);
  return der(TAG.sequence, issuerDer, der(TAG.integer, serial));
}

function signInThreadPool(data: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signWithKey('sha256', data, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

/** Throws CertificateProblem when nothing that phones accept can be signed with it. */
export function refuseMismatch({ certificate, privateKey, wwdr }: SigningMaterial): void {
  if (privateKey.asymmetricKeyType !== 'rsa') {
    throw new CertificateProblem(
      'The private key is not an RSA key; a pass certificate has an RSA key of 2048 bits.',
    );
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateProblem(
      'The private key does not belong to the pass certificate; export both together again.',
    );
  }
  if (!certificate.checkIssued(wwdr) || !certificate.verify(wwdr.publicKey)) {
    throw new CertificateProblem(
      'The WWDR certificate did not issue the pass certificate; use the generation named in its issuer (such as G4).',
    );
  }
  if (certificate.validToDate.getUTCFullYear() > 2049) {
    throw new CertificateProblem('The pass certificate is valid beyond 2049; issue one with a shorter life.');
  }
}
