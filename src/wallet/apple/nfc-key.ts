import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** SubjectPublicKeyInfo of a compressed point on P-256 (RFC 5480), up to the point. */
const header = Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex');

/**
 * A P-256 key as `nfc.encryptionPublicKey` of a pass takes it: readers are known to be set up with compressed points, and
 * every pass that was seen in the wild has one.
 */
export function passNfcKey(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const isOdd = ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1) === 1;
  const point = Buffer.concat([Buffer.from([isOdd ? 3 : 2]), Buffer.from(x, 'base64url')]);
  return Buffer.concat([header, point]).toString('base64');
}

/** A public key on P-256 from PEM or from base64 of its DER; null where it is anything else, a private key too. */
export function readNfcKey(text: string): KeyObject | null {
  if (text.includes('PRIVATE')) return null;
  try {
    const key = text.includes('-----')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isP256 ? key : null;
  } catch {
    return null;
  }
}

/** A new key pair on P-256. */
export function makeNfcKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}
