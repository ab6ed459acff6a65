import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { ApiError, errorBody, invalidAs, invalidRequest } from '../api-error.ts';
import type { Answer, Input } from '../endpoints/endpoint.ts';
import { takesGzip } from '../endpoints/takes-gzip.ts';
import { type AnswerPage, type Exchange, lastExchange } from './exchange.ts';
import { JSON_CONTENT } from './route-plan.ts';

/** Sends the answer of an endpoint. Throws before it sends anything when the body or a header cannot be written. */
export function sendAnswer(exchange: Exchange, { status, body, headers }: Answer): void {
  const declared = exchange.plan?.contentTypes.get(status);
  if (exchange.plan?.route.method !== 'GET') exchange.answer = body;
  if (body === undefined || declared === null || status === 204 || status === 304) {
    if (body instanceof Readable) body.destroy();
    send(exchange, status, null, null, headers);
  } else if (body instanceof Readable) {
    sendStream(exchange, status, body, declared ?? null, headers);
  } else if (typeof body === 'string' || Buffer.isBuffer(body)) {
    send(exchange, status, body, declared ?? null, headers);
  } else {
    send(exchange, status, JSON.stringify(body), JSON_CONTENT, headers);
  }
}

/**
 * Sends the contract's error body, or a page where the endpoint has pages and the client reads HTML. An error
 * that is not an ApiError goes to the log, and the client gets `internal_error` without details.
 */
export function sendError(exchange: Exchange, thrown: unknown): void {
  const error = asApiError(exchange, thrown);
  exchange.code = error.code;
  exchange.message = error.message;
  try {
    const page = errorPage(exchange, error);
    if (page !== null)
      send(exchange, error.status, page.html, HTML_CONTENT, { ...page.headers, ...error.headers });
    else send(exchange, error.status, errorJson(exchange, error), JSON_CONTENT, error.headers);
  } catch (failure) {
    exchange.core.failed(failure, exchange.requestId, exchange.plan?.op ?? null);
    exchange.code = INTERNAL_ERROR.code;
    send(exchange, INTERNAL_ERROR.status, errorJson(exchange, INTERNAL_ERROR), JSON_CONTENT, undefined);
  }
}

/** Sends the page at a path, if there is one besides the API. False, and sends nothing, where there is none. */
export async function sendSite(exchange: Exchange): Promise<boolean> {
  const { core, method, url, incoming } = exchange;
  if (core.site === null || (method !== 'GET' && method !== 'HEAD')) return false;
  const [target = ''] = url.split('#', 1);
  const at = target.indexOf('?');
  const [path, query] = at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
  const answer = await core.site({ method, path, query, headers: incoming.headers as Input['headers'] });
  if (answer === null) return false;
  sendAnswer(exchange, answer);
  return true;
}

/** Refuses a request without waiting for the rest of it, and closes its connection. */
export function giveUp(exchange: Exchange, error: ApiError): void {
  exchange.isBroken = true;
  exchange.setHeader('connection', 'close');
  sendError(exchange, error);
}

function errorJson(exchange: Exchange, error: ApiError): string {
  return JSON.stringify(errorBody(error, exchange.requestId));
}

function asApiError(exchange: Exchange, thrown: unknown): ApiError {
  if (thrown instanceof ApiError) {
    if (thrown.status === 500) exchange.core.failed(thrown, exchange.requestId, exchange.plan?.op ?? null);
    return thrown;
  }
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500) {
    return frameworkRefusal(code);
  }
  exchange.core.failed(thrown, exchange.requestId, exchange.plan?.op ?? null);
  return INTERNAL_ERROR;
}

