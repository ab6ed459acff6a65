import type { FastifyInstance } from 'fastify';
import { ApiError } from './api-error.ts';
import { alternatives } from './schema-words.ts';

/** `method_not_allowed` with Allow where the path exists with other methods, `route_not_found` where it does not. */
export function notFound(app: FastifyInstance, method: string, url: string): ApiError {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const allowed = METHODS.filter((candidate) => app.findRoute({ method: candidate, url: path }) !== null);
  if (allowed.length > 0) return methodNotAllowed(method, allowed);
  return new ApiError(
    404,
    'route_not_found',
    'There is no such path in this API. Check its spelling and the version in front of it.',
  );
}

/** `405 method_not_allowed` with an Allow header. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const list = allowed.join(', ');
  const message = `${method} is not possible here; use ${alternatives(allowed)}.`;
  return new ApiError(405, 'method_not_allowed', message, {}, { allow: list });
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
