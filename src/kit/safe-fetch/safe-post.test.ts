import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventReceiver } from '../../../tools/fakes/event-receiver.ts';
import { blockedAddresses } from './addresses.fixture.ts';
import { FetchRefused } from './safe-fetch.ts';
import { createSafePost } from './safe-post.ts';

const common = { userAgent: 'Lab', mostBytes: 10, totalMs: 30_000 };
const local = { ...common, allow: ['127.0.0.1/32'], allowsHttp: true };
const poster = createSafePost(local);
const receiver = await EventReceiver.start();
after(() => receiver.close());

const post = (url = receiver.url, signal = new AbortController().signal) =>
  poster.post(url, { key: 'a', headers: { 'x-test': '1' }, body: '{"a":1}', signal });
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const refused = (reason: string) => (error: unknown) =>
  error instanceof FetchRefused && error.reason === reason;

describe('createSafePost', () => {
  it('posts JSON and answers status and the first bytes, whatever the status', async () => {
    receiver.answering = (response) =>
      response.writeHead(503, { 'retry-after': '7' }).end('0123456789abcdef');
    const { status, retryAfter, beginning } = await post();
    assert.deepEqual([status, retryAfter, beginning.toString()], [503, '7', '0123456789']);
    const [{ headers, body }] = receiver.received.splice(0) as [(typeof receiver.received)[number]];
    assert.deepEqual(
      [body, headers['x-test'], headers['content-type']],
      ['{"a":1}', '1', 'application/json'],
    );
    assert.equal(headers['content-length'], '7');
  });

  it('uses a connection again, also after a body that is longer than what is shown', async () => {
    receiver.answering = (response) => response.writeHead(200).end('x'.repeat(10_000));
    await post();
    const { connections } = receiver;
    for (let time = 0; time < 5; time++) await post();
    assert.equal(receiver.connections, connections);
  });

  it('sends on no connection that its server has closed after an answer, without a word of it', async () => {
    const server = createServer((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
    );
    const url = await listen(server);
    for (let time = 0; time < 50; time++) assert.equal((await post(url)).beginning.toString(), 'ok');
    const many = await Promise.all(Array.from({ length: 100 }, () => post(url)));
    assert.ok(many.every(({ status }) => status === 200));
    server.close();
  });

  it('leaves a connection on which it was answered before all of it was sent', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
    });
    const url = await listen(server);
    const message = {
      key: 'a',
      headers: {},
      body: 'x'.repeat(20_000_000),
      signal: new AbortController().signal,
    };
    for (let time = 0; time < 3; time++) assert.equal((await poster.post(url, message)).status, 413);
    assert.equal(connections, 3);
    const closed = once(server, 'close');
    server.close();
    await closed;
  });

  it('has 32 connections to a host at most; others wait for these', async () => {
    const all = Promise.withResolvers<void>();
    receiver.answering = async (response) => {
      if (receiver.underWay.now === 32) all.resolve();
      await all.promise;
      // For one more to arrive.
      await sleep(20);
      response.writeHead(200).end();
    };
    receiver.underWay.most = 0;
    const answers = await Promise.all(Array.from({ length: 100 }, () => post()));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(receiver.underWay.most, 32);
  });

  it('ends in time without a status, and soon after one', async () => {
    receiver.answering = 'hang';
    const impatient = createSafePost({ ...local, totalMs: 300 });
    const message = { key: 'a', headers: {}, body: '{}', signal: new AbortController().signal };
    await assert.rejects(impatient.post(receiver.url, message), refused('timeout'));
    receiver.answering = (response) => response.writeHead(200).write('slow');
    const { status, beginning } = await post();
    assert.deepEqual([status, beginning.toString()], [200, 'slow']);
    receiver.answering = (response) => response.writeHead(200).end('x'.repeat(5_000_000));
    assert.equal((await post()).beginning.length, 10);
  });

  it('is ended by its caller', async () => {
    receiver.answering = 'hang';
    const caller = new AbortController();
    const gone = new Error('gone');
    const posting = post(receiver.url, caller.signal);
    caller.abort(gone);
    await assert.rejects(posting, gone);
  });

  it('is ended with all others of one signal, also while it waits for an answer', async () => {
    receiver.received.length = 0;
    receiver.answering = 'hang';
    const caller = new AbortController();
    const gone = new Error('gone');
    const posting = Array.from({ length: 40 }, () => assert.rejects(post(receiver.url, caller.signal), gone));
    while (receiver.received.length < 32) await sleep(5);
    caller.abort(gone);
    await Promise.all(posting);
    await assert.rejects(post(receiver.url, caller.signal), gone);
    receiver.answering = 204;
    assert.equal((await post()).status, 204);
  });

  it('sends nothing to a port where another protocol is spoken, and says which it is', async () => {
    for (const port of [1, 22, 25, 587, 6000, 6667, 10080, 3306, 5432, 6379, 9200, 11211, 27017]) {
      const says = (error: unknown) =>
        refused('unreachable')(error) && String(error).includes(`port ${port}:`);
      await assert.rejects(poster.check(`http://127.0.0.1:${port}/`), says);
      await assert.rejects(post(`http://127.0.0.1:${port}/`), says);
      await assert.rejects(poster.check(`http://nobody.invalid:${port}/`), says);
      // Of what is not public nothing else is said.
      await assert.rejects(poster.check(`http://10.0.0.1:${port}/`), refused('blocked_host'));
    }
    for (const port of [80, 443, 8080, 8443]) await poster.check(`http://127.0.0.1:${port}/`);
  });

  it('refuses http unless it is allowed, and what is not public', async () => {
    const strict = createSafePost({ ...common, allow: [], allowsHttp: false });
    await assert.rejects(strict.check('http://example.com/'), refused('invalid_url'));
    for (const { address } of blockedAddresses.filter((one) => !one.address.includes('%'))) {
      const host = address.includes(':') ? `[${address}]` : address;
      await assert.rejects(strict.check(`https://${host}/`), refused('blocked_host'), address);
      const message = { key: 'a', headers: {}, body: '{}', signal: new AbortController().signal };
      await assert.rejects(strict.post(`https://${host}/`, message), refused('blocked_host'), address);
    }
    await strict.check('https://8.8.8.8/');
  });
});
