import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import {
  type CertificateFields,
  CertificateProblem,
  certificateFields,
  certificateOid,
  describeName,
  endsAtApple,
  hasStrongRsaKey,
  isForNfc,
  isIssuedBy,
  nameValue,
  passCertificateFacts,
} from './certificate-fields.ts';
import {
  type CertificateMaterial,
  type PartNames,
  readCertificateMaterial,
  settingNames,
} from './certificate-source.ts';

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
  /** Passes that it signs may be read by NFC: phones refuse those of other certificates that say so. */
  readonly nfc: boolean;
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
  const cert = readCertificateMaterial(source.cert, 'cert', passphrase);
  const key = source.key === null ? null : readCertificateMaterial(source.key, 'key', passphrase);
  const wwdr = source.wwdr === null ? null : readCertificateMaterial(source.wwdr, 'wwdr', passphrase);
  return checkSigningIdentity({ cert, key, wwdr, others: [] }, now, settingNames);
}

/** The parts of an identity, read. */
export interface IdentityParts {
  readonly cert: CertificateMaterial;
  /** null: the key is where the certificate is. */
  readonly key: Pick<CertificateMaterial, 'keys' | 'certificates'> | null;
  readonly wwdr: Pick<CertificateMaterial, 'certificates'> | null;
  /** Intermediates that are known, and were not given. */
  readonly others: readonly X509Certificate[];
}

/** Puts the parts of an identity together, and checks them as `loadSigningIdentity` says. */
export function checkSigningIdentity(parts: IdentityParts, now: Date, names: PartNames): SigningIdentity {
  const { cert, key, wwdr: wwdrGiven, others } = parts;
  const given = [cert, key, wwdrGiven].flatMap((material) => material?.certificates ?? []);
  const privateKey = chooseKey(cert, key, names);
  const certificate = chooseLeaf(cert, privateKey, names);
  const fields = certificateFields(certificate);
  const passTypeIdentifier = checkPassType(fields, names);
  const teamIdentifier = checkTeam(fields, names);
  checkStrength(certificate, names);
  checkKeyBelongs(certificate, privateKey);
  checkValidity(certificate, 'The pass certificate', renewLeaf, now);
  const all = [...given, ...others];
  const wwdr = chooseIntermediate(certificate, fields, { given, all, names, isApart: wwdrGiven !== null });
  const itsName = `The intermediate ${describeName(certificateFields(wwdr).subject)}`;
  checkValidity(wwdr, itsName, renewWwdr(names), now);
  const root = all.find((other) => isIssuedBy(wwdr, other) && isIssuedBy(other, other)) ?? null;
  return identityOf({ passTypeIdentifier, teamIdentifier, certificate, privateKey, wwdr, root });
}

/** An identity that was checked when it was kept, whatever has become of it since. */
export function restoreSigningIdentity(
  kept: Pick<SigningIdentity, 'passTypeIdentifier' | 'teamIdentifier'> & {
    /** PEM. */
    readonly certificate: string;
    readonly privateKey: string;
    readonly wwdr: string;
  },
): SigningIdentity {
  return identityOf({
    passTypeIdentifier: kept.passTypeIdentifier,
    teamIdentifier: kept.teamIdentifier,
    certificate: new X509Certificate(kept.certificate),
    privateKey: createPrivateKey(kept.privateKey),
    wwdr: new X509Certificate(kept.wwdr),
    root: null,
  });
}

function identityOf(
  parts: Omit<SigningIdentity, 'organizationName' | 'development' | 'nfc'>,
): SigningIdentity {
  const { subject } = certificateFields(parts.certificate);
  return {
    ...parts,
    organizationName: nameValue(subject, certificateOid.organization),
    nfc: isForNfc(parts.certificate),
    development: !endsAtApple(certificateFields(parts.wwdr)),
  };
}

const createLeaf = ({ cert }: PartNames) =>
  'Create a Pass Type ID certificate in the Apple Developer account (Certificates, Identifiers & Profiles) and ' +
  `set ${cert} to it.`;
const renewLeaf = 'Create a new one for the same pass type identifier in the Apple Developer account.';
const authorityPage = 'https://www.apple.com/certificateauthority/';
const renewWwdr = ({ wwdr }: PartNames) =>
  `Download the current one from ${authorityPage} and set ${wwdr} to it.`;

function chooseKey(
  certMaterial: CertificateMaterial,
  keyMaterial: IdentityParts['key'],
  names: PartNames,
): KeyObject {
  const key = keyMaterial ? keyMaterial.keys[0] : certMaterial.keys[0];
  if (key) return key;
  if (keyMaterial) {
    throw new CertificateProblem(
      `${names.key}: there is no private key in it. Give the key that the certificate request was made with.`,
    );
  }
  const orKey = names === settingNames ? `; or set ${names.key}` : '';
  throw new CertificateProblem(
    certMaterial.form === '.p12'
      ? `${names.cert}: the .p12 file holds no private key. In Keychain Access select the certificate together ` +
          `with the key below it, and export both${orKey}.`
      : `The private key is missing. Set ${names.key} to the key that the certificate request was made with.`,
  );
}