/** The refusals of the framework, in our words. */
function frameworkRefusal(code: string): ApiError {
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return invalidAs('syntax', 'The path is not valid: percent-encode it as UTF-8.', { part: 'path' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new ApiError(414, 'uri_too_long', 'A part of the path is too long.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(
        415,
        'unsupported_media_type',
        'The Content-Type header is not a valid media type.',
      );
    default:
      return invalidRequest('The request could not be read.');
  }
}

const INTERNAL_ERROR = new ApiError(
  500,
  'internal_error',
  'Something failed on our side. Contact support with this requestId.',
);

/** Retry-After of temporary refusals, in seconds, by default. */
const RETRY_AFTER = '5';

const HTML_CONTENT = 'text/html; charset=utf-8';

function errorPage(exchange: Exchange, error: ApiError): AnswerPage | null {
  const { core, plan, requestId, headers } = exchange;
  // At unknown paths only people in a browser get a page: some programs claim to take text/html, too.
  const wantsPage = plan === null ? headers['sec-fetch-dest'] === 'document' : plan.isPage;
  if (!wantsPage || !readsHtml(exchange)) return null;
  return error.page ?? core.errorPage(error, requestId, headers['accept-language']);
}

function readsHtml({ incoming }: Exchange): boolean {
  return incoming.headers.accept?.includes('text/html') === true;
}

type Headers = Readonly<Record<string, string>>;

function send(
  exchange: Exchange,
  status: number,
  plain: string | Buffer | null,
  contentType: string | null,
  extra: Headers | undefined,
): void {
  const { incoming, outgoing } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) return;
  const headers = answerHeaders(exchange, status, contentType, extra);
  const body = plain === null ? null : (packed(exchange, plain, headers) ?? plain);
  let encoding: 'utf8' | 'latin1' = 'utf8';
  if (body === null) {
    delete headers['content-type'];
    if (status !== 204 && status !== 304) headers['content-length'] = '0';
  } else {
    const length = Buffer.byteLength(body);
    headers['content-length'] = String(length);
    // The same bytes where all of them are ASCII, and nothing has to be encoded.
    if (length === body.length) encoding = 'latin1';
  }
  const closes = headers.connection === 'close' || !outgoing.shouldKeepAlive;
  const isSending = !incoming.complete && !exchange.isBroken && incoming.headers.expect === undefined;
  if (closes && isSending) {
    afterRequest(exchange, () => write(exchange, status, headers, body, encoding));
  } else {
    write(exchange, status, headers, body, encoding);
  }
}

/** From here on an answer is worth compressing; what tills ask for is smaller. */
const packedFrom = 4_096;

/**
 * JSON that is only read, for a client that takes it compressed: lists and figures become a tenth as large. Answers to changes
 * are the same bytes each time that they are asked for again.
 */
function packed(
  { incoming }: Exchange,
  body: string | Buffer,
  headers: Record<string, string>,
): Buffer | null {
  if (incoming.method !== 'GET' || body.length < packedFrom || headers['content-type'] !== JSON_CONTENT)
    return null;
  headers.vary = headers.vary === undefined ? 'accept-encoding' : `${headers.vary}, accept-encoding`;
  if (headers.etag !== undefined || !takesGzip(incoming.headers['accept-encoding'])) return null;
  headers['content-encoding'] = 'gzip';
  return gzipSync(body, { level: 1 });
}

function write(
  exchange: Exchange,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer | null,
  encoding: 'utf8' | 'latin1',
): void {
  const { outgoing } = exchange;
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.writeHead(status, headers);
  exchange.answeredAt = performance.now();
  if (body === null || exchange.incoming.method === 'HEAD') outgoing.end();
  else outgoing.end(body, encoding);
}

/**
 * Closing a connection on which bytes still arrive resets it, and the reset may overtake the answer. So the server first
 * reads the rest of the request, for a second at most.
 */
function afterRequest(exchange: Exchange, act: () => void): void {
  const { core, requestId, incoming, outgoing } = exchange;
  const timer = setTimeout(proceed, 1_000);
  const arrival = exchange.awaitBody(proceed);
  incoming.once('end', proceed);
  incoming.resume();

  function proceed(): void {
    clearTimeout(timer);
    arrival?.end();
    try {
      act();
    } catch (error) {
      core.failed(error, requestId, null);
      outgoing.destroy();
    }
  }
}

function sendStream(
  exchange: Exchange,
  status: number,
  body: Readable,
  contentType: string | null,
  extra: Headers | undefined,
): void {
  const { outgoing } = exchange;
  if (outgoing.headersSent || outgoing.destroyed || exchange.isClosed) {
    body.destroy();
    return;
  }
  outgoing.writeHead(status, answerHeaders(exchange, status, contentType, extra));
  if (exchange.incoming.method === 'HEAD') {
    outgoing.end();
    body.destroy();
  } else {
    exchange.startStream(body, contentType?.startsWith('text/event-stream') === true);
  }
}

function answerHeaders(
  exchange: Exchange,
  status: number,
  contentType: string | null,
  extra: Headers | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { ...exchange.answerHeaders };
  if (contentType !== null) headers['content-type'] = contentType;
  headers['cache-control'] = 'no-store';
  if (status === 503) headers['retry-after'] = RETRY_AFTER;
  if (extra !== undefined)
    for (const name of Object.keys(extra)) headers[name.toLowerCase()] = extra[name] ?? '';
  // A request that was sent ahead on the same connection would be lost: the last answer closes it.
  const isLast = lastExchange(exchange.incoming.socket) === exchange;
  if (exchange.core.draining && isLast) headers.connection = 'close';
  return headers;
}
