import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from './raw-client.fixture.ts';
import { startTestApp } from './test-app.fixture.ts';

const HELLO = 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HELD = 'POST /held HTTP/1.1\r\nHost: localhost\r\n\r\n';
const limits = { timeout: 30_000 };

test(
  'a request in flight on a kept connection completes, and the connection closes after it',
  limits,
  async () => {
    const app = await startTestApp();
    const client = new RawClient(app.port);
    client.send(HELLO);
    assert.equal((await client.answer())?.headers.connection, 'keep-alive');
    client.send(HELD);
    await app.held(1);
    app.server.drain();
    assert.equal(app.server.isDraining, true);
    const closed = app.server.close();
    await sleep(1_000);
    app.release();
    const answer = await client.answer();
    assert.equal(answer?.status, 200);
    assert.equal(answer?.headers.connection, 'close');
    assert.deepEqual(JSON.parse(answer?.body ?? ''), { held: true });
    assert.equal(await client.end(), '');
    await closed;
  },
);

test(
  'while draining requests are still served, each with Connection: close, errors too',
  limits,
  async () => {
    const app = await startTestApp();
    const kept = new RawClient(app.port);
    kept.send(HELLO);
    assert.equal((await kept.answer())?.status, 200);
    app.server.drain();
    for (const [client, bytes, status] of [
      [kept, HELLO, 200],
      [new RawClient(app.port), HELLO, 200],
      [new RawClient(app.port), HELLO.replace('hello', 'nope'), 404],
      [new RawClient(app.port), HELLO.replace('hello', '%zz'), 400],
      [new RawClient(app.port), 'garbage\r\n\r\n', 400],
    ] as const) {
      client.send(bytes);
      const answer = await client.answer();
      assert.equal(answer?.status, status);
      assert.equal(answer?.headers.connection, 'close');
      assert.ok(answer?.headers['x-request-id']);
      assert.equal(await client.end(), '');
    }
    await app.server.close();
  },
);

test('requests sent ahead on one connection are all answered, the last one closes it', limits, async () => {
  const app = await startTestApp();
  const client = new RawClient(app.port);
  client.send(HELD);
  await app.held(1);
  const closed = app.server.close();
  client.send(HELD);
  await app.held(2);
  app.release();
  const answers = [await client.answer(), await client.answer()];
  assert.deepEqual(
    answers.map((answer) => [answer?.status, answer?.headers.connection]),
    [
      [200, 'keep-alive'],
      [200, 'close'],
    ],
  );
  assert.equal(await client.end(), '');
  await closed;
});

test('closing refuses new connections and drops idle ones at once', limits, async () => {
  const app = await startTestApp();
  const idle = new RawClient(app.port);
  idle.send(HELLO);
  await idle.answer();
  const silent = new RawClient(app.port);
  const halfway = new RawClient(app.port);
  halfway.send('GET /hello HTTP/1.1\r\nHo');
  await sleep(50);
  const before = performance.now();
  await app.server.close();
  // Far below the time-outs of 10 s for headers and 72 s for idle connections.
  assert.ok(performance.now() - before < 5_000);
  assert.equal(await idle.end(), '');
  assert.equal(await silent.end(), '');
  assert.equal(await halfway.end(), '');
  const late = new RawClient(app.port);
  late.send(HELLO);
  assert.equal(await late.answer(), null);
});

test(
  'a handler that hangs and a client that stalls do not keep the server from closing',
  limits,
  async () => {
    const app = await startTestApp({ timeouts: { closeMs: 300 } });
    const hanging = new RawClient(app.port);
    hanging.send(HELD);
    const stalling = new RawClient(app.port);
    stalling.send(
      'POST /items HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    );
    const deaf = new RawClient(app.port);
    deaf.socket.pause();
    deaf.send('GET /big HTTP/1.1\r\nHost: a\r\n\r\n');
    await app.held(1);
    assert.ok((await app.server.close()) >= 2);
    assert.equal(await hanging.answer(), null);
    assert.equal(await stalling.answer(), null);
    deaf.destroy();
    app.release();
  },
);

test('closing ends streams in good order', limits, async () => {
  const app = await startTestApp();
  const client = new RawClient(app.port);
  client.send('GET /stream/endless HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.seen('tick');
  await app.server.close();
  // Complete, that is with its last chunk: an answer cut off would be null.
  const answer = await client.answer();
  assert.equal(answer?.status, 200);
  assert.match(answer?.body ?? '', /data: tick/);
  assert.equal(app.errors.length, 0);
});

test('closing lets a body that has an end come to it, and never ends it early', limits, async () => {
  for (const [closeMs, rows] of [
    [10_000, 5],
    [60, null],
  ] as const) {
    const app = await startTestApp({ timeouts: { closeMs } });
    const client = new RawClient(app.port);
    client.send('GET /table HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.seen('row 1');
    await app.server.close();
    const answer = await client.answer();
    assert.equal(answer === null ? null : answer.body.match(/row/g)?.length, rows);
  }
});

test('closing twice is harmless', limits, async () => {
  const app = await startTestApp();
  await Promise.all([app.server.close(), app.server.close()]);
  await app.server.close();
});
