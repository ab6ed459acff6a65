import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { assertRefused, type Client, type Json, type Reply } from '../../../test/client.ts';
import { inParallel } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { errorForLog } from '../../kit/telemetry/log.ts';
import { trimAppleLogs } from '../trim-expired.job.ts';
import { Device, type LockedCard, takeNewCards } from './device.fixture.ts';

const logged: string[] = [];
const log = pino(
  { level: 'trace', serializers: { err: errorForLog } },
  { write: (line) => logged.push(line) },
);
const app = await startTestApp({ WORKERS: 'off', TRUST_PROXY: '127.0.0.1' }, log);
const passType = app.running.app.apple.passTypeIdentifier;
let client: Client;
let card: LockedCard;
let device: Device;
before(async () => {
  ({ client } = await app.newWorkspace());
});
beforeEach(async () => {
  await app.sql('delete from apple_logs');
  [card] = await takeNewCards(app, client, 1);
  device = new Device(app);
  await device.register(card);
});

let address = 0;
/** A client address that was not used before. */
function fresh(): { headers: { 'x-forwarded-for': string } } {
  address += 1;
  return { headers: { 'x-forwarded-for': `198.51.${address >> 8}.${address & 255}` } };
}

async function report(lines: readonly unknown[], from = fresh()): Promise<Reply> {
  const reply = await app.anyone.post('/apple/v1/log', { logs: lines }, from);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.text, '');
  return reply;
}

async function reported({ instanceId }: LockedCard): Promise<string[]> {
  const { body } = await client.get(`/instances/${instanceId}/timeline?limit=100`);
  const events: Json[] = body.data;
  return events.filter(({ kind }) => kind === 'instance.reported').map(({ message }) => message);
}

async function others(): Promise<string[]> {
  const rows = await app.sql<{ message: string }>('select message from apple_logs order by log_id');
  return rows.map(({ message }) => message);
}

const about = ({ serialNumber }: LockedCard, n: number | string = '') =>
  `[2026-08-11 12:00:00 +0200] Web service error ${n} for ${passType}: Server requested update to serial '${serialNumber}' but the pass was unchanged`;

describe('what devices report', () => {
  it('is on the timeline of the card that it names', async () => {
    await report([about(card, 1), 'Something else went wrong', about(card, 2)]);
    assert.deepEqual((await reported(card)).toReversed(), [about(card, 1), about(card, 2)]);
    assert.deepEqual(await others(), ['Something else went wrong']);
  });

  it('is in the log of the installation when no registered card is named', async () => {
    const [unregistered] = await takeNewCards(app, client, 1);
    await report([about(unregistered), `no card of ours: ${'0'.repeat(52)}`]);
    assert.deepEqual(await reported(unregistered), []);
    assert.equal((await others()).length, 2);
  });

  it('is kept without what could be a secret', async () => {
    const withoutDigits = 'qWeRtYuIopaSdFgHjKlZxCvbNmQwErTy';
    const secrets = [device.id, device.pushToken, card.token, device.id.toUpperCase(), withoutDigits];
    const lines = secrets.map(
      (secret) =>
        `Register task (for device ${secret}, serial number ${card.serialNumber}) encountered error: 500`,
    );
    await report([...lines, ...secrets.map((secret) => `token=${secret}; NSURLErrorCannotConnectToHost`)]);
    const kept = [...(await reported(card)), ...(await others())];
    assert.equal(kept.length, 10);
    for (const secret of secrets) assert.ok(!kept.join().includes(secret), secret);
    const shown = `Register task (for device …, serial number ${card.serialNumber}) encountered error: 500`;
    assert.equal(kept[0], shown);
    assert.equal(kept.at(-1), 'token=…; NSURLErrorCannotConnectToHost');
    await report(['Die Verbindungsherstellung ist misslungen: unknown_error_code, ServiceErrorDomain']);
    assert.equal(
      (await others()).at(-1),
      'Die Verbindungsherstellung ist misslungen: unknown_error_code, ServiceErrorDomain',
    );
  });

  it('is one line of bounded length, whatever comes', async () => {
    await report([`aa\nb\u2028c\td\u0007${'😀'.repeat(2_000)}`, '', '   ', 5, null, {}, ['x']]);
    const [line = '', ...more] = await others();
    assert.deepEqual(more, []);
    // Cut in the middle of the last one.
    assert.match(line, /^aa b c d 😀+\ufffd$/u);
    assert.ok(line.length <= 500);
  });

  it('is read leniently, and refused where it is too long', async () => {
    await report([]);
    const more = { logs: ['one'], other: { unknown: true } };
    assert.equal((await app.anyone.post('/apple/v1/log', more, fresh())).status, 200);
    assert.deepEqual(await others(), ['one']);
    const long = { logs: ['x'.repeat(70_000)] };
    assertRefused(await app.anyone.post('/apple/v1/log', long, fresh()), 'request_too_large');
    const many = { logs: Array.from({ length: 1_001 }, () => 'x') };
    assertRefused(await app.anyone.post('/apple/v1/log', many, fresh()), 'invalid_request', /logs/);
    assertRefused(await app.anyone.post('/apple/v1/log', { logs: 'x' }, fresh()), 'invalid_request', /logs/);
  });
});

