import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { type Authority, issueServerCertificate } from './authority.ts';
import { type StoreFault, StoreFaults, type StoreOutcome } from './store-faults.ts';

/** A request to a simulated store. */
export interface StoreCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a simulated store answers; a body that is no text becomes JSON. */
export interface StoreReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A request that came. */
export interface LoggedCall {
  /** Milliseconds since 1970, of the real clock. */
  readonly at: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** null as long as it is not answered. */
  status: number | null;
}

interface Options {
  readonly authority: Authority;
  /** 0 for a free one. */
  readonly port: number;
  /** The platform's own answer. */
  answer(call: StoreCall): Promise<StoreReply> | StoreReply;
  /** The platform's own way to say that it was asked too much. */
  throttled(call: StoreCall): StoreReply;
  /** Prints each call, in a line. */
  print(line: string): void;
  /** More than the path says of a call. */
  about?(call: StoreCall, reply: StoreReply): string;
}

/** An HTTPS server on the loopback interface that remembers its requests and fails on demand. */
export class StoreServer {
  readonly requests: LoggedCall[] = [];
  readonly #options: Options;
  readonly #server: Server;
  readonly #faults = new StoreFaults();
  /** Answers nothing at all. */
  isBlackHole = false;

  private constructor(options: Options) {
    this.#options = options;
    const certificate = issueServerCertificate(options.authority, ['127.0.0.1', 'localhost']);
    this.#server = createServer(certificate, (incoming, response) => {
      this.#handle(incoming, response).catch((error) => {
        options.print(`failed: ${error instanceof Error ? error.stack : error}`);
        if (response.headersSent) response.destroy();
        else send(response, { status: 500, body: `${error}` });
      });
    });
    // Clients leave in every way there is.
    this.#server.on('tlsClientError', () => undefined);
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(options: Options): Promise<StoreServer> {
    const server = new StoreServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(options.port, '127.0.0.1', resolve);
    });
    return server;
  }

  /** `127.0.0.1:port`: the certificate is for it. */
  get domain(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  fail(fault: StoreFault): void {
    this.#faults.add(fault);
  }

  /** Forgets the faults that have not happened yet. */
  recover(): void {
    this.#faults.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(incoming);
    const entry = logged(call);
    this.requests.push(entry);
    const outcome = this.isBlackHole ? 'silence' : this.#catchRefusal(entry);
    if (outcome === 'silence') return;
    if (outcome === 'cut') {
      response.destroy();
      return;
    }
    const reply = await this.#replyTo(call, outcome);
    if (typeof outcome === 'object' && outcome !== null && 'delayMs' in outcome) await sleep(outcome.delayMs);
    entry.status = reply.status;
    const about = this.#options.about?.(call, reply) ?? '';
    this.#options.print(`${reply.status} ${call.method} ${entry.path}${about}`);
    if (outcome === 'cut after') cutShort(response, reply);
    else send(response, outcome === 'malformed' ? halfOf(reply) : reply);
  }

  #replyTo(call: StoreCall, outcome: StoreOutcome | null): Promise<StoreReply> | StoreReply {
    if (outcome === 'throttled') return this.#options.throttled(call);
    if (typeof outcome === 'object' && outcome !== null && 'status' in outcome)
      return { body: { errors: 'Scripted.' }, ...outcome };
    return this.#options.answer(call);
  }

  #catchRefusal({ method, path, body }: LoggedCall): StoreOutcome | null {
    return this.#faults.take(`${method} ${path}\n${body}`);
  }
}

/** This process trusts servers of the authority, until the function that it gives is called. */
export function trustAuthority(authority: Authority): () => void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, authority.certificate.toString()]);
  return () => tls.setDefaultCACertificates(before);
}

async function readCall(incoming: IncomingMessage): Promise<StoreCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = 'GET', url = '/', headers } = incoming;
  return {
    method,
    url: new URL(url, 'https://127.0.0.1'),
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function logged({ method, url, headers, body }: StoreCall): LoggedCall {
  return { at: Date.now(), method, path: url.pathname + url.search, headers, body, status: null };
}

function textOf({ body }: StoreReply): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function halfOf(reply: StoreReply): StoreReply {
  const text = textOf(reply);
  return {
    ...reply,
    body: text.slice(0, text.length / 2),
    headers: { ...reply.headers, ...headersOf(reply) },
  };
}

function headersOf({ body, headers }: StoreReply): Record<string, string> {
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return { 'content-type': `${type}; charset=utf-8`, ...headers };
}

/** All of its length is promised, half of it comes. */
function cutShort(response: ServerResponse, reply: StoreReply): void {
  const bytes = Buffer.from(textOf(reply));
  response.writeHead(reply.status, { ...headersOf(reply), 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

function send(response: ServerResponse, reply: StoreReply): void {
  const bytes = Buffer.from(textOf(reply));
  response.writeHead(reply.status, { ...headersOf(reply), 'content-length': bytes.length }).end(bytes);
}
