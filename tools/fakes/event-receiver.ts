import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A message as it arrived. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** The answer: a status, or by a function; 'hang': nothing, ever. */
export type Answering = number | 'hang' | ((response: ServerResponse, message: ReceivedMessage) => void);

interface Options {
  readonly port?: number;
  /** Speaks https with these; http without. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A receiver of events, which keeps what it gets. */
export class EventReceiver {
  readonly received: ReceivedMessage[] = [];
  /** What it answers. */
  answering: Answering = 204;
  /** Called for each message, before it is answered. */
  onMessage: (message: ReceivedMessage) => void = () => undefined;
  /** How many connections were opened to it. */
  connections = 0;
  /** How many messages it is at, at the moment and at most. */
  readonly underWay = { now: 0, most: 0 };
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';

  private constructor({ tls }: Options) {
    const answer = (request: IncomingMessage, response: ServerResponse) => this.#take(request, response);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
    this.#server.on('connection', () => {
      this.connections += 1;
    });
  }

  static async start(options: Options = {}): Promise<EventReceiver> {
    const receiver = new EventReceiver(options);
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject);
      receiver.#server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/events`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.underWay.now += 1;
    this.underWay.most = Math.max(this.underWay.most, this.underWay.now);
    response.once('close', () => {
      this.underWay.now -= 1;
    });
    // The sender may go away at any time.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    let body = '';
    request.setEncoding('utf8');
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return;
    }
    const message = { headers: request.headers, body, path: request.url ?? '/', at: performance.now() };
    this.received.push(message);
    this.onMessage(message);
    const { answering } = this;
    if (answering === 'hang') return;
    if (typeof answering === 'function') answering(response, message);
    else response.writeHead(answering).end();
  }
}
