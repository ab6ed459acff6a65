import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { type Google, startGoogle } from '../../../tools/fakes/google.ts';
import type { GoogleCard, GoogleDesign, GoogleResource } from './card.ts';
import { createGoogleWallet } from './google.client.ts';
import { type GoogleResult, type GoogleWallet, KeysUnavailable } from './google-wallet.ts';
import { fallbackLogoUrl, field, plainCard, plainDesign } from './sample-card.fixture.ts';
import { parseServiceAccount } from './service-account.ts';
import { walletClass } from './wallet-class.ts';
import { walletObject } from './wallet-object.ts';

const start = new Date('2026-08-01T12:00:00Z').getTime();
const silently = { exists: true, notify: false } as const;
const anew = { exists: false, notify: false } as const;
const loudly = { exists: true, notify: true } as const;

let clock: number;
let google: Google;
let wallet: GoogleWallet;
let permits: number;
let logged: string;

beforeEach(async () => {
  clock = start;
  permits = 0;
  logged = '';
  google = await startGoogle({ now: () => new Date(clock) });
  wallet = openWallet();
});

afterEach(() => google.close());

function openWallet(change: Partial<Parameters<typeof createGoogleWallet>[0]> = {}): GoogleWallet {
  return createGoogleWallet({
    baseUrl: google.url,
    callbackKeysUrl: google.keysUrl,
    serviceAccount: parseServiceAccount(google.serviceAccountJson),
    beforeRequest: async () => {
      permits++;
    },
    now: () => new Date(clock),
    timeoutMs: 20_000,
    log: pino({ level: 'trace' }, { write: (line: string) => (logged += line) }),
    ...change,
  });
}

function classOf(change: Partial<GoogleDesign> = {}): GoogleResource {
  return walletClass({ ...plainDesign, ...change }, fallbackLogoUrl);
}

function objectOf(card: Partial<GoogleCard> = {}, design: Partial<GoogleDesign> = {}): GoogleResource {
  return walletObject({ ...plainCard, ...card }, { ...plainDesign, ...design });
}

/** The requests to the Wallet API since the last call, such as `PATCH loyaltyObject`. */
function sent(): string[] {
  const requests = google.requests.slice(seen).filter(({ endpoint }) => endpoint === 'api');
  seen = google.requests.length;
  return requests.map(({ method, path }) => `${method} ${path.split('/')[3]}`);
}
let seen = 0;
beforeEach(() => {
  seen = 0;
});

function count(endpoint: 'token' | 'keys' | 'api'): number {
  return google.requests.filter((request) => request.endpoint === endpoint).length;
}

/** A class and an object, there before anything else happens. */
async function prepare(design: Partial<GoogleDesign> = {}): Promise<void> {
  const type = design.type ?? 'loyalty';
  assert.deepEqual(await wallet.putClass(type, classOf(design), anew), { kind: 'done' });
  assert.deepEqual(await wallet.putObject(type, objectOf({}, design), anew), { kind: 'done' });
  sent();
}

