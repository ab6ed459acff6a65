import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What an authenticator can be made to say otherwise than it should. */
interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  /** Whom the passkey is of, in its own words. */
  readonly userHandle?: string;
  /** Who signs in its place. */
  readonly privateKey?: KeyObject;
  /** What it says of its maker. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, unknown> };
}

interface Options {
  readonly challenge: string;
}

const userPresent = 0x01;
const userVerified = 0x04;
const withKey = 0x40;

/** A software authenticator with one passkey: what a browser and a security key do together (WebAuthn Level 3). */
export class Authenticator {
  readonly id: string;
  readonly origin: string;
  signCount = 0;
  #userHandle = '';
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(origin: string, id = randomBytes(16).toString('base64url')) {
    this.origin = origin;
    this.id = id;
  }

  /** Makes the passkey for what `GET /passkeys/options` has answered. */
  create(options: Options & { readonly user: { readonly id: string } }, other: Deviations = {}) {
    this.#userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#data(withKey, other),
      Buffer.alloc(16),
      length,
      id,
      isoCBOR.encode(key as never),
    ]);
    const { fmt, attStmt } = other.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestation = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      id: this.id,
      clientDataJSON: this.#clientData('webauthn.create', options, other),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    };
  }

  /** Signs what `GET /sessions/options` has answered. */
  sign(options: Options, other: Deviations = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', options, other);
    const data = this.#data(0, other);
    const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign(
      'sha256',
      Buffer.concat([data, digest]),
      other.privateKey ?? this.#keys.privateKey,
    );
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: other.userHandle ?? this.#userHandle,
    };
  }

  #data(flags: number, { rpId = new URL(this.origin).hostname, isVerified = true }: Deviations): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.signCount);
    const all = flags | userPresent | (isVerified ? userVerified : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(all), count]);
  }

  #clientData(type: string, options: Options, other: Deviations): string {
    const said = {
      type: other.type ?? type,
      challenge: other.challenge ?? options.challenge,
      origin: other.origin ?? this.origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(said)).toString('base64url');
  }
}