/** The certificate of the key; else the most likely one, so that the message can name it. */
function chooseLeaf(material: CertificateMaterial, key: KeyObject, names: PartNames): X509Certificate {
  const [first, ...others] = material.certificates;
  if (!first) {
    throw new CertificateProblem(`${names.cert}: there is no certificate in it. ${createLeaf(names)}`);
  }
  const all = [first, ...others];
  const ofKey = all.find((certificate) => certificate.checkPrivateKey(key));
  if (ofKey) return ofKey;
  return (
    all.find((certificate) => certificateFields(certificate).extensions.has(certificateOid.passType)) ?? first
  );
}

function checkPassType(fields: CertificateFields, names: PartNames): string {
  const facts = passCertificateFacts(fields);
  const { extensionPassType, userId, commonNamePassType } = facts;
  const identifier = extensionPassType ?? userId ?? commonNamePassType;
  if (identifier === null || commonNamePassType === null) {
    throw new CertificateProblem(
      `${names.cert}: ${describeName(fields.subject)} is not a Pass Type ID certificate. ${createLeaf(names)}`,
    );
  }
  if (extensionPassType !== identifier || userId !== identifier || commonNamePassType !== identifier) {
    throw new CertificateProblem(
      `${names.cert}: the certificate does not name one pass type identifier: ` +
        `subject UID ${quote(userId)}, common name ${quote(commonNamePassType)}, ` +
        `extension ${certificateOid.passType} ${quote(extensionPassType)}. ${createLeaf(names)}`,
    );
  }
  if (identifier.startsWith('pass.')) return identifier;
  throw new CertificateProblem(
    `${names.cert}: the certificate is for "${identifier}", and a pass type identifier begins with "pass.". ` +
      createLeaf(names),
  );
}

function checkTeam(fields: CertificateFields, names: PartNames): string {
  const team = nameValue(fields.subject, certificateOid.unit);
  if (team !== null && /^[A-Z0-9]{10}$/.test(team)) return team;
  throw new CertificateProblem(
    `${names.cert}: the certificate's organizational unit is ${quote(team)}; it must be the team ` +
      `identifier, 10 capital letters and digits. ${createLeaf(names)}`,
  );
}

function checkStrength(certificate: X509Certificate, names: PartNames): void {
  if (hasStrongRsaKey(certificate)) return;
  throw new CertificateProblem(
    `${names.cert}: Wallet needs an RSA key of at least 2048 bits, and this certificate has another key. ` +
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

interface Candidates {
  readonly given: readonly X509Certificate[];
  /** With those that were not given. */
  readonly all: readonly X509Certificate[];
  readonly names: PartNames;
  /** Whether intermediates were given apart from the certificate. */
  readonly isApart: boolean;
}

/** Apple renews intermediates under the same name, so among several the one that lasts longest is meant. */
function chooseIntermediate(
  leaf: X509Certificate,
  fields: CertificateFields,
  { given, all, names, isApart }: Candidates,
): X509Certificate {
  const issuers = all.filter((candidate) => candidate !== leaf && isIssuedBy(leaf, candidate));
  const [best] = issuers.sort((a, b) => b.validToDate.getTime() - a.validToDate.getTime());
  if (best) return best;
  const unit = nameValue(fields.issuer, certificateOid.unit);
  const generation = unit !== null && /^G\d+$/.test(unit) ? unit : 'G4';
  const key = fields.authorityKeyIdentifier?.toString('hex').toUpperCase();
  const needed = `${describeName(fields.issuer)}${key ? `, key identifier ${key}` : ''}`;
  const advice =
    `Download "Worldwide Developer Relations - ${generation}" from ${authorityPage} and set ` +
    `${names.wwdr} to the file (certificates issued since 2022 need G4).`;
  const others = given.filter((candidate) => candidate !== leaf && candidate.ca);
  if (others.length === 0) {
    const where = isApart ? `${names.wwdr} holds no intermediate certificate` : 'The intermediate is missing';
    throw new CertificateProblem(`${where}; the pass certificate was issued by ${needed}. ${advice}`);
  }
  const found = others.map((other) => describeName(certificateFields(other).subject)).join(', ');
  throw new CertificateProblem(
    `The pass certificate was issued by ${needed}, and what is given is ${found}. ${advice}`,
  );
}

function quote(text: string | null): string {
  return text === null ? 'missing' : `"${text}"`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
