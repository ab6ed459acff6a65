import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Asn1Error } from './asn1-reader.ts';
import { CertificateProblem, certificateFields } from './certificate-fields.ts';
import { isPkcs12, readPkcs12 } from './pkcs12.ts';
import { UnsupportedEncryption, WrongPassphrase } from './pkcs12-decrypt.ts';

/** What one setting holds. `form` is how the file was written, for messages. */
export interface CertificateMaterial {
  readonly form: 'PEM' | 'DER' | '.p12';
  readonly certificates: readonly X509Certificate[];
  readonly keys: readonly KeyObject[];
}

/** What the parts of an identity are called where they are given; messages name them. */
export interface PartNames {
  readonly cert: string;
  readonly key: string;
  readonly wwdr: string;
  readonly passphrase: string;
}

/** In the environment of the service. */
export const settingNames: PartNames = {
  cert: 'APPLE_PASS_CERT',
  key: 'APPLE_PASS_KEY',
  wwdr: 'APPLE_WWDR_CERT',
  passphrase: 'APPLE_PASS_PASSPHRASE',
};

/** What is known of a part before it is read. */
interface Given {
  /** What it is called. */
  readonly setting: string;
  readonly passphrase: string | null;
  readonly names: PartNames;
}

/**
 * Reads a setting: PEM text (line breaks may be written as `\n`), or the path of a PEM, DER (.cer) or PKCS#12
 * (.p12) file. Throws CertificateProblem: unreadable file, no such content, wrong or missing passphrase.
 */
export function readCertificateMaterial(
  source: string,
  part: keyof PartNames,
  passphrase: string | null,
): CertificateMaterial {
  const given = { setting: settingNames[part], passphrase, names: settingNames };
  if (source.includes('-----BEGIN ')) return readPem(source.replaceAll('\\n', '\n'), given);
  return readBytes(readSettingFile(source, given.setting), given);
}

/** The certificates in what a caller has sent: PEM text, or a DER file in base64. A key in it is not looked at. */
export function readUploadedCertificates(
  text: string,
  part: keyof PartNames,
  names: PartNames,
): CertificateMaterial {
  const given = { setting: names[part], passphrase: null, names };
  const certificates = text.includes('-----BEGIN ')
    ? pemBlocks(text)
        .filter(isCertificate)
        .map((block) => pemCertificate(block.text, given))
    : [parseCertificate(Buffer.from(text, 'base64'))].filter((certificate) => certificate !== null);
  if (certificates.length > 0) return { form: 'PEM', certificates, keys: [] };
  throw new CertificateProblem(
    `${given.setting}: this is no certificate. Give the PEM text with its BEGIN and END lines, or the .cer file ` +
      'that Apple gave out, in base64.',
  );
}

/** What is in a PKCS#12 file that a caller has sent, in base64. Opening it takes a bounded time. */
export function readUploadedP12(
  base64: string,
  passphrase: string | null,
  names: PartNames,
): CertificateMaterial {
  const given = { setting: names.cert, passphrase, names };
  const bytes = Buffer.from(base64, 'base64');
  if (isPkcs12(bytes)) return readP12(bytes, given, uploadedRounds);
  throw new CertificateProblem(
    `${given.setting}: this is no PKCS#12 file in base64. Give the .p12 file that Keychain Access exported.`,
  );
}

/** What Keychain and OpenSSL ask for is a hundredth of it. */
const uploadedRounds = 250_000;

function readBytes(bytes: Buffer, given: Given): CertificateMaterial {
  const text = bytes.toString('latin1');
  if (text.includes('-----BEGIN ')) return readPem(text, given);
  if (isPkcs12(bytes)) return readP12(bytes, given);
  return readDer(bytes, given);
}

function readSettingFile(path: string, setting: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new CertificateProblem(
      `${setting}: the file "${path.slice(0, 200)}" cannot be read (${code}). Give the path of a PEM, .cer or ` +
        '.p12 file that the service may read, or the PEM text itself, beginning with -----BEGIN.',
    );
  }
}

