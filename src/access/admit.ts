import { hash, timingSafeEqual } from 'node:crypto';
import type { Access, App, KeyCtx, OperatorCtx, PublicCtx, SessionCtx } from '../context.ts';
import { refusal, toApiError } from '../errors.ts';
import { hashSecret, hasValidChecksum } from '../kit/crypto/tokens.ts';
import { invalidAs } from '../kit/http/api-error.ts';
import { addressBucket } from '../kit/http/endpoints/client-address.ts';
import { bearerToken } from '../kit/http/endpoints/headers.ts';
import type { Admission } from '../kit/http/server/exchange.ts';
import { encodeId } from '../kit/ids.ts';
import type { RateVerdict } from '../kit/limits/rate-bucket.ts';
import { rateHeaders } from '../kit/limits/rate-limit.ts';
import { callerOf, isLive, secretPrefix, unknownKey } from './judge-key.ts';
import { personCallerOf, unknownSession, workspaceMeant } from './judge-person.ts';
import type { AdmittedKeyRow } from './keys.sql.ts';
import { tooManyRequests } from './limits.ts';
import { sentSession, sessionOf } from './session-cookie.ts';

/** A machine that signs, such as a platform of stores, calls for many from one address. */
const signedTimes = 10;
/** A limiter counts no faster. */
const mostRate = 500_000;

/**
 * Decides about a request before its body is read, in this order: who calls (`missing_authorization`,
 * `invalid_api_key`, `invalid_session`), how often (`rate_limited`, per key or person, or per address without a valid
 * one), whether the key or the role permits the operation (`insufficient_scope`, `role_required`). A key that is sent
 * makes the cookie count for nothing.
 */
