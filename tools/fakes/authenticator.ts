import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { certificateOid } from '../../src/wallet/apple/certificates/certificate-fields.ts';
import { issueCertificate } from '../../src/wallet/apple/certificates/issue-certificate.ts';
import { der, TAG } from '../../src/wallet/apple/der.ts';
import { makeAuthority } from './authority.ts';

/** What an authenticator can be made to say otherwise than it should. */
interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  /** The owner of the passkey, in its own words. */
  readonly userHandle?: string;
  /** Another key that signs in its place. */
  readonly privateKey?: KeyObject;
  /** The key that attests it in the format `packed`: its maker's, or its own new one. */
  readonly vouchedBy?: 'maker' | 'itself';
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
    const clientDataJSON = this.#clientData('webauthn.create', options, other);
    const { vouchedBy } = other;
    const attestation = new Map<string, unknown>([
      ['fmt', vouchedBy === undefined ? 'none' : 'packed'],
      ['attStmt', vouchedBy === undefined ? new Map() : this.#statement(vouchedBy, authData, clientDataJSON)],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      id: this.id,
      clientDataJSON,
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
    };
  }

  /** Signs what `GET /sessions/options` has answered. */
  sign(options: Options, other: Deviations = {}) {
    const clientDataJSON = this.#clientData('webauthn.get', options, other);
    const data = this.#data(0, other);
    const signature = signed(data, clientDataJSON, other.privateKey ?? this.#keys.privateKey);
    return {
      id: this.id,
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: other.userHandle ?? this.#userHandle,
    };
  }

  /** What vouches for the new key (WebAuthn Level 3, 8.2). */
  #statement(by: 'maker' | 'itself', authData: Buffer, clientDataJSON: string): Map<string, unknown> {
    const maker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { privateKey } = by === 'maker' ? maker : this.#keys;
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(signed(authData, clientDataJSON, privateKey))],
    ]);
    if (by === 'maker') statement.set('x5c', [new Uint8Array(makersCertificate(maker))]);
    return statement;
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

function signed(authData: Buffer, clientDataJSON: string, privateKey: KeyObject): Buffer {
  const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
  return sign('sha256', Buffer.concat([authData, digest]), privateKey);
}

/** As makers of authenticators have them (WebAuthn Level 3, 8.2.1). */
function makersCertificate({ publicKey }: { readonly publicKey: KeyObject }): Buffer {
  const authority = makeAuthority();
  const dayMs = 86_400_000;
  const certificate = issueCertificate({
    name: [
      [certificateOid.country, 'DE'],
      [certificateOid.organization, 'A maker'],
      [certificateOid.unit, 'Authenticator Attestation'],
      [certificateOid.commonName, 'An authenticator'],
    ],
    publicKey,
    issuer: authority.certificate,
    issuerKey: authority.privateKey,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    extensions: [{ oid: '2.5.29.19', critical: true, value: der(TAG.sequence) }],
  });
  return certificate.raw;
}
