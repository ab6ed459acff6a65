import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jwtVerify } from 'jose';
import { type Authority, issueServerCertificate, makeAuthority } from './authority.ts';
import { BrowserKeys, type PushMessage, readMessage } from './push-message.ts';

/** A push that arrived. */
export interface ReceivedPush {
  readonly endpoint: string;
  readonly at: number;
  /** What its browser reads; null: it is empty, or cannot be read. */
  message: PushMessage | null;
}

/** What it answers to a push; `silence` leaves it without any answer. */
export type PushAnswer =
  | 'silence'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      /** How long it thinks about it. */
      readonly afterMs?: number;
    };

interface Options {
  /** The application server key that browsers subscribed with. */
  readonly publicKey: string;
  now?(): Date;
}

/** The most that the push services of browsers take, in bytes. */
const mostBytes = 4_096;
/** Longest that browsers' push services keep a push, in seconds: four weeks. */
const mostTtl = 2_419_200;

/**
 * A browser's push service (RFC 8030) on loopback that is as strict as the strictest of them: it checks the sender's
 * identity (RFC 8292) and every header, and complains where it does not like what it gets. It reads as the browsers do, too: a body
 * must be what they can decrypt and show.
 */
export class PushService {
  readonly authority: Authority = makeAuthority('Simulated Push CA');
  readonly pushes: ReceivedPush[] = [];
  /** What was wrong with what it got. */
  readonly complaints: string[] = [];
  readonly #answers = new Map<string, PushAnswer[]>();
  readonly #browsers = new Map<string, BrowserKeys>();
  readonly #server: Server;
  readonly #key: KeyObject;
  readonly #options: Options;

  private constructor(options: Options) {
    this.#options = options;
    this.#key = publicKeyOf(options.publicKey);
    this.#server = createServer(issueServerCertificate(this.authority), (request, response) => {
      this.#take(request, response).catch((error) => response.destroy(error));
    });
  }

  static async start(options: Options): Promise<PushService> {
    const service = new PushService(options);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  /** Host and port. */
  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a browser would be given for a new subscription. */
  endpoint(name: string): string {
    return `https://${this.host}/send/${name}`;
  }

  /** The same with keys, as browsers hand them out. */
  subscription(name: string) {
    const [endpoint, browser] = [this.endpoint(name), new BrowserKeys()];
    this.#browsers.set(endpoint, browser);
    return { endpoint, keys: browser.keys };
  }

  /** What the browser of an endpoint has read, in order. */
  messages(endpoint: string): (PushMessage | null)[] {
    return this.pushes.filter((push) => push.endpoint === endpoint).map(({ message }) => message);
  }

  /** Scripts the next answers to pushes to an endpoint; afterwards it accepts them again. */
  answer(endpoint: string, ...answers: readonly PushAnswer[]): void {
    this.#answers.set(endpoint, [...answers]);
  }

  /** How many pushes an endpoint has got. */
  count(endpoint: string): number {
    return this.pushes.filter((push) => push.endpoint === endpoint).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = `https://${request.headers.host}${request.url}`;
    const push: ReceivedPush = { endpoint, at: performance.now(), message: null };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    this.pushes.push(push);
    const complaint =
      this.#complaintAboutBody(push, request, Buffer.concat(chunks)) ?? (await this.#complaintAbout(request));
    if (complaint !== null) {
      this.complaints.push(complaint);
      response.writeHead(403).end(complaint);
      return;
    }
    const answer = this.#answers.get(endpoint)?.shift() ?? { status: 201 };
    if (answer === 'silence') return;
    const { status, headers = {}, body = '', afterMs = 0 } = answer;
    await sleep(afterMs);
    response.writeHead(status, { location: endpoint, ...headers }).end(body);
  }

  async #complaintAbout(request: IncomingMessage): Promise<string | null> {
    const {
      authorization = '',
      ttl = '',
      topic = '',
      urgency = '',
    } = request.headers as Record<string, string>;
    if (request.method !== 'POST') return `the method is ${request.method}`;
    if (!/^\d+$/.test(ttl) || Number(ttl) > mostTtl) return `the TTL is "${ttl}"`;
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(topic)) return `the topic is "${topic}"`;
    if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) return `the urgency is "${urgency}"`;
    const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
    if (key !== this.#options.publicKey) return 'the key is not the one that the browser subscribed with';
    return this.#complaintAboutToken(token);
  }

  #complaintAboutBody(push: ReceivedPush, { headers }: IncomingMessage, body: Buffer): string | null {
    if (body.length === 0) return null;
    const browser = this.#browsers.get(push.endpoint);
    if (browser === undefined || headers['content-encoding'] !== 'aes128gcm')
      return 'a push has no body unless it is encrypted';
    if (body.length > mostBytes) return `the body has ${body.length} bytes`;
    try {
      push.message = readMessage(browser.open(body));
      return null;
    } catch (error) {
      return `the body cannot be read: ${error instanceof Error ? error.message : error}`;
    }
  }

  async #complaintAboutToken(token: string): Promise<string | null> {
    const now = this.#options.now?.() ?? new Date();
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['ES256'],
        audience: `https://${this.host}`,
        currentDate: now,
        requiredClaims: ['exp', 'sub'],
      });
      const hours = ((payload.exp ?? 0) - now.getTime() / 1_000) / 3_600;
      if (hours > 24) return `the token is valid for ${hours} hours, 24 are allowed`;
      return /^(mailto|https):/.test(payload.sub ?? '') ? null : `the contact is "${payload.sub}"`;
    } catch (error) {
      return `the token does not verify: ${error instanceof Error ? error.message : error}`;
    }
  }
}

/** From the uncompressed point that browsers know it by. */
function publicKeyOf(point: string): KeyObject {
  const bytes = Buffer.from(point, 'base64url');
  const coordinate = (from: number) => bytes.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