export function createAdmission(app: App) {
  const { limiter } = app;
  const operatorDigest = digest(app.operatorToken);

  return async function admit(admission: Admission): Promise<PublicCtx | OperatorCtx | SessionCtx | KeyCtx> {
    const access = (admission.route?.access ?? 'public') as Access;
    const anyone: PublicCtx = { app, requestId: admission.requestId, ip: admission.ip, client: admission };
    if (access === 'probe') return anyone;
    if (access === 'signed') {
      const rate = Math.min(app.config.rateLimitPerSecond * signedTimes, mostRate);
      const bucket = `signed:${addressBucket(admission.ip)}`;
      enforce(admission, await limiter.take(bucket, rate, rate * 2), rate);
      return anyone;
    }
    const bearer = bearerToken(admission.authorizations);
    if (access === 'session' && bearer.kind !== 'none') await refuseCaller(admission, unknownSession());
    if (bearer.kind === 'none' && access !== 'public' && access !== 'operator') {
      const admitted = await admitPerson(admission, access, anyone);
      if (admitted !== null) return admitted;
    }
    const token = bearer.kind === 'token' ? bearer.token : null;

    const looksLikeKey = token !== null && hasValidChecksum(secretPrefix, token);
    if (token !== null && !looksLikeKey && timingSafeEqual(digest(token), operatorDigest)) {
      if (access === 'operator') {
        const rate = app.config.rateLimitPerSecond;
        enforce(admission, await limiter.take('operator', rate, rate * 2), rate);
        refuseLostKey(admission);
        return { ...anyone, operator: true };
      }
      if (access !== 'public') await refuseCaller(admission, operatorOnly());
    }
    // The checksum refuses mistyped and made-up keys without asking the database.
    const key = looksLikeKey ? await liveKey(token) : null;
    if (key === null) {
      if (access === 'public') await countCaller(admission);
      else await refuseCaller(admission, bearer.kind === 'none' ? noKey() : unknownKey());
      return anyone;
    }
    admission.knownAs = { workspaceId: key.workspaceId, actor: encodeId('key', key.keyId) };
    const rate = key.rateLimit ?? app.config.rateLimitPerSecond;
    enforce(admission, await limiter.take(`key:${key.keyId}`, rate, rate * 2), rate);
    if (access === 'public') return anyone;
    const caller = callerOf(key, access);
    refuseLostKey(admission);
    const { requestId, ip } = anyone;
    return { app, requestId, ip, client: admission, ...caller, access, admittedAt: performance.now() };
  };

  /** The person whose browser calls; null where no cookie of ours was sent. */
  async function admitPerson(
    admission: Admission,
    access: Access,
    anyone: PublicCtx,
  ): Promise<SessionCtx | KeyCtx | null> {
    const { method, headers, route } = admission;
    const request = { method, headers, isPage: route?.endpoint.page === true };
    const session = app.config.console ? await sessionOf(app, request) : null;
    if (session === null) {
      const wasSent = app.config.console && sentSession(app, request) !== null;
      if (access === 'session' || wasSent) await refuseCaller(admission, unknownSession());
      return null;
    }
    const named = headers['x-workspace'];
    const workspaceId =
      access === 'session' ? null : workspaceMeant(session, typeof named === 'string' ? named : undefined);
    const { personId, deviceId, memberships } = session;
    const known = memberships.find((one) => one.workspaceId === workspaceId);
    // A workspace learns of its own people alone, by its own ids.
    const actor = encodeId('person', (known ?? session).personId);
    admission.knownAs = { workspaceId: known?.workspaceId ?? null, actor };
    const rate = app.config.rateLimitPerSecond;
    // What is called at a till takes nothing of what its person may call elsewhere.
    const bucket = `person:${personId}${deviceId === null ? '' : `:${deviceId}`}`;
    enforce(admission, await limiter.take(bucket, rate, rate * 2), rate);
    if (workspaceId === null) {
      refuseLostKey(admission);
      return { ...anyone, session };
    }
    const caller = personCallerOf(app, session, workspaceId, access);
    refuseLostKey(admission);
    return { ...anyone, ...caller, access, admittedAt: performance.now() };
  }

  async function liveKey(token: string): Promise<AdmittedKeyRow | null> {
    const key = await app.keyCache.find(hashSecret(token)).catch((error) => {
      throw toApiError(error, true);
    });
    return isLive(app, key) ? key : null;
  }

  async function refuseCaller(admission: Admission, error: Error): Promise<never> {
    await countCaller(admission);
    throw error;
  }

  async function countCaller(admission: Admission): Promise<void> {
    const verdict = await limitAddress({ limiter, config: app.config }, admission.ip);
    enforce(admission, verdict, app.config.rateLimitPerSecond);
  }
}

/** Raises `invalid_request` for an idempotency key that the operation could not keep, and whose repeat would do all again. */
function refuseLostKey({ headers, route }: Admission): void {
  if (headers['idempotency-key'] === undefined) return;
  if (route === null || route.method === 'GET' || route.endpoint.idempotent === true) return;
  throw invalidAs(
    'excluded',
    'This operation keeps no Idempotency-Key. Send none: a repeat would be made again.',
    { path: 'Idempotency-Key', part: 'header' },
  );
}

function noKey() {
  return refusal('missing_authorization', 'Send your API key as "Authorization: Bearer <key>".');
}

function operatorOnly() {
  return refusal('invalid_api_key', 'The operator token opens only /operator routes. Use an API key.');
}

function enforce(admission: Admission, verdict: RateVerdict, rate: number): void {
  const headers = rateHeaders(verdict, rate);
  for (const name in headers) admission.setHeader(name, headers[name] ?? '');
  if (verdict.allowed) return;
  throw tooManyRequests(verdict);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Counts a call of an unknown caller against its address. */
export async function limitAddress(
  { limiter, config }: Pick<App, 'limiter' | 'config'>,
  ip: string,
): Promise<RateVerdict> {
  const rate = config.rateLimitPerSecond;
  return limiter.take(`address:${addressBucket(ip)}`, rate, rate * 2);
}
