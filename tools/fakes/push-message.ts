import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A browser's subscription: what it hands out, and what it opens messages with (RFC 8291). */
export class BrowserKeys {
  readonly #own: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor() {
    this.#own.generateKeys();
  }

  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.#own.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
  }

  /** The text of a message of one record. Fails where a browser would drop it. */
  open(body: Buffer): string {
    const [salt, size, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
    const sender = body.subarray(21, 21 + idLength);
    const record = body.subarray(21 + idLength);
    if (idLength !== 65 || record.length > size) throw new Error('it is not one record of a sender');
    const shared = hkdf(
      this.#own.computeSecret(sender),
      this.#auth,
      Buffer.concat([Buffer.from('WebPush: info\0'), this.#own.getPublicKey(), sender]),
      32,
    );
    const key = hkdf(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = hkdf(shared, salt, 'Content-Encoding: nonce\0', 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error('the last record has no end');
    return padded.subarray(0, end).toString('utf8');
  }
}

function hkdf(key: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

/** A declarative push message. */
export interface PushMessage {
  readonly mutable: boolean;
  readonly notification: {
    readonly title: string;
    readonly body: string;
    readonly navigate: string;
    readonly icon: string;
    readonly lang: string;
    readonly tag: string;
  };
}

/** Reads a message as a browser without a worker does (W3C, Push API). Fails where it would show nothing. */
export function readMessage(text: string): PushMessage {
  const { web_push, mutable = false, notification, ...others } = JSON.parse(text);
  if (web_push !== 8030) throw new Error('it is not declarative');
  for (const name of ['title', 'body', 'navigate', 'icon', 'lang', 'tag'])
    if (typeof notification?.[name] !== 'string') throw new Error(`the notification has no ${name}`);
  for (const name of ['navigate', 'icon'])
    if (!URL.canParse(notification[name])) throw new Error(`${name} is no whole address`);
  if (Object.keys(others).length > 0) throw new Error(`it has ${Object.keys(others)}`);
  return { mutable, notification };
}
