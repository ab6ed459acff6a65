import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service-process.ts';

interface Backend {
  readonly url: URL;
  isReady: boolean;
  /** Requests that it was given. */
  given: number;
}

const checkMs = 100;
/** More than the service takes: to refuse it is for the service. */
const maxHeaderSize = 65_536;
/** For so long a request waits for a process to be ready. */
const timeoutMs = 10_000;
/** Of a connection, not of a request: the next one sets its own. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection']);

/**
 * A load balancer like the one in front of an installation: gives requests in turn to the processes whose `/readyz`
 * answers 200, holds them back while none does, keeps its connections, closes nothing that is under way, and tries
 * nothing twice.
 */
export class RoundRobinProxy {
  readonly url: string;
  readonly #backends: Backend[];
  readonly #server = createServer(
    { maxHeaderSize },
    (request, answer) => void this.#forward(request, answer),
  );
  readonly #agent = new Agent({ keepAlive: true });
  readonly #checks: Promise<void>[];
  #next = 0;
  #isClosed = false;

  /** `urls` are those of the processes, which need not run yet. */
  static async start(urls: readonly string[]): Promise<RoundRobinProxy> {
    const port = await freePort();
    const proxy = new RoundRobinProxy(urls, port);
    await new Promise<void>((resolve) => proxy.#server.listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(urls: readonly string[], port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#backends = urls.map((url) => ({ url: new URL(url), isReady: false, given: 0 }));
    // A client's idle connection must not end just when it sends.
    this.#server.keepAliveTimeout = 600_000;
    this.#checks = this.#backends.map((backend) => this.#check(backend));
  }

  /** How many requests each process was given. */
  get given(): readonly number[] {
    return this.#backends.map(({ given }) => given);
  }

  get ready(): number {
    return this.#backends.filter(({ isReady }) => isReady).length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await Promise.all(this.#checks);
  }

  async #check(backend: Backend): Promise<void> {
    while (!this.#isClosed) {
      backend.isReady = await isReady(backend.url);
      await sleep(checkMs);
    }
  }

  /** The next process that is ready; waits a while when none is. */
  async #choose(): Promise<Backend | undefined> {
    for (let waited = 0; waited <= timeoutMs; waited += checkMs) {
      for (let tried = 0; tried < this.#backends.length; tried++) {
        const backend = this.#backends[this.#next++ % this.#backends.length];
        if (backend?.isReady) return backend;
      }
      await sleep(checkMs);
    }
    return undefined;
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const backend = await this.#choose();
    if (backend === undefined) {
      answer.writeHead(503, { 'retry-after': '1' }).end('no process is ready');
      return;
    }
    backend.given++;
    const headers = [...endToEnd(asked), 'x-forwarded-for', asked.socket.remoteAddress ?? ''];
    // Node takes a list of headers as it is and adds none: a body without a length must say that it comes in chunks.
    if (asked.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked');
    const { hostname, port } = backend.url;
    const onward = request({
      agent: this.#agent,
      hostname,
      port,
      method: asked.method ?? 'GET',
      path: asked.url ?? '/',
      headers,
    });
    onward.on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, endToEnd(reply));
      reply.pipe(answer);
      reply.on('error', () => answer.destroy());
    });
    onward.on('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(`the process was lost: ${error.message}`);
    });
    answer.on('close', () => {
      if (!answer.writableFinished) onward.destroy();
    });
    asked.pipe(onward);
  }
}

function endToEnd({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, at) => !hopByHop.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()));
}

function isReady(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    get(new URL('/readyz', url), { agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
