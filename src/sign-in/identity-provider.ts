import * as oidc from 'openid-client';
import { FetchRefused, type SafeCall } from '../kit/safe-fetch/safe-fetch.ts';

/** What a browser leaves with, and has to come back with: it alone, once. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the same browser asks for the code and uses it (RFC 7636). */
  readonly verifier: string;
}

/** Whom the provider means. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** null where the provider does not say that it is theirs. */
  readonly provedEmail: string | null;
}

/** The provider that the operator has named (OpenID Connect Core 1.0, authorization code flow). */
export interface IdentityProvider {
  /** Its host, to be shown. */
  readonly host: string;
  /** Where to send a browser. Raises `IdentityRefused`. */
  begin(): Promise<{ readonly url: string; readonly attempt: OidcAttempt }>;
  /** Whom it means, of what a browser has come back with. Raises `IdentityRefused`. */
  finish(query: Readonly<Record<string, string>>, attempt: OidcAttempt): Promise<Identity>;
}

/** Why the person is not signed in: the provider was not reached, or something of what it says is not right. */
export class IdentityRefused extends Error {
  readonly isUnreachable: boolean;

  constructor(message: string, isUnreachable: boolean) {
    super(message);
    this.isUnreachable = isUnreachable;
  }
}

/** Its metadata are read again after an hour. */
const discoveryMs = 3_600_000;

/** Makes the way to the provider; all requests to it go by `call`. */
export function createIdentityProvider(
  settings: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string },
  redirectUri: string,
  call: SafeCall,
): IdentityProvider {
  const { issuer, clientId, clientSecret } = settings;
  let known: { readonly configuration: Promise<oidc.Configuration>; readonly at: number } | null = null;

  function configuration(): Promise<oidc.Configuration> {
    const now = performance.now();
    if (known !== null && now - known.at < discoveryMs) return known.configuration;
    const asked = oidc.discovery(new URL(issuer), clientId, undefined, authenticate(clientSecret), {
      [oidc.customFetch]: (url, options) => fetchBy(call, url, options),
      // Without them the signature of a token is not looked at where it comes straight from the provider.
      execute: [oidc.enableNonRepudiationChecks],
    });
    const latest = { configuration: asked, at: now };
    known = latest;
    asked.catch(() => {
      if (known === latest) known = null;
    });
    return asked;
  }

  return {
    host: new URL(issuer).host,
    begin: () =>
      refusingAlike(async () => {
        const attempt = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        });
        if (url.protocol !== 'https:') throw new Error('the provider sends browsers to plain http');
        return { url: url.href, attempt };
      }),
    finish: (query, { state, nonce, verifier }) =>
      refusingAlike(async () => {
        const answered = new URL(`${redirectUri}?${new URLSearchParams(query)}`);
        const tokens = await oidc.authorizationCodeGrant(await configuration(), answered, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('the provider has sent no ID token');
        // OpenID Connect demands a name that no other person has; a blank one would be that of all.
        if (!/[^\p{C}\p{Z}]/u.test(claims.sub)) throw new Error('the provider does not say whom it means');
        const { email, email_verified: isVerified } = claims;
        const isProved = isVerified === true && typeof email === 'string';
        return { issuer: claims.iss, subject: claims.sub, provedEmail: isProved ? email : null };
      }),
  };
}

/** The secret goes in a header unless the provider takes it in the body alone (OpenID Connect Discovery 1.0, 3). */
function authenticate(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest);
  };
}

async function fetchBy(call: SafeCall, url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const { method, headers, body, signal } = options;
  const answer = await call(url, {
    key: 'provider',
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body === undefined || body === null ? null : String(body),
    ...(signal !== undefined && { signal }),
  });
  const text = answer.body.length === 0 ? null : new Uint8Array(answer.body);
  return new Response(text, { status: answer.status, headers: answer.headers });
}

/** What went wrong, without what was sent: that may hold codes and tokens. */
async function refusingAlike<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const isUnreachable = error instanceof FetchRefused || failedToAnswer(error);
    throw new IdentityRefused(`${typeof code === 'string' ? code : 'refused'}: ${message}`, isUnreachable);
  }
}

function failedToAnswer(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof FetchRefused) return true;
  return cause instanceof Response && cause.status >= 500;
}