function readPem(text: string, given: Given): CertificateMaterial {
  const certificates: X509Certificate[] = [];
  const keys: KeyObject[] = [];
  for (const block of pemBlocks(text)) {
    if (isCertificate(block)) certificates.push(pemCertificate(block.text, given));
    else if (block.label.endsWith('PRIVATE KEY')) keys.push(pemKey(block.text, given));
  }
  if (certificates.length + keys.length > 0) return { form: 'PEM', certificates, keys };
  throw new CertificateProblem(
    `${given.setting}: the PEM text holds neither a complete CERTIFICATE nor a PRIVATE KEY block. Copy the whole ` +
      'block with its BEGIN and END lines.',
  );
}

interface PemBlock {
  readonly text: string;
  readonly label: string;
}

function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map(
    ([block, label = '']) => ({ text: block, label }),
  );
}

function isCertificate({ label }: PemBlock): boolean {
  return /^(X509 |TRUSTED )?CERTIFICATE$/.test(label);
}

function pemCertificate(block: string, { setting }: Given): X509Certificate {
  const certificate = parseCertificate(block);
  if (certificate) return certificate;
  throw new CertificateProblem(
    `${setting}: a CERTIFICATE block in the PEM text is damaged. Copy it again from the certificate file, ` +
      'with its line breaks.',
  );
}

function pemKey(block: string, given: Given): KeyObject {
  const { setting, passphrase } = given;
  const encrypted = block.includes('BEGIN ENCRYPTED') || block.includes('Proc-Type: 4,ENCRYPTED');
  if (encrypted && !passphrase) throw missingPassphrase(given, 'private key');
  try {
    return createPrivateKey({ key: block, format: 'pem', passphrase: passphrase ?? '' });
  } catch {
    if (encrypted) throw wrongPassphrase(given, 'private key');
    throw new CertificateProblem(
      `${setting}: the PRIVATE KEY block in the PEM text is damaged. Copy it again, with its line breaks.`,
    );
  }
}

function readP12(bytes: Buffer, given: Given, rounds?: number): CertificateMaterial {
  const { setting, passphrase, names } = given;
  try {
    return { form: '.p12', ...readPkcs12(bytes, passphrase, rounds) };
  } catch (error) {
    if (error instanceof WrongPassphrase) {
      throw passphrase ? wrongPassphrase(given, '.p12 file') : missingPassphrase(given, '.p12 file');
    }
    if (!(error instanceof Asn1Error || error instanceof UnsupportedEncryption)) throw error;
    const orConvert =
      names === settingNames
        ? ', or convert it with "openssl pkcs12 -in pass.p12 -out pass.pem -legacy" and give pass.pem'
        : '';
    throw new CertificateProblem(
      `${setting}: the .p12 file cannot be read (${error.message}). Export it again${orConvert}.`,
    );
  }
}

function readDer(bytes: Buffer, { setting, passphrase }: Given): CertificateMaterial {
  const certificate = parseCertificate(bytes);
  if (certificate) return { form: 'DER', certificates: [certificate], keys: [] };
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      const key = createPrivateKey({ key: bytes, format: 'der', type, passphrase: passphrase ?? '' });
      return { form: 'DER', certificates: [], keys: [key] };
    } catch {}
  }
  throw new CertificateProblem(
    `${setting}: the file is neither PEM text, a DER certificate (.cer), a DER key nor a .p12 file. Give the ` +
      'certificate that Apple issued, or export it from Keychain Access as .p12.',
  );
}

function parseCertificate(bytes: string | Buffer): X509Certificate | null {
  try {
    const certificate = new X509Certificate(bytes);
    // Later checks read names and extensions, so a certificate where that fails is refused here.
    certificateFields(certificate);
    return certificate;
  } catch {
    return null;
  }
}

function missingPassphrase({ setting, names }: Given, what: string): CertificateProblem {
  return new CertificateProblem(
    `${setting}: the ${what} is encrypted and no passphrase is given. Set ${names.passphrase}.`,
  );
}

function wrongPassphrase({ setting, names }: Given, what: string): CertificateProblem {
  return new CertificateProblem(
    `${setting}: the passphrase does not open the ${what}. Set ${names.passphrase} to the one chosen when ` +
      'it was exported.',
  );
}
