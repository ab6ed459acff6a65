import type { Logger } from 'pino';
import type { GoogleCardType, GoogleResource } from './card.ts';
import { exchange, type Judgement, judge } from './exchange.ts';
import type { GoogleMessage, GoogleResult, GoogleWallet, PutOptions } from './google-wallet.ts';
import { googleWord, withoutNulls } from './resource.ts';
import type { ServiceAccount } from './service-account.ts';
import { createAccessTokens, createCallbackKeys } from './tokens-and-keys.ts';

interface GoogleWalletOptions {
  /** The address of the Wallet API, without a slash at its end: `https://walletobjects.googleapis.com`. */
  readonly baseUrl: string;
  /** `https://pay.google.com/gp/m/issuer/keys`. */
  readonly callbackKeysUrl: string;
  readonly serviceAccount: ServiceAccount;
  readonly timeoutMs?: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Awaited before every request to the Wallet API: it allows 20 a second, over all processes. */
  beforeRequest(): Promise<void>;
  now(): Date;
}

interface ApiRequest {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: unknown;
  readonly notify: boolean;
}

type Authorized = Exclude<Judgement, { kind: 'unauthorized' }>;

/** The Wallet API of one issuer. It opens no connection before it is used, and needs no closing. */
export function createGoogleWallet(options: GoogleWalletOptions): GoogleWallet {
  const { baseUrl, serviceAccount, log, beforeRequest, now, timeoutMs = 10_000 } = options;
  const tokens = createAccessTokens({ serviceAccount, timeoutMs, now });

  /** One request; a second one, with another access token, when Google does not accept the first one's. */
  async function send(request: ApiRequest): Promise<Authorized> {
    // Fetched before the limit is asked: requests that wait for a token must not leave in a burst.
    const ready = await tokens.current();
    if (ready.kind !== 'token') return ready;
    await beforeRequest();
    const token = await tokens.current();
    if (token.kind !== 'token') return token;
    const first = await transmit(request, token.value);
    if (first.kind !== 'unauthorized') return first;

    log.info({ reason: first.reason }, 'Google does not accept the access token: fetching another');
    const other = await tokens.renewed(token.value);
    if (other.kind !== 'token') return other;
    await beforeRequest();
    const second = await transmit(request, other.value);
    return second.kind === 'unauthorized' ? { ...second, kind: 'misconfigured' } : second;
  }

  async function transmit({ method, path, body, notify }: ApiRequest, token: string): Promise<Judgement> {
    const answer = await exchange(`${baseUrl}/walletobjects/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json; charset=utf-8',
        // Google compresses its answers only for clients that call themselves so.
        'user-agent': 'punchcard (gzip)',
      },
      body: JSON.stringify(body),
      timeoutMs,
      now,
    });
    return judge(answer, notify);
  }

  async function put(kind: 'Class' | 'Object', type: GoogleCardType, json: GoogleResource, how: PutOptions) {
    const collection = `${googleWord[type]}${kind}`;
    const insert = () =>
      send({ method: 'POST', path: `${collection}?fields=id`, body: withoutNulls(json), notify: false });
    const patch = () => {
      const preference = notifyPreference(type, how.notify);
      const body = { ...json, ...preference };
      return send({
        method: 'PATCH',
        path: `${collection}/${encodeURIComponent(json.id)}?fields=id`,
        body,
        notify: how.notify,
      });
    };
    const first = how.exists ? await patch() : await insert();
    if (how.exists && first.kind === 'missing') return settled(await insert());
    if (!how.exists && first.kind === 'taken') return settled(await patch());
    return settled(first);
  }

  async function add(kind: 'Class' | 'Object', type: GoogleCardType, to: string, given: GoogleMessage) {
    const { header, body, id, notify } = given;
    const messageType = notify ? 'TEXT_AND_NOTIFY' : 'TEXT';
    const path = `${googleWord[type]}${kind}/${encodeURIComponent(to)}/addMessage?fields=resource(id)`;
    const message = { header, body, id, messageType };
    return settled(await send({ method: 'POST', path, body: { message }, notify }));
  }

  return {
    putClass: (type, json, how) => put('Class', type, json, how),
    putObject: (type, json, how) => put('Object', type, json, how),
    addMessage: (type, classId, message) => add('Class', type, classId, message),
    addObjectMessage: (type, objectId, message) => add('Object', type, objectId, message),
    callbackKeys: createCallbackKeys({ url: options.callbackKeysUrl, timeoutMs, log, now }),
  };
}

/** The end of the attempts: what another request is changing is left to a later one. */
function settled(judgement: Authorized): GoogleResult {
  return judgement.kind === 'taken' ? { ...judgement, kind: 'later', afterMs: 1_000 } : judgement;
}

/**
 * What a PATCH says besides the change so that phones announce it. Google forgets it after the request, so it belongs
 * into each one; generic passes have no such member, and refuse it. Only changes of certain fields are announced, such
 * as a balance of points, never those of text modules: those need a message.
 */
function notifyPreference(type: GoogleCardType, notify: boolean): { notifyPreference?: 'NOTIFY_ON_UPDATE' } {
  return notify && type !== 'generic' ? { notifyPreference: 'NOTIFY_ON_UPDATE' } : {};
}
