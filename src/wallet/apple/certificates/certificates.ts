import type { KeyObject, X509Certificate } from 'node:crypto';
import {
  type CertificateFields,
  CertificateProblem,
  certificateFields,
  certificateOid,
  describeName,
  hasStrongRsaKey,
  isIssuedBy,
  nameValue,
  passCertificateFacts,
} from './certificate-fields.ts';
import { type CertificateMaterial, readCertificateMaterial } from './certificate-source.ts';

/** Everything needed to sign passes of one type, checked. `root` is known only when it was supplied too. */
export interface SigningIdentity {
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  readonly organizationName: string | null;
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
  readonly wwdr: X509Certificate;
  readonly root: X509Certificate | null;
  /** The chain does not end at Apple, so phones will not accept the passes. */
  readonly development: boolean;
}

/** Each is PEM text or the path of a PEM, DER (.cer) or .p12 file. */
export interface SigningSource {
  readonly cert: string;
  /** null: the key is in the same file as the certificate. */
  readonly key: string | null;
  readonly passphrase: string | null;
  /** null: the intermediate is in the same file as the certificate. */
  readonly wwdr: string | null;
}

/**
 * Reads and checks a Pass Type ID certificate, its key and the intermediate that issued it. Throws
 * CertificateProblem: unreadable or empty input, passphrase, key that does not belong to the certificate, not a
 * Pass Type ID certificate, team, validity at `now`, missing or wrong WWDR intermediate, weak key.
 */
export function loadSigningIdentity(source: SigningSource, now: Date = new Date()): SigningIdentity {
  const { passphrase } = source;
  const certMaterial = readCertificateMaterial(source.cert, 'APPLE_PASS_CERT', passphrase);
  const keyMaterial =
    source.key === null ? null : readCertificateMaterial(source.key, 'APPLE_PASS_KEY', passphrase);
  const wwdrMaterial =
    source.wwdr === null ? null : readCertificateMaterial(source.wwdr, 'APPLE_WWDR_CERT', passphrase);
  const given = [certMaterial, keyMaterial, wwdrMaterial].flatMap((material) => material?.certificates ?? []);

  const privateKey = chooseKey(certMaterial, keyMaterial);
  const certificate = chooseLeaf(certMaterial, privateKey);
  const fields = certificateFields(certificate);
  const passTypeIdentifier = checkPassType(fields);
  const teamIdentifier = checkTeam(fields);
  checkStrength(certificate);
  checkKeyBelongs(certificate, privateKey);
  checkValidity(certificate, 'The pass certificate', renewLeaf, now);
  const wwdr = chooseIntermediate(certificate, fields, given, wwdrMaterial !== null);
  checkValidity(wwdr, `The intermediate ${describeName(certificateFields(wwdr).subject)}`, renewWwdr, now);
  return {
    passTypeIdentifier,
    teamIdentifier,
    organizationName: nameValue(fields.subject, certificateOid.organization),
    certificate,
    privateKey,
    wwdr,
    root: given.find((other) => isIssuedBy(wwdr, other) && isIssuedBy(other, other)) ?? null,
    development: !endsAtApple(wwdr),
  };
}

const createLeaf =
  'Create a Pass Type ID certificate in the Apple Developer account (Certificates, Identifiers & Profiles) and ' +
  'set APPLE_PASS_CERT to it.';
const renewLeaf = 'Create a new one for the same pass type identifier in the Apple Developer account.';
const authorityPage = 'https://www.apple.com/certificateauthority/';
const renewWwdr = `Download the current one from ${authorityPage} and set APPLE_WWDR_CERT to it.`;

function chooseKey(certMaterial: CertificateMaterial, keyMaterial: CertificateMaterial | null): KeyObject {
  const key = keyMaterial ? keyMaterial.keys[0] : certMaterial.keys[0];
  if (key) return key;
  if (keyMaterial) {
    throw new CertificateProblem(
      'APPLE_PASS_KEY: there is no private key in it. Give the key that the certificate request was made with.',
    );
  }
  throw new CertificateProblem(
    certMaterial.form === '.p12'
      ? 'APPLE_PASS_CERT: the .p12 file holds no private key. In Keychain Access select the certificate together ' +
          'with the key below it, and export both; or set APPLE_PASS_KEY.'
      : 'The private key is missing. Set APPLE_PASS_KEY to the key that the certificate request was made with.',
  );
}

/** The certificate of the key; else the most likely one, so that the message can name it. */
function chooseLeaf(material: CertificateMaterial, key: KeyObject): X509Certificate {
  const [first, ...others] = material.certificates;
  if (!first) {
    throw new CertificateProblem(`APPLE_PASS_CERT: there is no certificate in it. ${createLeaf}`);
  }
  const all = [first, ...others];
  const ofKey = all.find((certificate) => certificate.checkPrivateKey(key));
  if (ofKey) return ofKey;
  return (
    all.find((certificate) => certificateFields(certificate).extensions.has(certificateOid.passType)) ?? first
  );
}