describe('a flood of reports (bug 18)', () => {
  it('from one address ends at twenty lines, answered with 200', async () => {
    const from = fresh();
    logged.length = 0;
    const flood = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    await inParallel(10, () => report(flood, from));
    assert.equal((await others()).length, 20);
    const dropped = logged.map((line) => JSON.parse(line)).filter((line) => line.dropped !== undefined);
    assert.equal(
      dropped.reduce((sum, line) => sum + line.dropped, 0),
      280,
    );
    await report(['from elsewhere']);
    assert.equal((await others()).length, 21);
  });

  it('about one card ends at twenty lines an hour', async () => {
    const lines = Array.from({ length: 15 }, (_, n) => about(card, n));
    await inParallel(4, () => report(lines, fresh()));
    assert.equal((await reported(card)).length, 20);
    const [other] = await takeNewCards(app, client, 1);
    await device.register(other);
    await report([about(other), about(card)]);
    assert.deepEqual([(await reported(other)).length, (await reported(card)).length], [1, 20]);
    app.advance(3_600_000);
    await report([about(card)]);
    app.advance(-3_600_000);
    assert.equal((await reported(card)).length, 21);
  });

  it('about many cards from many addresses blocks no device', async () => {
    const cards = await takeNewCards(app, client, 6);
    for (const held of cards) await device.register(held);
    const shuffled = (turn: number) =>
      cards.map((_, at) => about(cards[(at * (turn % 2 === 0 ? 1 : 5)) % 6] as LockedCard));
    await inParallel(12, (turn) => report(shuffled(turn), fresh()));
    for (const held of cards) assert.ok((await reported(held)).length > 0);
  });
});

describe('the log of the installation', () => {
  const ctx = { app: app.running.app, requestId: 'test' };
  const fill = (count: number, daysAgo: number) => {
    const at = Date.now() - daysAgo * 86_400_000;
    const ids = Array.from({ length: count }, (_, n) => newUuidAt(at + n));
    const rows = 'select id, $2, now() from unnest($1::uuid[]) as id';
    return app.sql(`insert into apple_logs (log_id, message, created_at) ${rows}`, [
      ids,
      `${daysAgo} days ago`,
    ]);
  };

  it('keeps the newest 10,000 lines', async () => {
    await fill(16_000, 20);
    await fill(2, 1);
    while (await trimAppleLogs(ctx));
    assert.equal((await others()).length, 10_000);
    assert.equal((await others()).at(-1), '1 days ago');
  });

  it('keeps them for 30 days', async () => {
    await fill(3, 31);
    await fill(2, 29);
    assert.equal(await trimAppleLogs(ctx), false);
    assert.deepEqual(await others(), ['29 days ago', '29 days ago']);
  });

  /** Version 7 of any time: those of the program never go back. */
  function newUuidAt(ms: number): string {
    const time = ms.toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}${newUuidV7().slice(13)}`;
  }
});

describe('the log of the service (bug 19)', () => {
  it('names no device, token or push token, whatever goes wrong', async () => {
    const formerToken = device.pushToken;
    const unknown = { ...card, token: randomBytes(24).toString('base64url') };
    logged.length = 0;
    await device.register(card);
    await device.list('1234567890123456');
    await device.fetch(card);
    await device.fetch(unknown);
    await device.register(unknown);
    await report([`for device ${device.id}`, about(card)]);
    const path = `/apple/v1/devices/${device.id}/registrations/${passType}/${card.serialNumber}`;
    await app.anyone.get(`${path}/more?pushToken=${device.pushToken}`);
    await app.anyone.patch(path, { pushToken: device.pushToken });
    const authorization = { headers: { authorization: `ApplePass ${card.token}` } };
    await app.anyone.post(path, `{"pushToken":"${device.pushToken}",`, authorization);
    await app.sql('alter table apple_devices add constraint none_left check (push_token is null) not valid');
    device.pushToken = 'ef'.repeat(32);
    const failed = await device.register(card);
    await app.sql('alter table apple_devices drop constraint none_left');
    assert.equal(failed.status, 500);
    await device.unregister(card);

    const text = logged.join('\n');
    for (const op of [
      'registerDevice',
      'listChangedSerials',
      'getLatestPass',
      'logDeviceErrors',
      'unregisterDevice',
    ])
      assert.ok(text.includes(`"op":"${op}"`), `${op} was not logged`);
    assert.match(text, /violates check constraint/);
    const tokens = { card: card.token, other: unknown.token, formerToken, pushToken: device.pushToken };
    const secrets = { ...tokens, device: device.id, serialNumber: card.serialNumber };
    for (const [what, secret] of Object.entries(secrets)) assert.ok(!text.includes(secret), what);
  });
});
