import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { until } from '../../test/wallets.ts';
import { deliveriesOf, emitEvents, makeWebhook, startReceiver, startWebhookApp } from './webhooks.fixture.ts';

const app = await startWebhookApp();

/** A receiver whose answer depends on the path of the message, and on how many its connection has carried before. */
async function startBare(
  answer: (path: string, before: number) => number,
): Promise<{ url: string; sockets: string[][] }> {
  const sockets: string[][] = [];
  const server = createServer((socket: Socket) => {
    const paths: string[] = [];
    sockets.push(paths);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const [, path] = /^POST (\S+) /.exec(bytes.toString()) ?? [];
      if (path === undefined) return;
      paths.push(path);
      socket.write(`HTTP/1.1 ${answer(path, paths.length - 1)} OK\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

describe('a host that several webhooks share', () => {
  it('disables none by what it says on a connection that has carried others', async () => {
    const { client, workspaceId } = await app.newWorkspace();
    const bare = await startBare((_, before) => (before === 0 ? 204 : 410));
    const { webhookId } = await makeWebhook(client, `${bare.url}/hook`);
    for (let round = 1; round <= 3; round++) {
      await emitEvents(app, workspaceId);
      await deliveriesOf(
        client,
        webhookId,
        (all) => all.length === round && all.every(({ status }) => status === 'delivered'),
      );
    }
    assert.equal((await client.get(`/webhooks/${webhookId}`)).body.status, 'active');
  });

  it('gets the messages of two workspaces on connections of their own', async () => {
    const bare = await startBare(() => 204);
    const both = [await app.newWorkspace(), await app.newWorkspace()];
    for (const { client, workspaceId } of both) await makeWebhook(client, `${bare.url}/${workspaceId}`);
    for (let round = 1; round <= 5; round++)
      for (const { workspaceId } of both) {
        await emitEvents(app, workspaceId);
        const its = () => bare.sockets.flat().filter((path) => path === `/${workspaceId}`).length;
        await until('the message', () => its() === round);
      }
    for (const paths of bare.sockets) assert.ok(new Set(paths).size <= 1, paths.join(' '));
  });

  it('is not waited for by others, while it answers one workspace nothing', async () => {
    const receiver = await startReceiver();
    const [silenced, served] = [await app.newWorkspace(), await app.newWorkspace()];
    let silent = 0;
    receiver.answering = (response, { path }) => {
      if (path === '/served') response.writeHead(204).end();
      else silent += 1;
    };
    const { origin } = new URL(receiver.url);
    for (let at = 0; at < 16; at++) await makeWebhook(silenced.client, `${origin}/silent`);
    const { webhookId } = await makeWebhook(served.client, `${origin}/served`);
    await emitEvents(app, silenced.workspaceId, [{}, {}, {}]);
    await until('the silent ones', () => silent === 32);
    await emitEvents(app, served.workspaceId);
    const [delivery] = await deliveriesOf(served.client, webhookId, ([one]) => one?.status === 'delivered');
    assert.equal(delivery?.attempts.length, 1);
    assert.ok(delivery?.attempts[0].milliseconds < 10_000);
  });
});

describe('a URL at a port of another protocol', () => {
  it('is none of a webhook, and says which port it is', async () => {
    const { client } = await app.newWorkspace();
    for (const port of [22, 25, 6379, 5432, 11211, 6667])
      assertRefused(
        await client.post('/webhooks', { url: `https://hooks.example:${port}/`, types: ['*'] }),
        'invalid_request',
        new RegExp(`port ${port}`),
      );
  });
});
