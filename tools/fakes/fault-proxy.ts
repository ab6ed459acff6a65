import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The outcome of a request: `none`; the connection ends before the service gets the request, or after it has processed it;
 * no answer comes; a proxy on the way refuses; the answer is cut off, with or without an error of the connection.
 */
export const faults = [
  'none',
  'dropped before',
  'dropped after',
  'no answer',
  'overloaded',
  'rate limited',
  'bad gateway',
  'cut off',
  'cut off unnoticed',
  'failed, retryable',
] as const;

export type Fault = (typeof faults)[number] | { readonly status: number; readonly body: object };

/** A request as it has arrived at the proxy. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A proxy in front of a service that fails on demand: each request takes the next fault of the plan. */
export class FaultProxy {
  readonly arrivals: Arrival[] = [];
  /** Faults of the next requests; afterwards all goes well. */
  plan: Fault[] = [];
  readonly #server: Server;
  readonly #target: string;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.plan.shift() ?? 'none';
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    this.arrivals.push({ method, path, headers, body: body.toString() });
    if (typeof fault === 'object') return json(response, fault.status, fault.body);
    if (fault === 'dropped before') return void request.socket.destroy();
    if (fault === 'bad gateway')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
    const requestId = String(headers['x-request-id']);
    if (fault === 'overloaded' || fault === 'rate limited') {
      const [status, code] = fault === 'overloaded' ? [503, 'overloaded'] : [429, 'rate_limited'];
      return json(response, status, { error: 'Not now.', code, requestId }, { 'retry-after': '2' });
    }
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = headers;
    const answer = await fetch(`${this.#target}${path}`, {
      method,
      headers: sent as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const answered = Buffer.from(await answer.arrayBuffer());
    const half = answered.subarray(0, answered.length / 2);
    const {
      'content-length': _____,
      'transfer-encoding': ______,
      // It was unpacked on the way.
      'content-encoding': _______,
      ...kept
    } = Object.fromEntries(answer.headers);
    switch (fault) {
      case 'dropped after':
        return void request.socket.destroy();
      case 'no answer':
        // The client gives up.
        return;
      case 'failed, retryable':
        return json(response, 500, { error: 'Again.', code: 'internal_error', requestId, retryable: true });
      case 'cut off':
        response.writeHead(answer.status, { ...kept, 'content-length': answered.length });
        response.write(half);
        return void setImmediate(() => request.socket.destroy());
      case 'cut off unnoticed':
        return void response.writeHead(answer.status, { ...kept, connection: 'close' }).end(half);
      default:
        response.writeHead(answer.status, kept).end(answered);
    }
  }
}

function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
