import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Input, route } from '../endpoints/endpoint.ts';
import { RawClient } from '../server/raw-client.fixture.ts';
import type { HttpServerOptions } from '../server/server.ts';
import { startTestApp, type TestApp, type TestCtx } from '../server/test-app.fixture.ts';

const limits = { timeout: 120_000 };
/** So many requests without a key wait at a time from one address, if a byte of their bodies has come. */
const mostOfAddress = 1_023;

/** No sender is late, so that only the room is too small. */
const patient = { timeouts: { bodyMs: 100_000, requestMs: 100_000 } };

const JSON_TYPE = 'Content-Type: application/json\r\n';
const head = (line: string, length: number, headers = JSON_TYPE) =>
  `${line} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${length}\r\n\r\n`;
const stalled = `${head('POST /items', 60_000)}{`;
const key = (name: string) => `Authorization: Bearer ${name}\r\n${JSON_TYPE}`;
const hello = 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n';

/** Runs `use` against an application of its own. */
async function withApp(
  overrides: Partial<HttpServerOptions<TestCtx>>,
  use: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await startTestApp(overrides);
  try {
    await use(app);
  } finally {
    app.release();
    await app.server.close();
  }
}

/** A connection that has sent these bytes. */
function send(app: TestApp, bytes: string): RawClient {
  const client = new RawClient(app.port);
  client.send(bytes);
  return client;
}

