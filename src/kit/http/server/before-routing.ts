import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorBody, invalidAs } from '../api-error.ts';
import { addressBucket } from '../endpoints/client-address.ts';
import { sentKey } from '../endpoints/headers.ts';
import { type Core, Exchange, requestIdOf } from './exchange.ts';
import { busy } from './refusals.ts';
import { JSON_CONTENT, type RoutePlan } from './route-plan.ts';
import { sendError } from './send-answer.ts';

/**
 * Under overload most requests are turned away, so that must cost a fraction of what it costs to serve one: it is done
 * before routing, and without an exchange. Whatever is unusual about a request leaves it to `checkArrival`.
 */
export function rejectBeforeRouting(core: Core, plans: readonly RoutePlan[], server: Server): void {
  const vital = new Set(
    plans.filter(({ isVital }) => isVital).flatMap(({ route: { path } }) => [path, `/v1${path}`]),
  );
  const refusal = busy();
  interceptRequests(server, (incoming, outgoing) => {
    if (!isPlain(incoming, outgoing) || !isTooMuch(incoming)) return false;
    answer(incoming, outgoing);
    return true;
  });

  function isTooMuch(incoming: IncomingMessage): boolean {
    return core.concurrency.isFullFor(sentKey(incoming)) && !vital.has(incoming.url?.split('?', 1)[0] ?? '');
  }

  function isPlain({ headers }: IncomingMessage, { shouldKeepAlive }: ServerResponse): boolean {
    const isWhole = headers['transfer-encoding'] === undefined && headers.expect === undefined;
    // A browser may be owed a page.
    const wantsPage = headers.accept?.includes('text/html') === true;
    return isWhole && !wantsPage && shouldKeepAlive && !core.draining;
  }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const requestId = requestIdOf(incoming, core.generateRequestId);
    if (incoming.headers['content-length'] !== undefined) outgoing.once('close', () => discard(incoming));
    const body = JSON.stringify(errorBody(refusal, requestId));
    outgoing.writeHead(refusal.status, {
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      'content-type': JSON_CONTENT,
      'cache-control': 'no-store',
      ...refusal.headers,
      'content-length': Buffer.byteLength(body),
    });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
    core.answered({
      requestId,
      op: null,
      method: incoming.method ?? null,
      path: null,
      status: refusal.status,
      code: refusal.code,
      message: refusal.message,
      ms: 0,
    });
  }

  function discard(incoming: IncomingMessage): void {
    const name = addressBucket(incoming.socket.remoteAddress ?? '');
    core.arriving.discard(incoming, { name, isKnown: false });
  }
}

/**
 * Refuses requests of which it is in doubt where their bodies end (RFC 9112 §6.1), and closes their connections: a proxy may
 * see the end elsewhere, so nothing that follows may be taken for a request. What the parser refuses itself is not met here.
 */
export function refuseDoubtfulFraming(core: Core, server: Server): void {
  interceptRequests(server, (incoming, outgoing) => isInDoubt(core, incoming, outgoing));
}

/** Whether a request is one of these, or came after one: then it is refused, or passed over, and nothing is left to do. */
export function isInDoubt(core: Core, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  const socket = incoming.socket as Socket & { [IN_DOUBT]?: true };
  if (socket[IN_DOUBT] === true) return true;
  const fault = framingFault(incoming);
  if (fault === null) return false;
  socket[IN_DOUBT] = true;
  const requestId = requestIdOf(incoming, core.generateRequestId);
  const exchange = new Exchange(core, requestId, incoming, outgoing, null, null);
  exchange.setHeader('connection', 'close');
  sendError(exchange, fault);
  return true;
}

const IN_DOUBT = Symbol('in doubt');

function framingFault({ headers, httpVersion }: IncomingMessage): ApiError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0')
    return invalidAs('excluded', 'HTTP/1.0 knows no Transfer-Encoding; send Content-Length.', {
      path: 'Transfer-Encoding',
      part: 'header',
    });
  if (coding.toLowerCase() === 'chunked') return null;
  const message = 'The only Transfer-Encoding that is understood is "chunked", alone.';
  return new ApiError(501, 'not_implemented', message);
}

/** Has `take` look at each request before the framework does; those that it takes, the framework never sees. */
function interceptRequests(
  server: Server,
  take: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean,
): void {
  const [serve] = server.listeners('request');
  if (serve === undefined) throw new Error('the server has no listener for requests');
  server.removeAllListeners('request');
  server.on('request', (incoming, outgoing) => {
    if (!take(incoming, outgoing)) serve.call(server, incoming, outgoing);
  });
}
