import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, invalidRequest } from './api-error.ts';
import { type Core, Exchange, requestIdOf } from './exchange.ts';
import { interceptRequests } from './intercept-requests.ts';
import { sendError } from './send-answer.ts';

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
    return invalidRequest('HTTP/1.0 knows no Transfer-Encoding; send Content-Length.');
  if (coding.toLowerCase() === 'chunked') return null;
  const message = 'The only Transfer-Encoding that is understood is "chunked", alone.';
  return new ApiError(501, 'not_implemented', message);
}
