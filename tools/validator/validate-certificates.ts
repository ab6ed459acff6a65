import type { X509Certificate } from 'node:crypto';
import {
  type CertificateFields,
  certificateFields,
  certificateOid,
  describeName,
  endsAtApple,
  hasStrongRsaKey,
  isIssuedBy,
  nameValue,
  passCertificateFacts,
  wwdrCommonName,
} from '../../src/wallet/apple/certificates/certificate-fields.ts';
import type { JsonObject } from './json-reader.ts';
import type { Report } from './validate-rules.ts';

/** What the signature is judged against. `root` null: the chain is checked up to the intermediate only. */
export interface SignatureContext {
  readonly manifest: Buffer | null;
  readonly pass: JsonObject | null;
  readonly root: X509Certificate | null;
  /** Whether the chain may also end at a root that is named as Apple's. */
  readonly takesApple: boolean;
  readonly now: Date;
}

/** A certificate of the signature, with its fields read. */
export interface EmbeddedCertificate {
  readonly certificate: X509Certificate;
  readonly fields: CertificateFields;
}

/** The signer's certificate, the intermediate, and whether they belong to the pass. */
export function validateCertificates(
  leaf: EmbeddedCertificate,
  embedded: readonly EmbeddedCertificate[],
  context: SignatureContext,
  report: Report,
): void {
  validateSubject(leaf, context, report);
  validateStrength('certificate', leaf.certificate, report);
  validateValidity('certificate-validity', 'The pass certificate', leaf.certificate, context.now, report);
  const intermediate = findIntermediate(leaf, embedded, report);
  if (!intermediate) return;
  const common = nameValue(intermediate.fields.subject, certificateOid.commonName);
  if (!common?.startsWith(wwdrCommonName)) {
    const message = `The certificate was issued by ${describeName(intermediate.fields.subject)}, not by Apple's WWDR.`;
    report('intermediate-not-wwdr', message, 'signature');
  }
  validateStrength('intermediate', intermediate.certificate, report);
  validateValidity(
    'intermediate-validity',
    'The intermediate',
    intermediate.certificate,
    context.now,
    report,
  );
  const isApple = context.takesApple && endsAtApple(intermediate.fields);
  if (context.root && !isApple && !isIssuedBy(intermediate.certificate, context.root)) {
    const issuer = describeName(intermediate.fields.issuer);
    const sameName = describeName(certificateFields(context.root).subject) === issuer;
    const message = sameName
      ? `The intermediate names ${issuer} as its issuer, but that root's key did not sign it.`
      : `The intermediate was issued by ${issuer}, not by the expected root.`;
    report('root-mismatch', message, 'signature');
  }
}

function validateSubject(leaf: EmbeddedCertificate, { pass }: SignatureContext, report: Report): void {
  const facts = passCertificateFacts(leaf.fields);
  const expected = text(pass?.passTypeIdentifier) ?? facts.extensionPassType;
  const places = {
    [`extension ${certificateOid.passType}`]: facts.extensionPassType,
    'user ID': facts.userId,
  };
  for (const [place, named] of Object.entries(places)) {
    if (named !== null && named === expected) continue;
    const has = named === null ? `has no pass type in its ${place}` : `names ${named} in its ${place}`;
    const message = `The certificate ${has}; the pass ${expected === null ? 'has none either' : `is ${expected}`}.`;
    report('certificate-pass-type', message, 'signature');
  }
  const wanted = expected ?? facts.userId;
  if (facts.commonNamePassType === null || facts.commonNamePassType !== wanted) {
    const message = `The common name is "${facts.commonName ?? ''}", not "Pass Type ID: ${wanted ?? 'pass.…'}".`;
    report('certificate-name', message, 'signature');
  }
  const team = text(pass?.teamIdentifier);
  if (facts.team === null) {
    report('certificate-team', 'The certificate names no team: it has no organizational unit.', 'signature');
  } else if (team !== null && facts.team !== team) {
    report(
      'certificate-team',
      `The certificate belongs to team ${facts.team}, the pass to ${team}.`,
      'signature',
    );
  }
  if (pass?.nfc !== undefined && !facts.nfc) {
    report(
      'certificate-not-nfc',
      'Wallet refuses a pass with nfc that no NFC certificate has signed.',
      'pass.json: nfc',
    );
  }
}

function findIntermediate(
  leaf: EmbeddedCertificate,
  embedded: readonly EmbeddedCertificate[],
  report: Report,
): EmbeddedCertificate | null {
  const others = embedded.filter((candidate) => candidate !== leaf);
  const issuer = others.find(({ certificate }) => isIssuedBy(leaf.certificate, certificate));
  if (issuer) return issuer;
  const needed = describeName(leaf.fields.issuer);
  if (others.length === 0) {
    report('intermediate-missing', `The intermediate ${needed} is not in the signature.`, 'signature');
  } else {
    const present = others.map(({ fields }) => describeName(fields.subject));
    const message = present.includes(needed)
      ? `The certificate names ${needed} as its issuer, but the key of the embedded one did not sign it.`
      : `The certificate was issued by ${needed}, but embedded is ${present.join(', ')}.`;
    report('intermediate-mismatch', message, 'signature');
  }
  return null;
}

function validateStrength(what: string, certificate: X509Certificate, report: Report): void {
  if (hasStrongRsaKey(certificate)) return;
  report('certificate-weak-key', `The ${what} has no RSA key of at least 2048 bits.`, 'signature');
}

function validateValidity(
  rule: 'certificate-validity' | 'intermediate-validity',
  what: string,
  certificate: X509Certificate,
  now: Date,
  report: Report,
): void {
  const { validFromDate, validToDate } = certificate;
  if (now < validFromDate) report(rule, `${what} is valid from ${validFromDate.toISOString()}.`, 'signature');
  if (now > validToDate) report(rule, `${what} expired on ${validToDate.toISOString()}.`, 'signature');
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
