import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from './event-stream.ts';

test('events are written as the standard has them, whatever the data holds', async () => {
  const stream = new EventStream(() => undefined);
  stream.begin(1_234.5, { event: 'first', id: '7', data: 'a\nb\r\nc\rd' }, { event: 'second', data: '' });
  stream.end();
  assert.equal(
    Buffer.concat(await stream.body.toArray()).toString(),
    'retry: 1235\n\nevent: first\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\nevent: second\ndata: \n\n',
  );
});

test('a comment is sent only behind what was taken', async () => {
  const stream = new EventStream(() => undefined);
  stream.begin(1);
  stream.beat();
  assert.equal(stream.body.read()?.toString(), 'retry: 1\n\n');
  stream.beat();
  assert.equal(stream.body.read()?.toString(), ':\n\n');
});

test('a client that takes what it gets is sent everything', async () => {
  let taken = '';
  const stream = new EventStream(() => undefined);
  stream.begin(1);
  stream.body.pipe(
    new Writable({
      write(chunk, _encoding, done) {
        taken += chunk;
        done();
      },
    }),
  );
  for (let count = 0; count < 100; count++) {
    await sleep(0);
    stream.send({ event: 'tick', data: 'x'.repeat(20_000) });
  }
  await sleep(10);
  assert.equal(taken.split('event: tick').length - 1, 100);
  assert.ok(stream.isOpen);
});

test('a client that stops reading is cut off, and the rest is not kept for it', async () => {
  let closed = 0;
  const stream = new EventStream(() => {
    closed += 1;
  });
  stream.begin(1);
  // It takes the first piece and never comes back for more.
  const deaf = new Writable({ highWaterMark: 1, write: () => undefined });
  stream.body.pipe(deaf);
  let sent = 0;
  while (stream.isOpen && sent < 100) {
    await sleep(0);
    stream.send({ event: 'tick', data: 'x'.repeat(20_000) });
    sent += 1;
  }
  await sleep(0);
  assert.ok(sent <= 3, `${sent} events were taken in`);
  assert.equal(closed, 1);
  stream.send({ event: 'late', data: '' });
  stream.end();
});

test('what is said after the end is passed over', async () => {
  const stream = new EventStream(() => undefined);
  stream.end();
  stream.begin(1, { event: 'late', data: '' });
  stream.send({ event: 'late', data: '' });
  stream.end();
  assert.deepEqual(await stream.body.toArray(), []);
});