describe('putClass and putObject', () => {
  it('insert what is new and change what exists, with one request each', async () => {
    await prepare();
    await wallet.putClass('loyalty', classOf({ title: 'Tea Club' }), silently);
    await wallet.putObject('loyalty', objectOf({ holderName: 'Ada' }), silently);
    assert.deepEqual(sent(), ['PATCH loyaltyClass', 'PATCH loyaltyObject']);
    const stored = google.find('loyaltyObject', plainCard.objectId);
    assert.equal(stored?.accountName, 'Ada');
    assert.equal(google.find('loyaltyClass', plainDesign.classId)?.programName, 'Tea Club');
    assert.equal(google.find('loyaltyClass', plainDesign.classId)?.reviewStatus, 'APPROVED');
  });

  it('find their way when the caller is mistaken', async () => {
    assert.deepEqual(await wallet.putClass('loyalty', classOf(), silently), { kind: 'done' });
    assert.deepEqual(sent(), ['PATCH loyaltyClass', 'POST loyaltyClass']);
    assert.deepEqual(await wallet.putObject('loyalty', objectOf(), silently), { kind: 'done' });
    assert.deepEqual(sent(), ['PATCH loyaltyObject', 'POST loyaltyObject']);
    assert.deepEqual(await wallet.putObject('loyalty', objectOf({ accountId: '7' }), anew), { kind: 'done' });
    assert.deepEqual(sent(), ['POST loyaltyObject', 'PATCH loyaltyObject']);
    assert.equal(google.find('loyaltyObject', plainCard.objectId)?.accountId, '7');
  });

  it('know every type by its path', async () => {
    for (const type of ['coupon', 'eventTicket', 'giftCard', 'generic'] as const) await prepare({ type });
    assert.ok(google.find('offerObject', plainCard.objectId));
    assert.ok(google.find('genericClass', plainDesign.classId));
  });

  it('clear what the card has no more', async () => {
    const design = { fields: [field({ key: 'tier' })] };
    const barcode = { format: 'qr', value: '4711', altText: '47 11' } as const;
    await wallet.putClass('loyalty', classOf(design), anew);
    await wallet.putObject('loyalty', objectOf({ barcode, values: { tier: 'Gold' } }, design), anew);
    await wallet.putObject('loyalty', objectOf({ barcode: { ...barcode, altText: null } }, design), silently);
    const stored = google.find('loyaltyObject', plainCard.objectId);
    assert.deepEqual(stored?.barcode, { type: 'QR_CODE', value: '4711' });
    assert.deepEqual(stored?.textModulesData, []);
    await wallet.putObject('loyalty', objectOf({}, design), silently);
    assert.equal(google.find('loyaltyObject', plainCard.objectId)?.barcode, undefined);
  });

  it('say when the class of an object is missing', async () => {
    for (const how of [anew, silently]) {
      const result = await wallet.putObject('loyalty', objectOf(), how);
      assert.deepEqual(result, {
        kind: 'missing',
        reason: `404 classNotFound Wallet Object Class ${plainDesign.classId} not found.`,
      });
    }
    assert.deepEqual(sent(), ['POST loyaltyObject', 'PATCH loyaltyObject', 'POST loyaltyObject']);
  });

  it('say why Google refuses something, and do not try again', async () => {
    await prepare();
    const { programName: _, ...nameless } = classOf({ classId: `${google.issuerId}.other` });
    const result = await wallet.putClass('loyalty', nameless as GoogleResource, anew);
    assert.equal(result.kind, 'refused');
    assert.match(result.kind === 'refused' ? result.reason : '', /^400 badRequest .*programName/);
    assert.deepEqual(sent(), ['POST loyaltyClass']);
  });
});

describe('notifications', () => {
  it('are asked for in each change, and only where the type knows them', async () => {
    await prepare();
    await wallet.putObject('loyalty', objectOf(), loudly);
    await prepare({ type: 'generic' });
    assert.deepEqual(await wallet.putObject('generic', objectOf({}, { type: 'generic' }), loudly), {
      kind: 'done',
    });
    const bodies = google.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    assert.deepEqual(
      bodies.map((body) => (body as Record<string, unknown>).notifyPreference),
      ['NOTIFY_ON_UPDATE', undefined],
    );
  });

  it('end after three in 24 hours: the change can then be made silently', async () => {
    await prepare();
    const points = (balance: string) =>
      objectOf({ points: { label: 'Points', balance } }, { showsPoints: true });
    for (const balance of ['1', '2', '3'])
      assert.deepEqual(await wallet.putObject('loyalty', points(balance), loudly), { kind: 'done' });
    assert.deepEqual(await wallet.putObject('loyalty', points('4'), loudly), { kind: 'quota' });
    const shown = () => google.find('loyaltyObject', plainCard.objectId)?.loyaltyPoints;
    assert.deepEqual(shown(), { label: 'Points', balance: { string: '3' } });
    assert.deepEqual(await wallet.putObject('loyalty', points('4'), silently), { kind: 'done' });
    assert.deepEqual(shown(), { label: 'Points', balance: { string: '4' } });
    clock += 86_400_001;
    assert.deepEqual(await wallet.putObject('loyalty', points('5'), loudly), { kind: 'done' });
  });

  it('are not to be confused with other quotas', async () => {
    await prepare();
    const quota = { status: 403, reason: 'quotaExceeded', message: 'Quota exceeded.' };
    google.fail({ outcome: quota });
    assert.equal((await wallet.putObject('loyalty', objectOf(), silently)).kind, 'later');
    google.fail({ outcome: { ...quota, reason: 'rateLimitExceeded' } });
    assert.equal((await wallet.putObject('loyalty', objectOf(), loudly)).kind, 'later');
    google.fail({
      outcome: { status: 400, reason: 'badRequest', message: 'QuotaExceededException: used up' },
    });
    assert.equal((await wallet.putObject('loyalty', objectOf(), loudly)).kind, 'quota');
  });
});

