import type { FastifyInstance } from 'fastify';
import { ApiError, invalidAs, invalidRequest } from '../api-error.ts';
import { alternatives } from '../schemas/schema-words.ts';
import type { RoutePlan } from './route-plan.ts';

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

/** The longest request target that is taken, in bytes. */
export const MAX_URL_LENGTH = 8_192;

export function urlTooLong(): ApiError {
  return new ApiError(
    414,
    'uri_too_long',
    `The URL is longer than ${MAX_URL_LENGTH} characters; shorten it.`,
  );
}

export const WRONG_VERSION = 'This HTTP version is not supported here; use HTTP/1.1.';

export function missingBody(plan: RoutePlan): ApiError {
  const types = [...plan.bodies.keys()].join(' or ');
  return invalidAs('required', `The request has no body; send one with Content-Type: ${types}.`);
}

export function unexpectedBody(): ApiError {
  return invalidAs('excluded', 'This operation takes no request body; send none.');
}

export function brokenBody(): ApiError {
  return invalidRequest('The connection was closed before the body was complete.');
}

/** Ends the work for a client that has gone. No client sees this refusal. */
export function clientGone(): ApiError {
  return invalidRequest('The client has closed the connection.');
}

export function lateRequest(): ApiError {
  return new ApiError(408, 'request_timeout', 'The request arrived too slowly. Send it again.');
}

export function unsupportedBody(message: string): ApiError {
  return new ApiError(415, 'unsupported_media_type', message);
}

export function bodyTooLarge(plan: RoutePlan): ApiError {
  if (plan.tooLarge !== undefined) return plan.tooLarge();
  const message = `The body is larger than ${plan.bodyLimit} bytes; send less at once.`;
  return new ApiError(413, 'request_too_large', message);
}

const atNoPath = 'There is no such path in this API. Check its spelling and the version in front of it.';
const atTheRoot =
  'The paths of this API begin with its version, such as /v1. It is described at /openapi.json, and explained at /docs.';

/** `method_not_allowed` with Allow where the path exists with other methods, `route_not_found` where it does not. */
export function notFound(app: FastifyInstance, method: string, url: string): ApiError {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const allowed = METHODS.filter((candidate) => app.findRoute({ method: candidate, url: path }) !== null);
  if (allowed.length > 0) return methodNotAllowed(method, allowed);
  return new ApiError(404, 'route_not_found', path === '/' ? atTheRoot : atNoPath);
}

/** `405 method_not_allowed` with an Allow header. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const list = allowed.join(', ');
  const message = `${method} is not possible here; use ${alternatives(allowed)}.`;
  return new ApiError(405, 'method_not_allowed', message, {}, { allow: list });
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
