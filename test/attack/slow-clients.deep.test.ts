import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePass, tally } from '../factories.ts';
import { startTestApp } from '../harness.ts';

/** With the limits that an installation has: 10 s for headers, 30 s for a request, and again to take the answer. */
const app = await startTestApp();
const { client } = await app.newWorkspace();
const { passId } = await makePass(client);
const port = Number(new URL(app.url).port);

const head = `Host: a\r\nAuthorization: Bearer ${client.secret}\r\n`;
const get = `GET /v1/openapi.json HTTP/1.1\r\n${head}\r\n`;
const post = `Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;

/** What each does at first, and what it sends once a second from then on. */
const ways = {
  'sends headers without end': [`GET /v1/me HTTP/1.1\r\nHost: a\r\n`, 'X-A: b\r\n'],
  'sends headers in pieces': ['G', 'E'],
  'sends a body byte by byte': [`POST /v1/passes HTTP/1.1\r\n${head}${post}`, 'a'],
  'sends a body to a page byte by byte': [
    `POST /apple/v1/log HTTP/1.1\r\nHost: a\r\n${post.replace('100000', '1000')}`,
    'a',
  ],
  'sends a stream byte by byte': [
    `POST /v1/passes/${passId}/barcodes HTTP/1.1\r\n${head}Content-Type: text/csv\r\nContent-Length: 100000\r\n\r\nbarcode\n`,
    'a',
  ],
  'takes no answer': [get.repeat(40), ''],
} as const;

const connections = 500;
/** Each of these asks for more than the system's buffers hold, and all of that counts as load. */
const readers = 30;
/** Each limit is over by then. */
const limitsMs = 50_000;
/** A machine that has other things to do notices much later; who was not cut off never does. */
const longestMs = 240_000;

it('500 slow clients are cut off in time, and an honest one does not notice them', {
  timeout: longestMs + 60_000,
}, async () => {
  const kinds = Object.keys(ways) as (keyof typeof ways)[];
  const slow = Array.from({ length: connections }, (_, n) => {
    const kind = (n < readers ? null : kinds[n % (kinds.length - 1)]) ?? 'takes no answer';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    if (kind !== 'takes no answer') socket.resume();
    socket.write(ways[kind][0]);
    return { kind, socket };
  });
  const startedAt = performance.now();
  const isHeld = ({ socket }: (typeof slow)[number]) => !socket.closed;
  const drip = setInterval(() => {
    for (const { kind, socket } of slow)
      if (socket.writable && ways[kind][1] !== '') socket.write(ways[kind][1]);
  }, 1_000);

  const seen: number[] = [];
  let most = 0;
  while (slow.some(isHeld) && performance.now() - startedAt < longestMs) {
    most = Math.max(most, slow.filter(isHeld).length);
    seen.push((await client.get('/me')).status);
    seen.push((await client.post(`/passes/${passId}/instances`, {})).status === 201 ? 200 : 500);
    // A paused socket does not notice that it was closed.
    if (performance.now() - startedAt > limitsMs) for (const { socket } of slow) socket.resume();
    await sleep(50);
  }
  clearInterval(drip);
  const left = tally(slow.filter(isHeld).map(({ kind }) => kind));
  for (const { socket } of slow) socket.destroy();
  assert.deepEqual(left, {}, 'connections that were not closed');
  assert.equal(most, connections, 'all of them were held at a time');
  assert.deepEqual(Object.keys(tally(seen)), ['200']);
  assert.equal(app.running.app.isDraining(), false);
});
