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
 * Refuses requests under overload. Most requests are refused then, so a refusal must cost a fraction of serving one: it
 * happens before routing, and without an exchange. It leaves unusual requests to `checkArrival`.
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
    // A browser may have to get a page.
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
 * Refuses requests whose bodies have no certain end (RFC 9112 §6.1), and closes their connections: a proxy may see the end
 * elsewhere, so the server must not take what follows for a request. The parser itself refuses other faults before.
 */
export function refuseDoubtfulFraming(core: Core, server: Server): void {
  interceptRequests(server, (incoming, outgoing) => refuseIfDoubtful(core, incoming, outgoing));
}

/** Refuses such a request, and ignores one that came after it on the connection; whether it has done so. */
export function refuseIfDoubtful(core: Core, incoming: IncomingMessage, outgoing: ServerResponse): boolean {
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

/** Calls `take` with each request before the framework gets it; the framework never gets a request that `take` takes. */
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
