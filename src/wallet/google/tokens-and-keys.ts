import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { type RootKey, readRootKeys } from './callback.ts';
import { type Exchange, exchange, isTransient, laterAfter, reasonOf } from './exchange.ts';
import { type GoogleResult, KeysUnavailable } from './google-wallet.ts';
import type { ServiceAccount } from './service-account.ts';

/** OAuth access tokens of a service account, one at a time. */
export interface AccessTokens {
  /** The token to use now. Callers that come together share one request. */
  current(): Promise<TokenResult>;
  /** Another than `refused`, which Google did not accept. */
  renewed(refused: string): Promise<TokenResult>;
}

type TokenResult =
  | { readonly kind: 'token'; readonly value: string }
  | Extract<GoogleResult, { kind: 'later' | 'misconfigured' }>;

interface AccessTokenOptions {
  readonly serviceAccount: ServiceAccount;
  readonly timeoutMs: number;
  now(): Date;
}

const scope = 'https://www.googleapis.com/auth/wallet_object.issuer';

/** A token is not used in its last minute: the request must still arrive with it. */
const marginMs = 60_000;

/** Gets tokens by RFC 7523's JWT bearer grant, and keeps each until a minute before it expires. */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { now } = options;
  let kept: { value: string; usableUntil: number } | null = null;
  let coming: Promise<TokenResult> | null = null;

  async function fetchToken(): Promise<TokenResult> {
    const asked = now().getTime();
    const answer = await exchangeAssertion(options);
    const token = tokenOf(answer);
    if (token === null) return failureOf(answer);
    kept = { value: token.value, usableUntil: asked + token.expiresInMs - marginMs };
    return { kind: 'token', value: token.value };
  }

  function fetchOnce(): Promise<TokenResult> {
    coming ??= fetchToken().finally(() => {
      coming = null;
    });
    return coming;
  }

  async function current(): Promise<TokenResult> {
    if (kept !== null && now().getTime() < kept.usableUntil) return { kind: 'token', value: kept.value };
    return fetchOnce();
  }

  return {
    current,
    renewed(refused) {
      if (kept?.value === refused) kept = null;
      return current();
    },
  };
}

function tokenOf(answer: Exchange): { value: string; expiresInMs: number } | null {
  if (answer.kind !== 'answer' || answer.status !== 200) return null;
  const { access_token: value, expires_in: seconds } = (answer.body ?? {}) as Record<string, unknown>;
  // It becomes a header's value.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) return null;
  return { value, expiresInMs: typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : 0 };
}

function failureOf(answer: Exchange): Exclude<TokenResult, { kind: 'token' }> {
  if (answer.kind === 'unreachable' || isTransient(answer)) return laterAfter(answer);
  if (answer.status === 200) return { ...laterAfter(answer), reason: 'the token endpoint gave no token' };
  return { kind: 'misconfigured', reason: `the token endpoint answered ${reasonOf(answer)}` };
}

async function exchangeAssertion({ serviceAccount, timeoutMs, now }: AccessTokenOptions): Promise<Exchange> {
  const { clientEmail, privateKey, privateKeyId, tokenUri } = serviceAccount;
  const issuedAt = now();
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId !== null && { kid: privateKeyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(new Date(issuedAt.getTime() + 3_600_000))
    .sign(privateKey);
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  return exchange(tokenUri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    timeoutMs,
    now,
  });
}

interface CallbackKeysOptions {
  readonly url: string;
  readonly timeoutMs: number;
  readonly log: Pick<Logger, 'warn'>;
  now(): Date;
}

const mostAgeMs = 3_600_000;
const betweenFreshMs = 10_000;
/** After a failure the keys of before stay in use for so long. */
const graceMs = 60_000;

/** Google's keys for call-backs, kept as GoogleWallet.callbackKeys promises. */
export function createCallbackKeys(options: CallbackKeysOptions): (fresh?: boolean) => Promise<RootKey[]> {
  const { url, timeoutMs, log, now } = options;
  let keys: readonly RootKey[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let forcedAt = Number.NEGATIVE_INFINITY;
  let coming: Promise<void> | null = null;

  const usable = () => keys.filter(({ expiresAt }) => expiresAt > now());

  /** Known keys stay in use while no others can be fetched. */
  async function refetch(): Promise<void> {
    const asked = now().getTime();
    const answer = await exchange(url, { method: 'GET', timeoutMs, now });
    const found = answer.kind === 'answer' && answer.status === 200 ? readRootKeys(answer.body) : [];
    if (found.length > 0) {
      keys = found;
      fetchedAt = asked;
      return;
    }
    const reason = answer.kind === 'unreachable' ? answer.reason : reasonOf(answer);
    if (usable().length === 0)
      throw new KeysUnavailable(`Google's call-back keys cannot be fetched: ${reason}`);
    fetchedAt = asked - mostAgeMs + graceMs;
    log.warn({ reason }, "Google's call-back keys cannot be fetched: those of before are used");
  }

  function refetchOnce(): Promise<void> {
    coming ??= refetch().finally(() => {
      coming = null;
    });
    return coming;
  }

  return async (fresh = false) => {
    const at = now().getTime();
    const isForced = fresh && at - forcedAt >= betweenFreshMs;
    if (isForced) forcedAt = at;
    if (isForced || at - fetchedAt >= mostAgeMs || usable().length === 0) await refetchOnce();
    return usable();
  };
}