function checkPassType(fields: CertificateFields): string {
  const facts = passCertificateFacts(fields);
  const { extensionPassType, userId, commonNamePassType } = facts;
  const identifier = extensionPassType ?? userId ?? commonNamePassType;
  if (identifier === null || commonNamePassType === null) {
    throw new CertificateProblem(
      `APPLE_PASS_CERT: ${describeName(fields.subject)} is not a Pass Type ID certificate. ${createLeaf}`,
    );
  }
  if (extensionPassType !== identifier || userId !== identifier || commonNamePassType !== identifier) {
    throw new CertificateProblem(
      'APPLE_PASS_CERT: the certificate does not name one pass type identifier: ' +
        `subject UID ${quote(userId)}, common name ${quote(commonNamePassType)}, ` +
        `extension ${certificateOid.passType} ${quote(extensionPassType)}. ${createLeaf}`,
    );
  }
  if (identifier.startsWith('pass.')) return identifier;
  throw new CertificateProblem(
    `APPLE_PASS_CERT: the certificate is for "${identifier}", and a pass type identifier begins with "pass.". ` +
      createLeaf,
  );
}

function checkTeam(fields: CertificateFields): string {
  const team = nameValue(fields.subject, certificateOid.unit);
  if (team !== null && /^[A-Z0-9]{10}$/.test(team)) return team;
  throw new CertificateProblem(
    `APPLE_PASS_CERT: the certificate's organizational unit is ${quote(team)}; it must be the team ` +
      `identifier, 10 capital letters and digits. ${createLeaf}`,
  );
}

function checkStrength(certificate: X509Certificate): void {
  if (hasStrongRsaKey(certificate)) return;
  throw new CertificateProblem(
    'APPLE_PASS_CERT: Wallet needs an RSA key of at least 2048 bits, and this certificate has another key. ' +
      'Make a new certificate request with an RSA 2048 key.',
  );
}

function checkKeyBelongs(certificate: X509Certificate, key: KeyObject): void {
  if (certificate.checkPrivateKey(key)) return;
  throw new CertificateProblem(
    `The private key does not belong to the certificate ${describeName(certificateFields(certificate).subject)}. ` +
      'Give the key that its certificate request was made with; after a renewal that is usually a new key.',
  );
}

function checkValidity(certificate: X509Certificate, what: string, advice: string, now: Date): void {
  if (certificate.validToDate <= now) {
    throw new CertificateProblem(`${what} expired on ${day(certificate.validToDate)}. ${advice}`);
  }
  if (certificate.validFromDate > now) {
    throw new CertificateProblem(
      `${what} is valid from ${day(certificate.validFromDate)} only, and it is ${day(now)} here. ` +
        'Check the clock of this machine.',
    );
  }
}

/** Apple renews intermediates under the same name, so among several the one that lasts longest is meant. */
function chooseIntermediate(
  leaf: X509Certificate,
  fields: CertificateFields,
  given: readonly X509Certificate[],
  wwdrGiven: boolean,
): X509Certificate {
  const issuers = given.filter((candidate) => candidate !== leaf && isIssuedBy(leaf, candidate));
  const [best] = issuers.sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
  if (best) return best;
  const unit = nameValue(fields.issuer, certificateOid.unit);
  const generation = unit !== null && /^G\d+$/.test(unit) ? unit : 'G4';
  const key = fields.authorityKeyIdentifier?.toString('hex').toUpperCase();
  const needed = `${describeName(fields.issuer)}${key ? `, key identifier ${key}` : ''}`;
  const advice =
    `Download "Worldwide Developer Relations - ${generation}" from ${authorityPage} and set ` +
    'APPLE_WWDR_CERT to the file (certificates issued since 2022 need G4).';
  const others = given.filter((candidate) => candidate !== leaf && candidate.ca);
  if (others.length === 0) {
    const where = wwdrGiven
      ? 'APPLE_WWDR_CERT holds no intermediate certificate'
      : 'The intermediate is missing';
    throw new CertificateProblem(`${where}; the pass certificate was issued by ${needed}. ${advice}`);
  }
  const names = others.map((other) => describeName(certificateFields(other).subject)).join(', ');
  throw new CertificateProblem(
    `The pass certificate was issued by ${needed}, and what is given is ${names}. ${advice}`,
  );
}

/** By name: the service does not decide about trust, phones do. */
function endsAtApple(wwdr: X509Certificate): boolean {
  const { issuer } = certificateFields(wwdr);
  return (
    nameValue(issuer, certificateOid.organization) === 'Apple Inc.' &&
    (nameValue(issuer, certificateOid.commonName) ?? '').startsWith('Apple Root CA')
  );
}

function quote(text: string | null): string {
  return text === null ? 'missing' : `"${text}"`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
