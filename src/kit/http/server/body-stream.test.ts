import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { ApiError } from '../api-error.ts';
import { type Endpoint, type Input, route } from '../endpoints/endpoint.ts';
import { RawClient } from './raw-client.fixture.ts';
import { startTestApp, type TestApp, type TestCtx } from './test-app.fixture.ts';

const limit = 1_000_000;
const Csv = Type.String({ contentMediaType: 'text/csv' });
const Numbers = Type.Object({ numbers: Type.Array(Type.Integer()) }, { additionalProperties: false });
const Answer = Type.Object({}, { additionalProperties: true });

/** What the handlers have met, in order. */
const met: string[] = [];
const gate = Promise.withResolvers<void>();

function uploads(op: string, handle: (body: Readable) => Promise<unknown>, parts: object = {}) {
  const endpoint: Endpoint<TestCtx> = {
    op,
    tag: 'Test',
    summary: op,
    body: Csv,
    accepts: { 'text/csv': 'stream' },
    bodyLimit: limit,
    answers: { 200: Answer },
    errors: [],
    async handle(_ctx, { body }: Input) {
      try {
        return { status: 200, body: await handle(body as Readable) };
      } catch (error) {
        met.push(`${op}: ${error instanceof ApiError ? error.code : String(error)}`);
        throw error;
      }
    },
    ...parts,
  };
  return route(`POST /${op}`, 'public', endpoint);
}

async function hashed(body: Readable) {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    hash.update(chunk);
  }
  return { length, hash: hash.digest('hex') };
}

const routes = [
  uploads('whole', hashed),
  uploads('slowly', async (body) => {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      await sleep(2);
    }
    return { length };
  }),
  uploads('first', async (body) => {
    for await (const chunk of body) return { first: String(chunk).slice(0, 5) };
    return {};
  }),
  uploads('unread', async () => ({ read: false })),
  uploads('refused', async () => {
    throw new ApiError(409, 'conflict', 'No.');
  }),
  uploads('late', async (body) => {
    await gate.promise;
    return hashed(body);
  }),
  uploads('optional', hashed, { body: Type.Optional(Csv) }),
  uploads('either', async (body) => (body instanceof Readable ? hashed(body) : { json: body }), {
    body: Type.Union([Numbers, Csv]),
  }),
];

let app: TestApp;
before(async () => {
  app = await startTestApp({ routes, timeouts: { checkMs: 50 } });
});
after(() => app.server.close());

