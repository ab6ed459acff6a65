import { isUtf8 } from 'node:buffer';
import { invalidAs, invalidAt } from '../api-error.ts';
import { JSON_TYPE } from '../endpoints/body-parts.ts';
import type { BodyKind } from '../endpoints/endpoint.ts';
import { parseJson } from '../schemas/parse-json.ts';
import { clipped } from '../schemas/schema-words.ts';
import { BodyStream } from './body-stream.ts';
import { type Exchange, rawHeaderValues } from './exchange.ts';
import {
  bodyTooLarge,
  brokenBody,
  lateRequest,
  missingBody,
  unexpectedBody,
  unsupportedBody,
} from './refusals.ts';
import { parsePairs } from './request-checks.ts';
import type { RoutePlan } from './route-plan.ts';
import { giveUp } from './send-answer.ts';

/**
 * Refuses a body that the operation does not take, before it reads any of it: a missing one, an unexpected one, one that
 * is too long, compressed, or of another type or charset.
 */
export function checkBodyHeaders(exchange: Exchange, plan: RoutePlan): void {
  const { headers, rawHeaders } = exchange.incoming;
  if (!hasBody(exchange)) {
    if (plan.bodyRequired) throw missingBody(plan);
    return;
  }
  // The framework reads no body for GET and HEAD.
  if (plan.bodies.size === 0 && !plan.takesNothing) throw unexpectedBody();
  // Only reading shows whether a chunked one is empty.
  if (plan.takesNothing && headers['content-length'] === undefined) return;
  if (Number(headers['content-length']) > plan.bodyLimit) throw bodyTooLarge(plan);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupportedBody('Send the body without Content-Encoding.');
  }
  if (kindOfBody(plan, headers['content-type']) === undefined) {
    if (plan.takesNothing) throw unexpectedBody();
    throw unsupportedBody(
      `Send the body with Content-Type: ${[...plan.bodies.keys()].join(' or ')} (UTF-8).`,
    );
  }
  if (rawHeaderValues(rawHeaders, 'content-type').length > 1)
    throw unsupportedBody('Send one Content-Type header.');
}

/**
 * Reads and decodes the body, or hands it over to be read; calls `done` once. The framework's content type parser for
 * every type.
 */
export function readBody(exchange: Exchange, done: (error: Error | null, body?: unknown) => void): void {
  const { incoming, outgoing } = exchange;
  if (exchange.plan === null || !hasBody(exchange)) {
    done(null, undefined);
    return;
  }
  const plan: RoutePlan = exchange.plan;
  if (kindOfBody(plan, incoming.headers['content-type']) === 'stream') {
    done(null, new BodyStream(exchange, plan));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const arrival = exchange.awaitBody(() => giveUp(exchange, lateRequest()));
  if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
  incoming.on('data', onData);
  incoming.on('end', onEnd);
  incoming.on('error', onError);

  function onData(chunk: Buffer): void {
    length += chunk.length;
    chunks.push(chunk);
    arrival?.keep(chunk.length);
    if (length > plan.bodyLimit) finish(bodyTooLarge(plan));
  }

  function onEnd(): void {
    try {
      finish(null, decode(plan, incoming.headers['content-type'], chunks, length));
    } catch (error) {
      finish(error as Error);
    }
  }

  function onError(): void {
    finish(brokenBody());
  }

  function finish(error: Error | null, body?: unknown): void {
    arrival?.end();
    incoming.off('data', onData);
    incoming.off('end', onEnd);
    incoming.off('error', onError);
    // The server skips the rest of a refused body, so that the connection can be used again.
    incoming.resume();
    done(error, body);
  }
}

function decode(
  plan: RoutePlan,
  contentType: string | undefined,
  chunks: readonly Buffer[],
  length: number,
): unknown {
  const [first] = chunks;
  if (first === undefined) {
    if (plan.bodyRequired) throw missingBody(plan);
    return undefined;
  }
  const kind = kindOfBody(plan, contentType);
  // A chunk may be a view of memory that is used again: bytes that are kept are copied.
  const bytes = chunks.length === 1 && kind !== 'bytes' ? first : Buffer.concat(chunks, length);
  if (plan.takesNothing) return emptyBody(kind, bytes);
  switch (kind) {
    case 'json':
      return jsonBody(plan, bytes);
    case 'form':
      return parsePairs(utf8Text(bytes), 'form field');
    case 'text':
      return utf8Text(bytes);
    default:
      return bytes;
  }
}

function jsonBody(plan: RoutePlan, bytes: Buffer): unknown {
  const body = parseJson(bytes);
  if (body === null && !plan.bodyRequired)
    throw invalidAt('', 'type', 'must be an object, not null.', { limit: ['object'] });
  return body;
}

/** Ignores an empty body where the operation takes none; raises `invalid_request` for one with content. */
function emptyBody(kind: BodyKind | 'json' | undefined, bytes: Buffer): undefined {
  if (kind !== 'json') throw unexpectedBody();
  const body = parseJson(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unexpectedBody();
  const [name] = Object.keys(body);
  if (name !== undefined) {
    throw invalidAt(clipped(name), 'unknown', 'is not known here: this operation takes no properties.');
  }
}

function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidAs('syntax', 'The body is not valid UTF-8; encode it as UTF-8.');
  if (bytes.includes(0)) throw invalidAs('syntax', 'The body holds a NUL character; remove it.');
  return bytes.toString('utf8');
}

function hasBody({ incoming: { headers } }: Exchange): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && Number(length) > 0;
}

/** The way to read a body of this content type; undefined when the operation does not take it. */
function kindOfBody(plan: RoutePlan, contentType = ''): BodyKind | 'json' | undefined {
  if (plan.takesNothing) return isJson(contentType) ? 'json' : undefined;
  if (contentType === JSON_TYPE) return plan.bodies.get(JSON_TYPE);
  const [type = '', ...parameters] = contentType.split(';');
  const kind = plan.bodies.get(type.trim().toLowerCase());
  if (kind === 'bytes') return kind;
  return parameters.every(isHarmless) ? kind : undefined;
}

/** Whether a body is JSON, or has no type: only such a body is read where the operation takes none. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';');
  return ['', JSON_TYPE].includes(type.trim().toLowerCase()) && parameters.every(isHarmless);
}

/** UTF-8 is the only charset; other parameters are ignored. */
function isHarmless(parameter: string): boolean {
  const match = CONTENT_PARAMETER.exec(parameter);
  if (match === null) return parameter.trim() === '';
  const [, name = '', quoted, token = ''] = match;
  return name.toLowerCase() !== 'charset' || /^utf-?8$/i.test(quoted ?? token);
}

/** A quoted value may hold what a token may not, as the boundaries that some clients make do. */
const CONTENT_PARAMETER = /^\s*([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|"?([\w!#$%&'*+.^`|~-]*)"?)\s*$/;
