import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ApiError, errorBody } from './api-error.ts';
import { addressBucket } from './client-address.ts';
import { type Core, requestIdOf, sentKey } from './exchange.ts';
import { interceptRequests } from './intercept-requests.ts';
import { JSON_CONTENT, type RoutePlan } from './route-plan.ts';

/** What a busy service answers. */
export function busy(): ApiError {
  return new ApiError(
    503,
    'overloaded',
    'The service is busy. Retry after a second.',
    {},
    { 'retry-after': '1' },
  );
}

/**
 * Under overload most requests are turned away, so that must cost a fraction of what it costs to serve one: it is done
 * before routing, and without an exchange. Whatever is unusual about a request leaves it to `checkArrival`.
 */
export function turnAwayBeforeRouting(core: Core, plans: readonly RoutePlan[], server: Server): void {
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
    const key = sentKey(incoming);
    const isFull = key === null ? core.concurrency.isPacked : core.concurrency.isFull(key);
    return isFull && !vital.has(incoming.url?.split('?', 1)[0] ?? '');
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
      ms: 0,
    });
  }

  function discard(incoming: IncomingMessage): void {
    const name = addressBucket(incoming.socket.remoteAddress ?? '');
    core.arriving.discard(incoming, { name, isKnown: false });
  }
}
