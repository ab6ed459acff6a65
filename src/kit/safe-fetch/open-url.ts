import type { LookupAddress } from 'node:dns';
import { type Agent, type ClientRequest, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { bareHost } from '../bare-host.ts';
import { blockedHost, FetchRefused } from './check-url.ts';

/** A request to a URL. */
export interface RequestSpec {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer whose body has yet to be read. */
export interface OpenedUrl {
  readonly answer: IncomingMessage;
  /** Ends the connection, whatever has been read of it. */
  close(): void;
}

interface OpenOptions {
  /** The checked addresses of its host: the connection goes to one of these. */
  readonly addresses: readonly LookupAddress[];
  readonly isAllowed: (address: string) => boolean;
  readonly userAgent: string;
  /** Whose connections are used: one of the URL's protocol. */
  readonly agent: Agent | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a request to a URL, and follows no redirect. Nothing of the process is sent: no proxy, no cookie, no credential
 * that is not in the request.
 */
export async function openUrl(url: URL, spec: RequestSpec, options: OpenOptions): Promise<OpenedUrl> {
  const { addresses, isAllowed, userAgent, agent, signal } = options;
  signal.throwIfAborted();
  const request = url.protocol === 'http:' ? requestByHttp : requestByHttps;
  const asked = request({
    method: spec.method,
    host: bareHost(url),
    port: url.port,
    path: url.pathname + url.search,
    headers: { host: url.host, ...headersFor(userAgent, spec.headers) },
    agent,
    rejectUnauthorized: true,
    lookup: answerWith(addresses),
  });
  // The request's own way to follow a signal costs a good part of what else there is to it.
  signal.addEventListener('abort', () => asked.destroy(signal.reason));
  asked.once('socket', (socket) => {
    // One that is connected was checked when it was made.
    if (asked.reusedSocket || !socket.connecting) return;
    checkPeerOf(socket, isAllowed);
  });
  try {
    asked.end(spec.body ?? undefined);
    return { answer: await answerOf(asked), close: () => asked.destroy() };
  } catch (error) {
    asked.destroy();
    throw error;
  }
}

/** The headers of a question to a stranger: they show nothing but the name of this service, and no answer is compressed. */
export function headersFor(
  userAgent: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return { 'user-agent': userAgent, accept: '*/*', ...headers, 'accept-encoding': 'identity' };
}

/**
 * Has a socket that is about to connect checked when it has: what there was to check was checked, but only the connection itself
 * knows where it has ended up.
 */
export function checkPeerOf(socket: Socket, isAllowed: (address: string) => boolean): void {
  // Before the listener that begins to talk.
  socket.prependOnceListener('connect', () => {
    const peer = socket.remoteAddress;
    if (peer !== undefined && !isAllowed(peer)) socket.destroy(new FetchRefused('blocked_host', blockedHost));
  });
}

/** Instead of asking again for the addresses of the name: the answer might be another one. */
export function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, _options, answer) => answer(null, [...addresses]);
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new FetchRefused('unreachable', 'The host closed the connection.'));
    asked.once('response', (answer) => {
      asked.off('close', closed);
      // What comes after the end of an answer is an error too, of the connection.
      asked.on('error', (error) => answer.destroy(error));
      resolve(answer);
    });
    // It stays, since a connection may fail after it has been given up.
    asked.on('error', reject);
    // Comes without any error when the other side wants to change the protocol.
    asked.once('close', closed);
  });
}

/** The bytes of an answer as they came, whatever it says about their encoding; no more than `limit`. */
export async function readBody(answer: IncomingMessage, limit: number, noun: string): Promise<Buffer> {
  const declared = answer.headers['content-length'];
  const expected = declared === undefined ? limit : Number(declared);
  if (expected > limit) throw tooLarge(limit, noun);
  // One piece of memory, since pieces that are joined at the end take twice as much. What is not written to is only
  // set aside: a large promise costs nothing.
  const bytes = Buffer.allocUnsafeSlow(expected);
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (length + chunk.length > bytes.length) throw tooLarge(limit, noun);
    length += chunk.copy(bytes, length);
  }
  return bytes.subarray(0, length);
}

function tooLarge(limit: number, noun: string): FetchRefused {
  return new FetchRefused('too_large', `The ${noun} is larger than ${limit / 1_048_576} MiB.`);
}