describe('addMessage', () => {
  const message = { header: 'Hello', body: 'Two for one today', id: 'm-1' };

  it('adds a message to all cards of a class, silently or not', async () => {
    await prepare();
    const { classId } = plainDesign;
    await wallet.addMessage('loyalty', classId, { ...message, notify: true });
    await wallet.addMessage('loyalty', classId, { ...message, id: 'm-2', notify: false });
    const messages = () => google.find('loyaltyClass', classId)?.messages;
    const both = [
      { ...message, messageType: 'TEXT_AND_NOTIFY' },
      { ...message, id: 'm-2', messageType: 'TEXT' },
    ];
    assert.deepEqual(messages(), both);
    // A later change leaves messages alone.
    await wallet.putClass('loyalty', classOf({ title: 'Tea' }), silently);
    assert.deepEqual(messages(), both);
  });

  it('may notify three times', async () => {
    await prepare();
    const add = (notify: boolean) =>
      wallet.addMessage('loyalty', plainDesign.classId, { ...message, notify });
    for (let time = 0; time < 3; time++) assert.deepEqual(await add(true), { kind: 'done' });
    assert.deepEqual(await add(true), { kind: 'quota' });
    assert.deepEqual(await add(false), { kind: 'done' });
  });

  it('says when there is no such class', async () => {
    const result = await wallet.addMessage('loyalty', plainDesign.classId, { ...message, notify: true });
    assert.equal(result.kind, 'missing');
    assert.deepEqual(sent(), ['POST loyaltyClass']);
  });
});

describe('access tokens', () => {
  it('come with one request, however many ask at once', async () => {
    const puts = Array.from({ length: 50 }, (_, at) => {
      const classId = `${google.issuerId}.pass-${at}`;
      return wallet.putClass('loyalty', classOf({ classId }), anew);
    });
    for (const result of await Promise.all(puts)) assert.deepEqual(result, { kind: 'done' });
    assert.equal(count('token'), 1);
    assert.equal(count('api'), 50);
  });

  it('are kept until a minute before they expire', async () => {
    await prepare();
    clock += 3_538_000;
    await wallet.putObject('loyalty', objectOf(), silently);
    assert.equal(count('token'), 1);
    clock += 1_000;
    await wallet.putObject('loyalty', objectOf(), silently);
    assert.equal(count('token'), 2);
  });

  it('are renewed once when Google no longer accepts them', async () => {
    await prepare();
    google.revokeTokens();
    const puts = Array.from({ length: 50 }, () => wallet.putObject('loyalty', objectOf(), silently));
    for (const result of await Promise.all(puts)) assert.deepEqual(result, { kind: 'done' });
    assert.equal(count('token'), 2);
    assert.ok(sent().length <= 100);
  });

  it('that are refused again mean that the account is not set up', async () => {
    await prepare();
    google.fail({ times: 2, outcome: { status: 401, reason: 'authError', message: 'Invalid Credentials' } });
    assert.deepEqual(await wallet.putObject('loyalty', objectOf(), silently), {
      kind: 'misconfigured',
      reason: '401 authError Invalid Credentials',
    });
    assert.equal(sent().length, 2);
    assert.equal(count('token'), 2);
  });

  it('do not come to an account that Google does not know', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const serviceAccount = { ...parseServiceAccount(google.serviceAccountJson), privateKey };
    const result = await openWallet({ serviceAccount }).putClass('loyalty', classOf(), anew);
    assert.equal(result.kind, 'misconfigured');
    assert.match(
      result.kind === 'misconfigured' ? result.reason : '',
      /token endpoint answered 400 invalid_grant/,
    );
    assert.equal(count('api'), 0);
  });

  it('may fail to come: then nothing is sent, and the next caller asks again', async () => {
    const outcomes = [
      { status: 503, retryAfter: '9' },
      { status: 200, text: '<html>' },
      { status: 200, text: '{"access_token":"a\\nb","expires_in":3600}' },
      'cut',
    ] as const;
    const results: GoogleResult[] = [];
    for (const outcome of outcomes) {
      google.fail({ on: 'token', outcome });
      results.push(await wallet.putClass('loyalty', classOf(), anew));
    }
    const later = (reason: string, afterMs = 5_000) => ({ kind: 'later', reason, afterMs });
    assert.deepEqual(results, [
      later('503 backendError Scripted.', 9_000),
      later('the token endpoint gave no token'),
      later('the token endpoint gave no token'),
      later('the request failed: UND_ERR_SOCKET'),
    ]);
    assert.equal(count('api'), 0);
    assert.deepEqual(await wallet.putClass('loyalty', classOf(), anew), { kind: 'done' });
  });

  it('are written nowhere', async () => {
    await prepare();
    google.revokeTokens();
    await wallet.putObject('loyalty', objectOf(), silently);
    assert.match(logged, /does not accept the access token/);
    assert.doesNotMatch(logged, /ya29|eyJ|PRIVATE/);
  });
});

