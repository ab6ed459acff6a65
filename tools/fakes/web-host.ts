import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { type Authority, issueServerCertificate } from './authority.ts';

/** What a path does. */
export type WebHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A request that arrived. */
export interface WebRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The server name that the client asked for in the handshake. */
  readonly serverName: string | null;
}

interface Options {
  readonly authority: Authority;
  /** What its certificate is for. */
  readonly hosts: readonly [string, ...string[]];
  readonly address?: string;
  readonly port?: number;
}

/** An HTTPS host on loopback whose paths give the answers set by a test. Records its visitors. */
export class WebHost {
  readonly requests: WebRequest[] = [];
  /** How many connections were made, whatever became of them. */
  connections = 0;
  /** New connections are taken, and never get an answer to their first message: no handshake takes place. */
  isSilent = false;
  readonly #paths = new Map<string, WebHandler>();
  readonly #sockets = new Set<Socket>();
  readonly #https: Server;
  readonly #tcp: TcpServer;

  private constructor({ authority, hosts }: Options) {
    this.#https = createServer(issueServerCertificate(authority, hosts), (request, response) => {
      this.#take(request, response);
    });
    // Clients leave in every way there is.
    this.#https.on('tlsClientError', () => undefined);
    this.#https.on('clientError', (_error, socket) => socket.destroy());
    this.#tcp = createTcpServer((socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      if (this.isSilent) socket.resume();
      else this.#https.emit('connection', socket);
    });
  }

  static async start(options: Options): Promise<WebHost> {
    const host = new WebHost(options);
    const { address = '127.0.0.1', port = 0 } = options;
    await new Promise<void>((resolve, reject) => {
      host.#tcp.once('error', reject);
      host.#tcp.listen(port, address, resolve);
    });
    return host;
  }

  get port(): number {
    return (this.#tcp.address() as AddressInfo).port;
  }

  /** How many connections are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Scripts what a path does, its query left aside; others answer 404. */
  on(path: string, handler: WebHandler): void {
    this.#paths.set(path, handler);
  }

  /** How many requests a path has got. */
  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  /** A handler that resets the connection after this many bytes of its answer. */
  resetAfter(bytes: number): WebHandler {
    return (request, response) => {
      const { remotePort } = request.socket;
      const socket = [...this.#sockets].find((known) => known.remotePort === remotePort);
      response.writeHead(200, { 'content-length': bytes + 1 });
      response.write(Buffer.alloc(bytes), () => socket?.resetAndDestroy());
    };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#tcp.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '/', headers } = request;
    const [path = ''] = url.split('?');
    const { servername } = request.socket as Socket & { servername?: string | false };
    this.requests.push({ method, path: url, headers, serverName: servername || null });
    response.on('error', () => undefined);
    const handler = this.#paths.get(path) ?? status(404);
    handler(request, response);
  }
}

/** Answers with these bytes. */
export function file(bytes: Buffer, headers: Readonly<Record<string, string>> = {}): WebHandler {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);
  };
}

/** Answers with a status and no bytes. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): WebHandler {
  return (_request, response) => {
    response.writeHead(code, headers).end();
  };
}

/** Sends the client somewhere else. */
export function redirect(code: number, location: string): WebHandler {
  return status(code, { location });
}

/** Does what the other does, but thinks about it first. */
export function thoughtful(ms: number, handler: WebHandler): WebHandler {
  return (request, response) => {
    setTimeout(() => handler(request, response), ms);
  };
}

/** Takes the request and says nothing. */
export const silence: WebHandler = () => undefined;

/** Sends a byte at a time, and never comes to an end. */
export function drip(everyMs: number): WebHandler {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 });
    const timer = setInterval(() => response.write('x'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Sends a header line at a time, and never comes to an end. */
export function dripHeaders(everyMs: number): WebHandler {
  return ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-more: 1\r\n'), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Sends this many bytes as fast as they are accepted: in chunks, or with a length, true or not. */
export function flood(size: number, headers: Readonly<Record<string, string>> = {}): WebHandler {
  return (_request, response) => {
    response.writeHead(200, headers);
    let left = size;
    const send = () => {
      while (left > 0 && !response.destroyed) {
        const piece = Buffer.alloc(Math.min(65_536, left), 0x61);
        left -= piece.length;
        if (!response.write(piece)) {
          response.once('drain', send);
          return;
        }
      }
      response.end();
    };
    send();
  };
}

/** Writes exactly this to the connection and closes it. */
export function raw(...texts: readonly string[]): WebHandler {
  return ({ socket }) => {
    for (const text of texts.slice(0, -1)) socket.write(text);
    socket.end(texts.at(-1) ?? '');
  };
}
