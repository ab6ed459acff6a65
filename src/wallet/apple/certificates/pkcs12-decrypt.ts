import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import {
  type Asn1,
  Asn1Error,
  asn1Children,
  asn1Octets,
  asn1Oid,
  asn1SmallInteger,
  asn1Tag,
} from './asn1-reader.ts';
import { decryptRc2 } from './rc2.ts';

/** The bytes do not decrypt with this passphrase. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase';
}

/** The passphrase of a file, and how much work may go into opening the file with it. */
export class Passphrase {
  /** null is no password at all, which differs from ''. */
  readonly text: string | null;
  readonly #allowed: number;
  #rounds: number;

  constructor(text: string | null, rounds: number) {
    this.text = text;
    this.#allowed = rounds;
    this.#rounds = rounds;
  }

  /** Counts rounds of a key derivation; Asn1Error where the file asks for more than is allowed altogether. */
  spend(rounds: number): void {
    this.#rounds -= rounds;
    if (this.#rounds >= 0) return;
    const most = this.#allowed.toLocaleString('en');
    throw new Asn1Error(`it is encrypted with more rounds than are done here: ${most} in all`);
  }
}

/** An algorithm that PKCS#12 files of Keychain and OpenSSL do not use; the message names it. */
export class UnsupportedEncryption extends Error {
  override readonly name = 'UnsupportedEncryption';
}

/**
 * Decrypts password-based encryption: PBES2 with AES or 3DES (RFC 8018 §6.2), and the PKCS#12 schemes with
 * 3DES and RC2 (RFC 7292 app. C).
 * Throws WrongPassphrase, UnsupportedEncryption or Asn1Error.
 */
export function decryptPbe(algorithm: Asn1, encrypted: Buffer, passphrase: Passphrase): Buffer {
  const [oidNode, parameters] = asn1Children(algorithm);
  const oid = asn1Oid(oidNode);
  if (oid === '1.2.840.113549.1.5.13') return decryptPbes2(parameters, encrypted, passphrase);
  const scheme = pkcs12Schemes[oid];
  if (!scheme) throw new UnsupportedEncryption(`encryption ${oid} is not supported`);
  const [salt, rounds] = parameters ? asn1Children(parameters) : [];
  const derive = (purpose: 1 | 2, length: number): Buffer =>
    pkcs12Key('sha1', passphrase, asn1Octets(salt), pbeRounds(rounds), purpose, length);
  const key = derive(1, scheme.keyBytes);
  const iv = derive(2, 8);
  if (scheme.cipher === 'rc2') {
    // OpenSSL has it in its legacy provider only, which Node does not load.
    const plain = decryptRc2(key, iv, encrypted);
    if (plain === null) throw new WrongPassphrase('the padding is wrong after decryption');
    return plain;
  }
  // Two-key 3DES repeats its first key.
  const fullKey = scheme.keyBytes === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key;
  return decryptNatively('des-ede3-cbc', fullKey, iv, encrypted);
}

/** Key derivation of RFC 7292 app. B.2. `purpose`: 1 key, 2 initial vector, 3 integrity key. */
export function pkcs12Key(
  hash: string,
  passphrase: Passphrase,
  salt: Buffer,
  rounds: number,
  purpose: 1 | 2 | 3,
  length: number,
): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const password = passphrase.text === null ? Buffer.alloc(0) : bmpString(passphrase.text);
  const input = Buffer.concat([repeatToBlocks(salt, block), repeatToBlocks(password, block)]);
  const diversifier = Buffer.alloc(block, purpose);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; ) {
    passphrase.spend(rounds);
    let digest = createHash(hash).update(diversifier).update(input).digest();
    for (let round = 1; round < rounds; round++) digest = createHash(hash).update(digest).digest();
    parts.push(digest);
    made += digest.length;
    addToBlocks(input, repeatToBlocks(digest, block).subarray(0, block));
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** An iteration count; Asn1Error when it would take too long. */
export function pbeRounds(element: Asn1 | undefined): number {
  const rounds = asn1SmallInteger(element);
  if (rounds < 1 || rounds > 20_000_000) throw new Asn1Error(`${rounds} is no plausible iteration count`);
  return rounds;
}

const pkcs12Schemes: Readonly<Record<string, { cipher: 'rc2' | '3des'; keyBytes: number }>> = {
  '1.2.840.113549.1.12.1.3': { cipher: '3des', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: '3des', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', keyBytes: 5 },
};

const pbes2Ciphers: Readonly<Record<string, { cipher: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyBytes: 24 },
};

const pbkdf2Hashes: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

function decryptPbes2(parameters: Asn1 | undefined, encrypted: Buffer, passphrase: Passphrase): Buffer {
  const [derivation, encryption] = (parameters ? asn1Children(parameters) : []).map(asn1Children);
  const kdf = asn1Oid(derivation?.[0]);
  if (kdf !== '1.2.840.113549.1.5.12')
    throw new UnsupportedEncryption(`key derivation ${kdf} is not supported`);
  const oid = asn1Oid(encryption?.[0]);
  const scheme = pbes2Ciphers[oid];
  if (!scheme) throw new UnsupportedEncryption(`encryption ${oid} is not supported`);
  const [salt, rounds, ...rest] = derivation?.[1] ? asn1Children(derivation[1]) : [];
  const prf = rest.find((part) => part.tag === asn1Tag.sequence);
  const prfOid = prf ? asn1Oid(asn1Children(prf)[0]) : '1.2.840.113549.2.7';
  const hash = pbkdf2Hashes[prfOid];
  if (!hash) throw new UnsupportedEncryption(`key derivation hash ${prfOid} is not supported`);
  const count = pbeRounds(rounds);
  passphrase.spend(count);
  const key = pbkdf2Sync(passphrase.text ?? '', asn1Octets(salt), count, scheme.keyBytes, hash);
  return decryptNatively(scheme.cipher, key, asn1Octets(encryption?.[1]), encrypted);
}

function decryptNatively(cipher: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(cipher, key, iv);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    throw new WrongPassphrase('the padding is wrong after decryption');
  }
}

function bmpString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}

function repeatToBlocks(bytes: Buffer, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds `addend` + 1 to each block of `input`, as big-endian numbers modulo 2^(8·block). */
function addToBlocks(input: Buffer, addend: Buffer): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1;
    for (let at = addend.length - 1; at >= 0; at--) {
      carry += (input[start + at] ?? 0) + (addend[at] ?? 0);
      input[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}