const head = (op: string, headers: string) => `POST /${op} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const csv = 'Content-Type: text/csv\r\n';
const sized = (op: string, body: string) => head(op, `${csv}Content-Length: ${body.length}\r\n`) + body;
const chunked = (op: string) => head(op, `${csv}Transfer-Encoding: chunked\r\n`);
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const end = '0\r\n\r\n';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

/** The same connection still serves. */
async function assertServes(client: RawClient): Promise<void> {
  client.send(sized('whole', 'a\n'));
  const answer = await client.answer();
  assert.equal(answer?.status, 200);
  assert.equal(JSON.parse(answer?.body ?? '').length, 2);
  client.destroy();
}

const long = 'x'.repeat(limit);

describe('a body as a stream', { timeout: 60_000 }, () => {
  const whole: [string, string][] = [
    ['with a length', sized('whole', long)],
    ['in chunks', chunked('whole') + chunk(long.slice(0, 7)) + chunk(long.slice(7)) + end],
    ['read slowly', sized('slowly', long)],
    ['where it may be left out', sized('optional', long)],
    ['where JSON is taken too', sized('either', long)],
  ];
  for (const [what, bytes] of whole) {
    test(`arrives whole ${what}`, async () => {
      const client = new RawClient(app.port);
      client.send(bytes);
      const answer = await client.answer();
      assert.equal(answer?.status, 200);
      const { length, hash } = JSON.parse(answer?.body ?? '');
      assert.equal(length, limit);
      if (hash !== undefined) assert.equal(hash, createHash('sha256').update(long).digest('hex'));
      await assertServes(client);
    });
  }

  test('is asked for only when it is read', async () => {
    const client = new RawClient(app.port);
    client.send(head('refused', `${csv}Content-Length: 5\r\nExpect: 100-continue\r\n`));
    assert.equal((await client.answer())?.status, 409);
    assert.equal(client.isContinued, false);
    client.destroy();
    const other = new RawClient(app.port);
    other.send(head('whole', `${csv}Content-Length: 5\r\nExpect: 100-continue\r\n`));
    await other.seen('100 Continue');
    other.send('12345');
    assert.equal((await other.answer())?.status, 200);
    other.destroy();
  });

  const passedOver: [string, string, number][] = [
    ['nothing of it', 'unread', 200],
    ['its beginning only', 'first', 200],
    ['nothing of it, and refuses', 'refused', 409],
  ];
  for (const [what, op, status] of passedOver) {
    test(`leaves the connection usable when the handler reads ${what}`, async () => {
      for (const bytes of [sized(op, long), chunked(op) + chunk(long) + end]) {
        const client = new RawClient(app.port);
        client.send(bytes);
        assert.equal((await client.answer())?.status, status);
        await assertServes(client);
      }
    });
  }

  test('is refused over the limit, unread where its length is declared, and the connection goes on', async () => {
    met.length = 0;
    for (const bytes of [sized('whole', `${long}x`), chunked('whole') + chunk(`${long}x`) + end]) {
      const client = new RawClient(app.port);
      client.send(bytes);
      const answer = await client.answer();
      assert.equal(answer?.status, 413);
      assert.equal(JSON.parse(answer?.body ?? '').code, 'request_too_large');
      await assertServes(client);
    }
    assert.deepEqual(met, ['whole: request_too_large']);
  });

  test('is refused when it is empty and required', async () => {
    for (const bytes of [sized('whole', ''), chunked('whole') + end]) {
      const client = new RawClient(app.port);
      client.send(bytes);
      const answer = await client.answer();
      assert.equal(answer?.status, 400);
      assert.match(answer?.body ?? '', /no body/);
      await assertServes(client);
    }
    const client = new RawClient(app.port);
    client.send(chunked('optional') + end);
    assert.equal((await client.answer())?.status, 200);
    client.destroy();
  });

  test('ends with an error in the handler when the client breaks it off', async () => {
    met.length = 0;
    app.infos.length = 0;
    const client = new RawClient(app.port);
    client.send(chunked('whole') + chunk('abc'));
    await sleep(50);
    client.socket.resetAndDestroy();
    const other = new RawClient(app.port);
    other.send(chunked('whole') + chunk('abc'));
    other.socket.end();
    assert.equal((await other.answer())?.status, 400);
    await until(() => met.length === 2);
    assert.deepEqual(met, ['whole: invalid_request', 'whole: invalid_request']);
    await until(() => app.server.inFlight === 0);
    assert.deepEqual(app.infos.map(({ status }) => status).sort(), [400, 499]);
    assert.equal(app.errors.length, 0);
  });

  test('ends with an error too when the client has gone before it is read', async () => {
    met.length = 0;
    const client = new RawClient(app.port);
    client.send(chunked('late') + chunk('abc'));
    await sleep(50);
    client.destroy();
    await sleep(50);
    gate.resolve();
    await until(() => met.length === 1);
    assert.deepEqual(met, ['late: invalid_request']);
    await until(() => app.server.inFlight === 0);
  });

  test('ends with an error when its chunks are malformed', async () => {
    met.length = 0;
    const client = new RawClient(app.port);
    client.send(`${chunked('whole') + chunk('abc')}zz\r\n`);
    const answer = await client.answer();
    assert.equal(answer?.status, 400);
    assert.match(answer?.body ?? '', /size of a body chunk/);
    await until(() => met.length === 1);
    await until(() => app.server.inFlight === 0);
  });

  test('that arrives too slowly is answered 408, and the handler ends', async (t) => {
    const own = await startTestApp({ routes, timeouts: { requestMs: 3_000, checkMs: 50 } });
    t.after(() => own.server.close());
    met.length = 0;
    const client = new RawClient(own.port);
    client.send(chunked('whole'));
    const drip = setInterval(() => client.send(chunk('a')), 100);
    const answer = await client.answer();
    clearInterval(drip);
    assert.equal(answer?.status, 408);
    assert.equal(JSON.parse(answer?.body ?? '').code, 'request_timeout');
    await until(() => met.length === 1);
    await until(() => own.server.inFlight === 0);
    assert.deepEqual(
      own.infos.map(({ status, code }) => [status, code]),
      [[408, 'request_timeout']],
    );
  });

  test('is not taken for JSON, nor JSON for it', async () => {
    const client = new RawClient(app.port);
    const json = (body: string) =>
      head('either', `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`) + body;
    client.send(json('{"numbers":[1,2]}'));
    assert.deepEqual(JSON.parse((await client.answer())?.body ?? ''), { json: { numbers: [1, 2] } });
    client.send(json('{"numbers":["1"]}'));
    assert.equal((await client.answer())?.status, 400);
    client.send(json('"1,2"'));
    assert.equal((await client.answer())?.status, 400);
    client.send(`${head('either', 'Content-Type: text/plain\r\nContent-Length: 1\r\n')}1`);
    const answer = await client.answer();
    assert.equal(answer?.status, 415);
    assert.match(answer?.body ?? '', /application\/json or text\/csv/);
    client.send(`${head('whole', 'Content-Type: application/json\r\nContent-Length: 2\r\n')}{}`);
    assert.equal((await client.answer())?.status, 415);
    client.destroy();
  });
});