describe('failures', () => {
  it('each have their result, after one request', async () => {
    await prepare();
    const inTwoMinutes = new Date(clock + 120_000).toUTCString();
    const cases = [
      [
        { status: 429, retryAfter: '7' },
        { kind: 'later', afterMs: 7_000 },
      ],
      [{ status: 429 }, { kind: 'later', afterMs: 5_000 }],
      [{ status: 500 }, { kind: 'later', afterMs: 5_000 }],
      [
        { status: 503, retryAfter: '0' },
        { kind: 'later', afterMs: 1_000 },
      ],
      [
        { status: 503, retryAfter: '86400' },
        { kind: 'later', afterMs: 3_600_000 },
      ],
      [
        { status: 503, retryAfter: 'soon' },
        { kind: 'later', afterMs: 5_000 },
      ],
      [{ status: 408 }, { kind: 'later', afterMs: 5_000 }],
      [{ status: 409 }, { kind: 'later', afterMs: 1_000 }],
      [{ status: 403, reason: 'permissionDenied' }, { kind: 'misconfigured' }],
      [
        { status: 400, text: 'no JSON' },
        { kind: 'refused', reason: '400' },
      ],
      [
        { status: 400, text: '{"error":null}' },
        { kind: 'refused', reason: '400' },
      ],
      [{ status: 413 }, { kind: 'refused' }],
      ['cut', { kind: 'later', reason: 'the request failed: UND_ERR_SOCKET' }],
    ] as const;
    for (const [outcome, expected] of cases) {
      google.fail({ outcome });
      const result = await wallet.putObject('loyalty', objectOf(), silently);
      assert.deepEqual({ ...result, ...expected }, result, JSON.stringify(outcome));
      assert.equal(sent().length, 1, JSON.stringify(outcome));
    }
    google.fail({ outcome: { status: 503, retryAfter: inTwoMinutes } });
    const dated = await wallet.putObject('loyalty', objectOf(), silently);
    assert.ok(dated.kind === 'later' && dated.afterMs > 118_000 && dated.afterMs <= 120_000);
  });

  it('include redirects, which nothing follows with a token', async () => {
    await prepare();
    google.fail({ outcome: { status: 307, location: google.keysUrl } });
    const result = await wallet.putObject('loyalty', objectOf(), silently);
    assert.equal(result.kind, 'misconfigured');
    assert.equal(count('keys'), 0);
  });

  it('may come after the deed: a repetition mends it', async () => {
    google.fail({ outcome: 'cut after' });
    assert.equal((await wallet.putClass('loyalty', classOf(), anew)).kind, 'later');
    assert.ok(google.find('loyaltyClass', plainDesign.classId));
    sent();
    assert.deepEqual(await wallet.putClass('loyalty', classOf(), anew), { kind: 'done' });
    assert.deepEqual(sent(), ['POST loyaltyClass', 'PATCH loyaltyClass']);
  });

  it('to answer in time are failures as well', async () => {
    const impatient = openWallet({ timeoutMs: 500 });
    const tooLate = { kind: 'later', reason: 'no answer within 500 ms', afterMs: 5_000 };
    google.fail({ on: 'token', outcome: 'silence' });
    assert.deepEqual(await impatient.putClass('loyalty', classOf(), anew), tooLate);
    assert.equal(count('api'), 0);
    for (const outcome of ['silence', { delayMs: 800 }] as const) {
      google.fail({ outcome });
      assert.deepEqual(await impatient.putClass('loyalty', classOf(), anew), tooLate);
      assert.equal(sent().length, 1);
    }
  });

  it('of a Google that is gone last no longer than the time-out', async () => {
    await prepare();
    const impatient = openWallet({ timeoutMs: 500 });
    google.isBlackHole = true;
    const results = await Promise.all(
      Array.from({ length: 20 }, () => impatient.putObject('loyalty', objectOf(), silently)),
    );
    for (const { kind } of results) assert.equal(kind, 'later');
    google.isBlackHole = false;
    assert.deepEqual(await wallet.putObject('loyalty', objectOf(), silently), { kind: 'done' });
    await google.close();
    const closed = await wallet.putObject('loyalty', objectOf(), silently);
    assert.ok(closed.kind === 'later');
    assert.match(closed.reason, /^the request failed: [A-Z_]+$/);
  });

  it('with a long or hostile text are reported in a short line', async () => {
    await prepare();
    const message = `a\r\nb\u001b[31m${'ü'.repeat(5_000)}`;
    google.fail({ outcome: { status: 400, reason: 'badRequest', message } });
    const long = await wallet.putObject('loyalty', objectOf(), silently);
    assert.ok(long.kind === 'refused' && /^400 badRequest a b \[31mü+$/.test(long.reason));
    assert.ok(long.kind === 'refused' && long.reason.length === 300);
    google.fail({ outcome: { status: 400, text: `{"error":{"message":"${'x'.repeat(1_000_000)}"}}` } });
    assert.deepEqual(await wallet.putObject('loyalty', objectOf(), silently), {
      kind: 'refused',
      reason: '400',
    });
    google.fail({ outcome: { status: 200, text: 'x'.repeat(1_000_000) } });
    assert.deepEqual(await wallet.putObject('loyalty', objectOf(), silently), { kind: 'done' });
  });
});

describe("the caller's limit", () => {
  it('is asked before each request to the Wallet API, and before no other', async () => {
    await prepare();
    await wallet.putClass('loyalty', classOf({ classId: `${google.issuerId}.other` }), silently);
    await wallet.callbackKeys();
    google.revokeTokens();
    await wallet.putObject('loyalty', objectOf(), silently);
    assert.equal(permits, 6);
    assert.equal(count('api'), 6);
  });

  it('holds requests back, and those that wait for the first token as well', async () => {
    const waiting: (() => void)[] = [];
    const held = openWallet({ beforeRequest: () => new Promise((resolve) => waiting.push(resolve)) });
    google.fail({ on: 'token', outcome: { delayMs: 100 } });
    const puts = Array.from({ length: 3 }, () => held.putClass('loyalty', classOf(), anew));
    while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(count('token'), 1);
    assert.equal(count('api'), 0);
    waiting.shift()?.();
    await Promise.race(puts);
    assert.equal(count('api'), 1);
    const release = setInterval(() => waiting.shift()?.(), 5).unref();
    for (const result of await Promise.all(puts)) assert.deepEqual(result, { kind: 'done' });
    clearInterval(release);
  });

  it('may refuse: its error is the result', async () => {
    const closed = openWallet({ beforeRequest: () => Promise.reject(new Error('closed')) });
    await assert.rejects(closed.putClass('loyalty', classOf(), anew), /^Error: closed$/);
    assert.equal(count('api'), 0);
  });
});

describe('callbackKeys', () => {
  it('are fetched once an hour', async () => {
    const [first] = await Promise.all([wallet.callbackKeys(), wallet.callbackKeys()]);
    assert.equal(first.length, 1);
    clock += 3_599_999;
    await wallet.callbackKeys();
    assert.equal(count('keys'), 1);
    clock += 1;
    await wallet.callbackKeys();
    assert.equal(count('keys'), 2);
  });

  it('are fetched afresh when asked for, but not at every call', async () => {
    await wallet.callbackKeys();
    google.rotateKeys({ keepsOld: true });
    assert.equal((await wallet.callbackKeys()).length, 1);
    assert.equal((await wallet.callbackKeys(true)).length, 2);
    google.rotateKeys({ keepsOld: true });
    for (let call = 0; call < 20; call++) assert.equal((await wallet.callbackKeys(true)).length, 2);
    assert.equal(count('keys'), 2);
    clock += 10_000;
    assert.equal((await wallet.callbackKeys(true)).length, 3);
  });

  it('of before are used while no others can be had, until they expire', async () => {
    await wallet.callbackKeys();
    google.fail({ on: 'keys', times: 10, outcome: { status: 503 } });
    clock += 3_600_000;
    assert.equal((await wallet.callbackKeys()).length, 1);
    assert.match(logged, /call-back keys cannot be fetched.*/);
    await wallet.callbackKeys();
    assert.equal(count('keys'), 2, 'it is not asked again at once');
    clock += 60_000;
    await wallet.callbackKeys();
    assert.equal(count('keys'), 3);
    clock += 366 * 86_400_000;
    await assert.rejects(wallet.callbackKeys(), KeysUnavailable);
  });

  it('that cannot be had at all are an error, and asked for again', async () => {
    google.fail({ on: 'keys', outcome: 'silence' });
    const impatient = openWallet({ timeoutMs: 500 });
    await assert.rejects(impatient.callbackKeys(), /KeysUnavailable: .*no answer within 500 ms/);
    google.fail({ on: 'keys', outcome: { status: 200, text: '{"keys":[]}' } });
    await assert.rejects(wallet.callbackKeys(), KeysUnavailable);
    assert.equal((await wallet.callbackKeys()).length, 1);
  });
});
