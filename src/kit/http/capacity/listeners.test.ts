import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { openListeners } from './listeners.ts';

const isShared = process.platform === 'linux';
const limits = { timeout: 60_000 };
const HELLO = 'GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** An application that listens; it ends with the test, and so do its connections. */
async function listening(t: TestContext, host = '127.0.0.1') {
  const app = fastify();
  const sockets: Socket[] = [];
  const answer = Promise.withResolvers<string>();
  const asked: string[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  app.get('/hello', () => 'hello');
  app.get('/held', ({ ip }) => {
    asked.push(ip);
    return answer.promise;
  });
  const listeners = await openListeners(app, { host, port: 0 }, assert.fail);
  let closed: Promise<unknown> | undefined;
  const close = () => {
    closed ??= Promise.all([app.close(), listeners.close()]);
    return closed;
  };
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    return close();
  });
  return { app, port: listeners.port, sockets, asked, answer, close };
}

/** What a server answers on a connection of its own. */
async function ask(port: number, address: string, request: string): Promise<string> {
  const socket = connect(port, address);
  await once(socket, 'connect');
  socket.write(request);
  let answer = '';
  for await (const bytes of socket) answer += bytes;
  return answer;
}

test('many who connect at once are let in within a few turns of the loop', {
  ...limits,
  skip: !isShared,
}, async (t) => {
  const { app, port, sockets } = await listening(t);
  let turn = 0;
  const turns = new Set<number>();
  let timer = setImmediate(function next() {
    turn += 1;
    timer = setImmediate(next);
  });
  t.after(() => clearImmediate(timer));
  app.server.on('connection', () => turns.add(turn));
  const clients = Array.from({ length: 160 }, () => connect(port, '127.0.0.1'));
  t.after(() => {
    for (const client of clients) client.destroy();
  });
  while (sockets.length < clients.length) await sleep(5);
  assert.ok(turns.size < 80, `${turns.size} turns for ${clients.length} connections`);
});

test('whichever socket accepts it, a connection is served, and closing waits for it', limits, async (t) => {
  const { port, asked, answer, close } = await listening(t);
  const asking = Array.from({ length: 40 }, () => ask(port, '127.0.0.1', HELLO.replace('hello', 'held')));
  while (asked.length < asking.length) await sleep(5);
  let isClosed = false;
  const closed = close().then(() => {
    isClosed = true;
  });
  await assert.rejects(ask(port, '127.0.0.1', HELLO), { code: 'ECONNREFUSED' });
  assert.equal(isClosed, false);
  answer.resolve('served');
  for (const one of await Promise.all(asking)) assert.match(one, /^HTTP\/1\.1 200 .*served$/s);
  await closed;
});

test('a port that is in use is refused, also when the other one shares it', limits, async (t) => {
  const { port } = await listening(t);
  await assert.rejects(openListeners(fastify(), { host: '127.0.0.1', port }, assert.fail), {
    code: 'EADDRINUSE',
    port,
  });
});

test('a server on the addresses of localhost is reached at each, and shares none', limits, async (t) => {
  const { port } = await listening(t, 'localhost');
  for (const { address } of await lookup('localhost', { all: true })) {
    for (let n = 0; n < 40; n++) assert.match(await ask(port, address, HELLO), /^HTTP\/1\.1 200 /, address);
    await assert.rejects(openListeners(fastify(), { host: address, port }, assert.fail), {
      code: 'EADDRINUSE',
    });
  }
});

test('where a socket cannot listen, none does', limits, async (t) => {
  // Every socket takes a file descriptor, and so many there are not.
  const program = `
    import { fastify } from 'fastify';
    import { openListeners } from ${JSON.stringify(import.meta.resolve('./listeners.ts'))};
    const app = fastify();
    try {
      await openListeners(app, { host: '127.0.0.1', port: 0 }, console.error);
      process.exit();
    } catch (error) {
      console.log(error.code);
    }
    // It ends by itself when nothing listens.
    await app.close();
  `;
  const said = new Set<string>();
  for (let most = 20; most < 60; most += 4) {
    const child = spawn(
      'bash',
      ['-c', `ulimit -n ${most} && exec "$0" --input-type=module -e "$1"`, process.execPath, program],
      { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    t.after(() => child.kill('SIGKILL'));
    said.add((await text(child.stdout)).trim());
  }
  assert.ok(said.has('EMFILE'));
});