function sendMany(app: TestApp, count: number, bytes: string): RawClient[] {
  return Array.from({ length: count }, () => send(app, bytes));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

async function codeOf(client: RawClient): Promise<string> {
  const answer = await client.answer();
  return `${answer?.status} ${JSON.parse(answer?.body ?? '{}').code} ${answer?.headers.connection}`;
}

const late = '408 request_timeout close';

/** The same address is served, whole and in two pieces. */
async function assertServes(app: TestApp): Promise<void> {
  const client = send(app, hello);
  assert.equal((await client.answer())?.status, 200);
  client.send(head('POST /items', 12));
  await sleep(20);
  client.send('{"name":"a"}');
  assert.equal((await client.answer())?.status, 200);
  client.destroy();
}

describe('a body that does not come', limits, () => {
  test('is given up and its connection closed; one that has come fast enough so far is not', () =>
    withApp({ timeouts: { bodyMs: 500, checkMs: 50 } }, async (app) => {
      const body = JSON.stringify({ name: 'a' }).padEnd(60_000);
      const sure = send(app, head('POST /items', body.length) + body.slice(0, 50_000));
      const ways = [
        stalled,
        head('POST /items', 10),
        `POST /items HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
        `DELETE /items/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ];
      for (const client of ways.map((bytes) => send(app, bytes))) {
        assert.equal(await codeOf(client), late);
        assert.equal(await client.end(), '');
      }
      sure.send(body.slice(50_000));
      assert.equal((await sure.answer())?.status, 200);
      sure.destroy();
      await until(() => app.infos.length === 5);
      assert.deepEqual(app.infos.map(({ status }) => status).sort(), [200, 408, 408, 408, 408]);
      assert.equal(app.server.inFlight, 0);
    }));

  test('does not keep open the connection of a request that was answered without it', () =>
    withApp({ timeouts: { bodyMs: 500, checkMs: 50 } }, async (app) => {
      const ways: readonly (readonly [bytes: string, status: number])[] = [
        [head('GET /hello', 9), 400],
        [head('DELETE /items/1', 9, 'Content-Type: text/plain\r\n'), 400],
        [head('POST /nope', 9), 404],
        [head('PUT /items', 9), 405],
        [head('POST /items', 9, 'Content-Type: text/plain\r\n'), 415],
        [head('POST /items', 9_000_000), 413],
        [head('POST /items', 9, key('bad')), 401],
        [head('POST /items', 9, `X-Limit: reached\r\n${JSON_TYPE}`), 429],
        [head('GET /items/%zz', 9), 400],
        [head('POST /hello', 9, `Expect: something\r\n${JSON_TYPE}`), 417],
        [head('POST /items', 9, `Connection: close\r\n${key('bad')}`), 401],
      ];
      for (const [bytes, status] of ways) {
        const client = send(app, bytes);
        assert.equal((await client.answer())?.status, status, bytes);
        assert.equal(await client.end(), '', bytes);
      }
      await until(() => app.infos.length === ways.length);
    }));

  test('is no load: others are served however many wait, and a slot is asked for when it is there', () =>
    withApp({ maxInFlight: 5 }, async (app) => {
      const waiting = [
        ...sendMany(app, 20, stalled),
        ...sendMany(app, 20, head('POST /items', 60_000, `Connection: close\r\n${key('bad')}`)),
        ...sendMany(app, 20, head('POST /nope', 60_000, `Connection: close\r\n`)),
      ];
      for (let n = 0; n < 20; n++) await assertServes(app);
      assert.equal(app.server.inFlight <= 1, true);
      for (const client of waiting) client.destroy();
      await until(() => app.server.inFlight === 0);
    }));

  test('is refused soon when the server closes, which waits for no other request', () =>
    withApp({ timeouts: { closeMs: 60_000 } }, async (app) => {
      const client = send(app, stalled);
      const quick = send(app, head('POST /items', 12));
      while (app.server.waiting < 2) await sleep(5);
      quick.send('{"name":"a"}');
      const closed = app.server.close();
      assert.equal((await quick.answer())?.status, 200);
      assert.equal(await codeOf(client), late);
      assert.equal(await closed, 0);
    }));
});

describe('the room for bodies that do not come', limits, () => {
  test('is bounded by address: the oldest goes first, and who is quick finds room', () =>
    withApp(patient, async (app) => {
      const first = sendMany(app, 50, stalled);
      await until(() => app.server.waiting === 50);
      const others = sendMany(app, mostOfAddress, stalled);
      for (const client of first) assert.equal(await codeOf(client), late);
      assert.equal(app.server.waiting, mostOfAddress);
      await assertServes(app);
      for (const client of others) client.destroy();
      await until(() => app.server.waiting === 0);
    }));

  test('is bounded for requests that were answered, too', () =>
    withApp(patient, async (app) => {
      const first = sendMany(app, 50, head('POST /nope', 9));
      for (const client of first) assert.equal((await client.answer())?.status, 404);
      const others = sendMany(app, mostOfAddress, stalled);
      for (const client of first) assert.equal(await client.end(), '');
      assert.equal(others.filter(({ closed }) => closed).length, 0);
      for (const client of others) client.destroy();
      await until(() => app.server.waiting === 0);
    }));

  test('is given back by connections that close, and by bodies that come after all, answered or not', () =>
    withApp(patient, async (app) => {
      const body = '{"name":"a"}';
      for (let round = 0; round < 4; round++) {
        const gone = [...sendMany(app, 300, stalled), ...sendMany(app, 300, head('POST /nope', 9))];
        for (const client of gone.slice(300)) assert.equal((await client.answer())?.status, 404);
        await until(() => app.server.waiting === 300);
        for (const client of gone) client.destroy();
        await until(() => app.server.waiting === 0);
      }
      const kept = sendMany(app, 300, head('POST /nope', body.length));
      for (let round = 0; round < 4; round++)
        for (const client of kept) {
          assert.equal((await client.answer())?.status, 404);
          client.send(body + head('POST /nope', body.length));
        }
      assert.equal(kept.filter(({ closed }) => closed).length, 0);
      for (const client of kept) client.destroy();
    }));

  test('is apart for callers who are known: strangers take none of it', () =>
    withApp(patient, async (app) => {
      const body = '{"name":"a"}';
      const quiet = send(app, head('POST /items', body.length, key('quiet')));
      await until(() => app.server.waiting === 1);
      const strangers = [
        ...sendMany(app, mostOfAddress + 50, stalled),
        ...sendMany(app, 50, head('POST /items', 60_000, key('bad'))),
      ];
      await until(() => strangers.filter(({ closed }) => closed).length >= 90);
      quiet.send(body);
      assert.equal((await quiet.answer())?.status, 200);
      quiet.destroy();
      for (const client of strangers) client.destroy();
      await until(() => app.server.waiting === 0);
    }));

  test('is bounded in bytes: a caller that sends most of a large body and stops loses other requests of its own', () =>
    withApp(patient, async (app) => {
      const length = 1_000_000;
      const most = ' '.repeat(length - 12);
      const clients: RawClient[] = [];
      // 32 MiB are for one address.
      for (let n = 0; n < 40; n++) {
        const client = send(app, head('POST /items', length) + most);
        await until(() => client.socket.writableLength === 0);
        clients.push(client);
      }
      await until(() => clients.filter(({ closed }) => closed).length >= 8);
      const [first, last] = [clients.at(0), clients.at(-1)];
      assert.ok(first && last);
      assert.equal(await codeOf(first), late);
      last.send('{"name":"a"}');
      assert.equal((await last.answer())?.status, 200);
      for (const client of clients) client.destroy();
    }));
});

describe('a stream', limits, () => {
  /** Reads a piece, and takes its time. */
  const reader = (restMs: number) =>
    route('POST /slowly', 'public', {
      op: 'slowly',
      tag: 'Test',
      summary: 'slowly',
      accepts: { 'text/csv': 'stream' },
      answers: { 200: Type.Object({}, { additionalProperties: true }) },
      errors: [],
      async handle(_ctx: TestCtx, { body }: Input) {
        let length = 0;
        for await (const chunk of body as Readable) {
          if (length === 0) await sleep(restMs);
          length += chunk.length;
        }
        return { status: 200, body: { length } };
      },
    });
  const csv = 'Content-Type: text/csv\r\n';

  test('that does not come is given up, and its handler ends', () =>
    withApp({ routes: [reader(0)], timeouts: { bodyMs: 500, checkMs: 50 } }, async (app) => {
      const client = send(app, `${head('POST /slowly', 1_000, csv)}a`);
      assert.equal(await codeOf(client), late);
      await until(() => app.server.inFlight === 0);
      assert.deepEqual(
        app.infos.map(({ status, code }) => [status, code]),
        [[408, 'request_timeout']],
      );
    }));

  test('is not called late because its reader is', () =>
    withApp({ routes: [reader(2_500)], timeouts: { bodyMs: 1_000, checkMs: 20 } }, async (app) => {
      const length = 1_000_000;
      const client = send(app, head('POST /slowly', length, csv) + 'a'.repeat(length));
      const answer = await client.answer();
      assert.equal(answer?.status, 200, answer?.body);
      assert.deepEqual(JSON.parse(answer?.body ?? ''), { length });
      client.destroy();
    }));

  test('takes room while it is waited for, and is no load', () =>
    withApp({ ...patient, routes: [reader(0)], maxInFlight: 5 }, async (app) => {
      const first = sendMany(app, 20, `${head('POST /slowly', 1_000, csv)}a`);
      await until(() => app.server.waiting === 20);
      assert.equal(app.server.inFlight, 0);
      const others = sendMany(app, mostOfAddress, `${head('POST /slowly', 1_000, csv)}a`);
      for (const client of first) assert.equal(await codeOf(client), late);
      for (const client of others) client.destroy();
      await until(() => app.server.waiting === 0);
    }));
});
