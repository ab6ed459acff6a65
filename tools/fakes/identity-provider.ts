import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Authority } from './authority.ts';
import { type StoreCall, type StoreReply, StoreServer } from './store-server.ts';

/** A person who has an account with the provider. */
export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
}

/** How the provider says otherwise than it should. */
export interface Misbehaviour {
  /** Claims of the ID token in the place of the right ones. */
  readonly claims?: JWTPayload;
  /** The token is signed with a key that the provider does not name. */
  readonly isForged?: boolean;
  /** The token is not signed at all. */
  readonly isUnsigned?: boolean;
  /** The `iss` parameter of the answer in the browser; null for none (RFC 9207). */
  readonly iss?: string | null;
  /** A code counts again and for anyone, without the proof of RFC 7636. */
  readonly takesAnyCode?: boolean;
  /** Where tokens are to be had, as it says. */
  readonly tokenEndpoint?: string;
  /** Where browsers are to go, as it says. */
  readonly authorizationEndpoint?: string;
}

interface Granted {
  readonly account: Account;
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** An OpenID Connect provider on the loopback interface, at which every browser is signed in already as `account`. */
export class FakeIdentityProvider {
  readonly clientId = 'punchcard';
  readonly clientSecret = 'a secret: 100% + more';
  readonly server: StoreServer;
  account: Account = { sub: 'nobody' };
  misbehaviour: Misbehaviour = {};
  readonly #keys: Awaited<ReturnType<typeof generateKeyPair>>;
  readonly #others: Awaited<ReturnType<typeof generateKeyPair>>;
  readonly #codes = new Map<string, Granted>();

  private constructor(
    start: (answer: (call: StoreCall) => Promise<StoreReply>) => StoreServer,
    keys: Awaited<ReturnType<typeof generateKeyPair>>,
    others: Awaited<ReturnType<typeof generateKeyPair>>,
  ) {
    this.#keys = keys;
    this.#others = others;
    this.server = start((call) => this.#answer(call));
  }

  static async start(authority: Authority): Promise<FakeIdentityProvider> {
    const [keys, others] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    let answer: (call: StoreCall) => Promise<StoreReply> = async () => ({ status: 503, body: '' });
    const server = await StoreServer.start({
      authority,
      port: 0,
      answer: (call) => answer(call),
      throttled: () => ({ status: 429, body: '' }),
      print: () => undefined,
    });
    return new FakeIdentityProvider(
      (given) => {
        answer = given;
        return server;
      },
      keys,
      others,
    );
  }

  get issuer(): string {
    return `https://${this.server.domain}`;
  }

  /** The settings of a service that people sign in to with it. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: this.clientId,
      OIDC_CLIENT_SECRET: this.clientSecret,
    };
  }

  async #answer({ method, url, headers, body }: StoreCall): Promise<StoreReply> {
    switch (`${method} ${url.pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return { status: 200, body: this.#metadata() };
      case 'GET /keys':
        return {
          status: 200,
          body: { keys: [{ ...(await exportJWK(this.#keys.publicKey)), alg: 'RS256' }] },
        };
      case 'GET /authorize':
        return this.#authorize(url.searchParams);
      case 'POST /token':
        return await this.#giveToken(headers.authorization ?? '', new URLSearchParams(body));
      default:
        return { status: 404, body: {} };
    }
  }

  #metadata() {
    const { tokenEndpoint, authorizationEndpoint } = this.misbehaviour;
    return {
      issuer: this.issuer,
      authorization_endpoint: authorizationEndpoint ?? `${this.issuer}/authorize`,
      token_endpoint: tokenEndpoint ?? `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize(asked: URLSearchParams): StoreReply {
    const redirectUri = asked.get('redirect_uri') ?? '';
    const code = randomUUID();
    this.#codes.set(code, {
      account: this.account,
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce') ?? '',
      redirectUri,
    });
    const { iss = this.issuer } = this.misbehaviour;
    // Providers send more than was asked for.
    const answer = new URLSearchParams({
      code,
      state: asked.get('state') ?? '',
      session_state: randomUUID(),
    });
    if (iss !== null) answer.set('iss', iss);
    return { status: 302, headers: { location: `${redirectUri}?${answer}` }, body: '' };
  }

  async #giveToken(authorization: string, form: URLSearchParams): Promise<StoreReply> {
    const encoded = [this.clientId, this.clientSecret].map((text) =>
      new URLSearchParams({ '': text }).toString().slice(1),
    );
    if (authorization !== `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`)
      return { status: 401, body: { error: 'invalid_client' } };
    const code = form.get('code') ?? '';
    const granted = this.#codes.get(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const { takesAnyCode = false } = this.misbehaviour;
    const isRight = granted?.challenge === proof && granted.redirectUri === form.get('redirect_uri');
    if (granted === undefined || (!isRight && !takesAnyCode))
      return { status: 400, body: { error: 'invalid_grant' } };
    if (!takesAnyCode) this.#codes.delete(code);
    return {
      status: 200,
      body: { access_token: randomUUID(), token_type: 'Bearer', id_token: await this.#idToken(granted) },
    };
  }

  async #idToken({ account, nonce }: Granted): Promise<string> {
    const { claims, isForged = false, isUnsigned = false } = this.misbehaviour;
    const now = Math.floor(Date.now() / 1_000);
    const said = {
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...account,
      ...claims,
    };
    if (isUnsigned)
      return `${[{ alg: 'none' }, said].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
    const { privateKey } = isForged ? this.#others : this.#keys;
    return await new SignJWT(said).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  }
}
