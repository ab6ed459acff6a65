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

/**
 * Reads a setting: PEM text (line breaks may be written as `\n`), or the path of a PEM, DER (.cer) or PKCS#12
 * (.p12) file. `setting` names it in messages. Throws CertificateProblem: unreadable file, no such content,
 * wrong or missing passphrase.
 */
export function readCertificateMaterial(
  source: string,
  setting: string,
  passphrase: string | null,
): CertificateMaterial {
  if (source.includes('-----BEGIN ')) return readPem(source.replaceAll('\\n', '\n'), setting, passphrase);
  const bytes = readSettingFile(source, setting);
  const text = bytes.toString('latin1');
  if (text.includes('-----BEGIN ')) return readPem(text, setting, passphrase);
  if (isPkcs12(bytes)) return readP12(bytes, setting, passphrase);
  return readDer(bytes, setting, passphrase);
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

function readPem(text: string, setting: string, passphrase: string | null): CertificateMaterial {
  const certificates: X509Certificate[] = [];
  const keys: KeyObject[] = [];
  for (const [block, label = ''] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)) {
    if (/^(X509 |TRUSTED )?CERTIFICATE$/.test(label)) certificates.push(pemCertificate(block, setting));
    else if (label.endsWith('PRIVATE KEY')) keys.push(pemKey(block, setting, passphrase));
  }
  if (certificates.length + keys.length > 0) return { form: 'PEM', certificates, keys };
  throw new CertificateProblem(
    `${setting}: the PEM text holds neither a complete CERTIFICATE nor a PRIVATE KEY block. Copy the whole ` +
      'block with its BEGIN and END lines.',
  );
}

function pemCertificate(block: string, setting: string): X509Certificate {
  const certificate = parseCertificate(block);
  if (certificate) return certificate;
  throw new CertificateProblem(
    `${setting}: a CERTIFICATE block in the PEM text is damaged. Copy it again from the certificate file, ` +
      'with its line breaks.',
  );
}

function pemKey(block: string, setting: string, passphrase: string | null): KeyObject {
  const encrypted = block.includes('BEGIN ENCRYPTED') || block.includes('Proc-Type: 4,ENCRYPTED');
  if (encrypted && !passphrase) throw missingPassphrase(setting, 'private key');
  try {
    return createPrivateKey({ key: block, format: 'pem', passphrase: passphrase ?? '' });
  } catch {
    if (encrypted) throw wrongPassphrase(setting, 'private key');
    throw new CertificateProblem(
      `${setting}: the PRIVATE KEY block in the PEM text is damaged. Copy it again, with its line breaks.`,
    );
  }
}

function readP12(bytes: Buffer, setting: string, passphrase: string | null): CertificateMaterial {
  try {
    return { form: '.p12', ...readPkcs12(bytes, passphrase) };
  } catch (error) {
    if (error instanceof WrongPassphrase) {
      throw passphrase ? wrongPassphrase(setting, '.p12 file') : missingPassphrase(setting, '.p12 file');
    }
    if (!(error instanceof Asn1Error || error instanceof UnsupportedEncryption)) throw error;
    throw new CertificateProblem(
      `${setting}: the .p12 file cannot be read (${error.message}). Export it again, or convert it with ` +
        '"openssl pkcs12 -in pass.p12 -out pass.pem -legacy" and give pass.pem.',
    );
  }
}

function readDer(bytes: Buffer, setting: string, passphrase: string | null): CertificateMaterial {
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

function missingPassphrase(setting: string, what: string): CertificateProblem {
  return new CertificateProblem(
    `${setting}: the ${what} is encrypted and no passphrase is given. Set APPLE_PASS_PASSPHRASE.`,
  );
}

function wrongPassphrase(setting: string, what: string): CertificateProblem {
  return new CertificateProblem(
    `${setting}: the passphrase does not open the ${what}. Set APPLE_PASS_PASSPHRASE to the one chosen when ` +
      'it was exported.',
  );
}
