import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto';
import {
  type Asn1,
  Asn1Error,
  asn1Children,
  asn1Expect,
  asn1Octets,
  asn1Oid,
  asn1SmallInteger,
  asn1Tag,
  readAsn1,
} from './asn1-reader.ts';
import { decryptPbe, Passphrase, pbeRounds, pkcs12Key, WrongPassphrase } from './pkcs12-decrypt.ts';

/** What a .p12 file holds, in file order. */
export interface Pkcs12Contents {
  readonly certificates: readonly X509Certificate[];
  readonly keys: readonly KeyObject[];
}

/** True when the bytes look like a PKCS#12 file: a sequence that begins with version 3 (RFC 7292 §4). */
export function isPkcs12(bytes: Buffer): boolean {
  try {
    const [version, content] = asn1Children(readAsn1(bytes, { ber: true }));
    return asn1SmallInteger(version) === 3 && content?.tag === asn1Tag.sequence;
  } catch {
    return false;
  }
}

/**
 * Opens a .p12 as Keychain (RC2 or 3DES) and OpenSSL (3DES or PBES2 with AES) write it, with or without a MAC.
 * A missing passphrase is tried as the empty one. `rounds` bounds the work of deriving keys. Throws WrongPassphrase, UnsupportedEncryption or Asn1Error.
 */
export function readPkcs12(bytes: Buffer, passphrase: string | null, rounds = mostRounds): Pkcs12Contents {
  if (passphrase) return readWith(bytes, new Passphrase(passphrase, rounds));
  // "No password" has two encodings (RFC 7292 app. B.1), and writers disagree on which to use.
  try {
    return readWith(bytes, new Passphrase('', rounds));
  } catch (error) {
    if (!(error instanceof WrongPassphrase)) throw error;
    return readWith(bytes, new Passphrase(null, rounds));
  }
}

/** As long as an operator waits for the start of a service. */
const mostRounds = 20_000_000;

const bag = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
} as const;

const dataOid = '1.2.840.113549.1.7.1';
const encryptedDataOid = '1.2.840.113549.1.7.6';
const x509Oid = '1.2.840.113549.1.9.22.1';

const macHashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

interface Contents {
  readonly certificates: X509Certificate[];
  readonly keys: KeyObject[];
}

function readWith(bytes: Buffer, passphrase: Passphrase): Pkcs12Contents {
  const [, authSafe, mac] = asn1Children(readAsn1(bytes, { ber: true }));
  const safe = explicitOctets(asn1Children(asn1Expect(authSafe, asn1Tag.sequence, 'content')));
  if (mac) verifyMac(mac, safe, passphrase);
  const contents: Contents = { certificates: [], keys: [] };
  for (const info of asn1Children(readAsn1(safe, { ber: true })).map(asn1Children)) {
    const oid = asn1Oid(info[0]);
    if (oid === dataOid) collect(readAsn1(explicitOctets(info), { ber: true }), passphrase, contents);
    if (oid === encryptedDataOid) collect(decryptContent(info[1], passphrase), passphrase, contents);
  }
  return contents;
}

function verifyMac(mac: Asn1, safe: Buffer, passphrase: Passphrase): void {
  const [digestInfo, salt, rounds] = asn1Children(mac);
  const [algorithm, expected] = asn1Children(asn1Expect(digestInfo, asn1Tag.sequence, 'MAC'));
  const hash = macHashes[asn1Oid(asn1Children(asn1Expect(algorithm, asn1Tag.sequence, 'MAC algorithm'))[0])];
  // PBMAC1 (RFC 9579) and the like: decryption will show whether the passphrase is right.
  if (!hash) return;
  const digest = asn1Octets(expected);
  const count = rounds ? pbeRounds(rounds) : 1;
  const key = pkcs12Key(hash, passphrase, asn1Octets(salt), count, 3, digest.length);
  const actual = createHmac(hash, key).update(safe).digest();
  if (actual.length !== digest.length || !timingSafeEqual(actual, digest)) {
    throw new WrongPassphrase('the integrity check does not fit the passphrase');
  }
}

/** ContentInfo of type data: `[0]{ OCTET STRING }` after the OID. */
function explicitOctets(info: readonly Asn1[]): Buffer {
  return asn1Octets(asn1Children(asn1Expect(info[1], asn1Tag.context0, 'content'))[0]);
}

function decryptContent(wrapper: Asn1 | undefined, passphrase: Passphrase): Asn1 {
  const [encryptedData] = asn1Children(asn1Expect(wrapper, asn1Tag.context0, 'encrypted content'));
  const [, info] = asn1Children(asn1Expect(encryptedData, asn1Tag.sequence, 'encrypted data'));
  const [, algorithm, encrypted] = asn1Children(asn1Expect(info, asn1Tag.sequence, 'encrypted content'));
  const plain = decryptPbe(
    asn1Expect(algorithm, asn1Tag.sequence, 'encryption algorithm'),
    implicitOctets(asn1Expect(encrypted, encrypted?.tag === 0xa0 ? 0xa0 : 0x80, 'encrypted bytes')),
    passphrase,
  );
  return decrypted(plain);
}

function implicitOctets(element: Asn1): Buffer {
  return element.tag === 0xa0 ? Buffer.concat(asn1Children(element).map(asn1Octets)) : element.body;
}

/** Without a MAC, a wrong passphrase can pass the padding check by chance and leaves noise. */
function decrypted(plain: Buffer): Asn1 {
  try {
    return asn1Expect(readAsn1(plain, { ber: true }), asn1Tag.sequence, 'decrypted content');
  } catch (error) {
    if (error instanceof Asn1Error) throw new WrongPassphrase('decryption gives noise');
    throw error;
  }
}

function collect(bags: Asn1, passphrase: Passphrase, into: Contents): void {
  for (const entry of asn1Children(bags)) {
    const [type, wrapper] = asn1Children(entry);
    const [value] = asn1Children(asn1Expect(wrapper, asn1Tag.context0, 'bag'));
    const content = asn1Expect(value, asn1Tag.sequence, 'bag content');
    const oid = asn1Oid(type);
    if (oid === bag.key) into.keys.push(privateKey(content.raw));
    if (oid === bag.shroudedKey) into.keys.push(privateKey(unshroud(content, passphrase).raw));
    if (oid === bag.certificate) into.certificates.push(...certificate(content));
    if (oid === bag.nested) collect(content, passphrase, into);
  }
}

function unshroud(content: Asn1, passphrase: Passphrase): Asn1 {
  const [algorithm, encrypted] = asn1Children(content);
  const pbe = asn1Expect(algorithm, asn1Tag.sequence, 'key encryption');
  return decrypted(decryptPbe(pbe, asn1Octets(encrypted), passphrase));
}

function privateKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } catch {
    throw new Asn1Error('the private key in the file is damaged');
  }
}

function certificate(content: Asn1): X509Certificate[] {
  const [type, wrapper] = asn1Children(content);
  if (asn1Oid(type) !== x509Oid) return [];
  const [value] = asn1Children(asn1Expect(wrapper, asn1Tag.context0, 'certificate'));
  try {
    return [new X509Certificate(asn1Octets(value))];
  } catch {
    throw new Asn1Error('a certificate in the file is damaged');
  }
}
