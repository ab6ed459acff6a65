import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription, as base64url: a point of P-256, and 16 bytes that its push service does not know. */
export interface PushKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Where a browser takes pushes. */
export interface PushSubscription {
  readonly pushEndpoint: string;
  /** What messages are encrypted with; null: unknown. */
  readonly pushKeys: PushKeys | null;
}

/** What is new for each message. */
interface Fresh {
  readonly salt: Buffer;
  /** The private key of the sender. */
  readonly secret: Buffer;
}

const curve = 'prime256v1';
/** As in the RFC's example; a message is one record, and push services take no more than 4,096 bytes. */
const recordSize = 4_096;

/** Encrypts a message for one browser, in one record (RFC 8291, RFC 8188): push services cannot read it. */
export function encryptPush(message: string, { p256dh, auth }: PushKeys, fresh?: Fresh): Buffer<ArrayBuffer> {
  const sender = createECDH(curve);
  if (fresh === undefined) sender.generateKeys();
  else sender.setPrivateKey(fresh.secret);
  const salt = fresh?.salt ?? randomBytes(16);
  const [theirs, ours] = [Buffer.from(p256dh, 'base64url'), sender.getPublicKey()];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const shared = derive(sender.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 ends the last record.
  const record = [cipher.update(`${message}\x02`, 'utf8'), cipher.final(), cipher.getAuthTag()];
  const head = Buffer.alloc(5);
  head.writeUInt32BE(recordSize);
  head.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, head, ours, ...record]);
}

function derive(key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

/** Whether there is such a point on the curve: nothing can be encrypted for another. */
export function isPoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, curve, 'base64url', undefined, 'uncompressed').length === 65;
  } catch {
    return false;
  }
}
