import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorBody, invalidRequest } from '../api-error.ts';
import { refuseIfDoubtful } from './before-routing.ts';
import { type Core, Exchange, lastExchange, requestIdOf } from './exchange.ts';
import {
  lateRequest,
  MAX_URL_LENGTH,
  METHODS,
  methodNotAllowed,
  urlTooLong,
  WRONG_VERSION,
} from './refusals.ts';
import { giveUp, sendError } from './send-answer.ts';

/** Gives the refusals and answers that Node makes itself the contract's form. */
export function answerBelowRouting(core: Core, server: Server): void {
  // Node would ask for the body at once; this server asks after admission, when the handler wants the body.
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    server.emit('request', incoming, outgoing);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (refuseIfDoubtful(core, incoming, outgoing)) return;
    const requestId = requestIdOf(incoming, core.generateRequestId);
    const exchange = new Exchange(core, requestId, incoming, outgoing, null, null);
    const message = 'The only expectation that can be met is "Expect: 100-continue".';
    sendError(exchange, new ApiError(417, 'expectation_failed', message));
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    socket.on('error', ignore);
    endWithError(
      core,
      socket,
      methodNotAllowed('CONNECT', METHODS),
      requestIdOf(incoming, core.generateRequestId),
    );
  });
}

/** Answers requests that the HTTP parser cannot read or that arrive too slowly. The server's clientError handler. */
export function answerClientError(core: Core, error: ClientError, socket: Socket): void {
  const marked = socket as Socket & { [ANSWERED]?: boolean };
  if (marked[ANSWERED] === true) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  marked[ANSWERED] = true;
  const last = lastExchange(socket);
  if (last === undefined || (last.isClosed && last.incoming.complete)) {
    refuse(core, error, socket);
  } else if (last.incoming.complete) {
    // The fault is in what came after a good request: that one is answered first.
    last.outgoing.once('close', () => refuse(core, error, socket));
  } else if (last.outgoing.headersSent) {
    // The request is answered; the rest of its body was only being read past.
    socket.destroySoon();
  } else {
    giveUp(last, refusalOf(error));
  }
}

interface ClientError extends Error {
  readonly code?: string;
  /** What the parser was reading when it failed. */
  readonly rawPacket?: unknown;
}

const ANSWERED = Symbol('answered');

function refuse(core: Core, error: ClientError, socket: Socket): void {
  // A connection opened ahead of need and never used: an answer would be taken for that of a later request.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (isUnused || !socket.writable) socket.destroy();
  else endWithError(core, socket, refusalOf(error), core.generateRequestId());
}

function refusalOf(error: ClientError): ApiError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return lateRequest();
    case 'HPE_HEADER_OVERFLOW':
      if (isInRequestLine(error.rawPacket)) return urlTooLong();
      return new ApiError(
        431,
        'headers_too_large',
        'The headers are too large; send at most 16 KiB of them.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError(413, 'request_too_large', 'The chunk extensions of the body are too large.');
    default:
      return invalidRequest(PARSER_MESSAGES[error.code ?? ''] ?? 'The request is not valid HTTP/1.1.');
  }
}

const WRONG_LENGTH = 'Send one Content-Length header with a number, and none besides Transfer-Encoding.';

const PARSER_MESSAGES: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'The request does not start with an HTTP method that is known here.',
  HPE_INVALID_URL: 'The request target holds characters that must be percent-encoded.',
  HPE_INVALID_VERSION: WRONG_VERSION,
  HPE_INVALID_HEADER_TOKEN: 'A header holds a character that is not allowed in headers.',
  HPE_INVALID_CONTENT_LENGTH: WRONG_LENGTH,
  HPE_UNEXPECTED_CONTENT_LENGTH: WRONG_LENGTH,
  HPE_INVALID_TRANSFER_ENCODING: 'Send "Transfer-Encoding: chunked" alone, or Content-Length.',
  HPE_INVALID_CHUNK_SIZE: 'The size of a body chunk is not a hexadecimal number.',
  HPE_INVALID_EOF_STATE: 'The connection was closed before the request was complete.',
  HPE_CR_EXPECTED: 'Every header line must end in CR LF.',
  HPE_LF_EXPECTED: 'Every header line must end in CR LF.',
};

/** True when the bytes that overflowed start a request whose first line alone is too long. */
function isInRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]{3,8} \S/.test(packet.toString('latin1', 0, 16))) return false;
  const end = packet.indexOf('\r\n');
  return end === -1 || end > MAX_URL_LENGTH;
}

function endWithError(core: Core, socket: Socket, error: ApiError, requestId: string): void {
  const body = JSON.stringify(errorBody(error, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
    ...error.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  // A reset by an early close could overtake the answer.
  setTimeout(() => socket.destroy(), 1_000).unref();
  core.answered({
    requestId,
    op: null,
    method: null,
    path: null,
    status: error.status,
    code: error.code,
    message: error.message,
    ms: 0,
  });
}

function ignore(): void {}
