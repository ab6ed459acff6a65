import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Agent as UndiciAgent } from 'undici';
import { newUuidV7 } from '../src/kit/ids.ts';
import { newSigningSecret, signingKey, signMessage } from '../src/webhooks/sign-message.ts';

export type BareClient = 'undici' | 'node:http';

export const bareClients: readonly BareClient[] = ['undici', 'node:http'];

/** Signs and posts this many messages to each port, over this many connections, and does nothing else; posts a second. */
export async function postBare(
  name: BareClient,
  ports: readonly number[],
  { events, connections }: { readonly events: number; readonly connections: number },
): Promise<number> {
  const key = signingKey(newSigningSecret());
  const body = JSON.stringify({ type: 'points.awarded', data: { data: 'x'.repeat(500) } });
  const client = clients[name](connections);
  const began = performance.now();
  const lanes = ports.flatMap((port) =>
    Array.from({ length: connections }, async (_, lane) => {
      for (let sent = lane; sent < events; sent += connections)
        await client.post(port, signedHeaders(key, body), body);
    }),
  );
  await Promise.all(lanes);
  const ms = performance.now() - began;
  await client.close();
  return (events * ports.length) / (ms / 1_000);
}

function signedHeaders(key: KeyObject, body: string): Record<string, string> {
  const id = newUuidV7();
  const seconds = Math.floor(Date.now() / 1_000);
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signMessage([key], { id, seconds, body }),
  };
}

interface Client {
  post(port: number, headers: Record<string, string>, body: string): Promise<void>;
  close(): unknown;
}

const clients: Readonly<Record<BareClient, (connections: number) => Client>> = {
  undici(connections: number): Client {
    const agent = new UndiciAgent({ connections, pipelining: 1 });
    return {
      async post(port, headers, body) {
        const origin = `http://127.0.0.1:${port}`;
        const answer = await agent.request({ origin, path: '/', method: 'POST', headers, body });
        await answer.body.dump();
      },
      close: () => agent.close(),
    };
  },
  'node:http'(connections: number): Client {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    return {
      async post(port, headers, body) {
        const sent = request({ agent, host: '127.0.0.1', port, path: '/', method: 'POST', headers });
        sent.end(body);
        const [answer] = await once(sent, 'response');
        answer.resume();
        await once(answer, 'end');
      },
      close: () => agent.destroy(),
    };
  },
};
