import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** The network between browsers and a service, which fails when a test wants it to. */
export interface FaultProxy {
  readonly url: string;
  /** Loses every connection, and takes no new ones. */
  isDown: boolean;
  /** The requests that the service has carried out and whose answers get lost on their way back. */
  losesAnswer: (method: string, path: string) => boolean;
  /** What answers instead of the service; null for what the service answers. */
  instead: (method: string, path: string) => { status: number; headers: Record<string, string> } | null;
  /** What a text answer becomes on its way. */
  changes: (path: string, text: string) => string;
  /** How far the clock of this world is ahead: the answers' `Date` says so. */
  aheadMs: number;
  /** The requests that arrived, as `POST /v1/loyalty/points`. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** Starts it on a port, before a service on another one. */
export async function startFaultProxy(port: number, servicePort: () => number): Promise<FaultProxy> {
  const proxy: FaultProxy = {
    url: `http://localhost:${port}`,
    isDown: false,
    losesAnswer: () => false,
    instead: () => null,
    changes: (_path, text) => text,
    aheadMs: 0,
    seen: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((asked, answer) => {
    pass(proxy, servicePort(), asked, answer).catch(() => asked.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  return proxy;
}

async function pass(
  proxy: FaultProxy,
  port: number,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { method = '', url: path = '', headers } = asked;
  const body = await bytesOf(asked);
  if (proxy.isDown) throw new Error('the network is down');
  proxy.seen.push(`${method} ${path}`);
  const instead = proxy.instead(method, path);
  if (instead !== null) {
    answer.writeHead(instead.status, instead.headers).end('instead of the service');
    return;
  }
  // Whole answers, which can be changed.
  const { 'accept-encoding': _, 'if-none-match': __, ...plain } = headers;
  const there = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers: plain }, resolve).on('error', reject).end(body);
  });
  const answered = await bytesOf(there);
  if (proxy.isDown || proxy.losesAnswer(method, path)) throw new Error('the answer is lost');
  const isText = /^text\//.test(there.headers['content-type'] ?? '');
  const sent = isText ? Buffer.from(proxy.changes(path, answered.toString())) : answered;
  const length =
    method === 'HEAD' || there.statusCode === 304 ? {} : { 'content-length': String(sent.length) };
  const date = new Date(Date.now() + proxy.aheadMs).toUTCString();
  const { 'transfer-encoding': ___, ...kept } = there.headers;
  answer.writeHead(there.statusCode ?? 502, { ...kept, ...length, date }).end(sent);
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
