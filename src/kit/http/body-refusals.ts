import { ApiError, invalidRequest } from './api-error.ts';
import type { RoutePlan } from './route-plan.ts';

export function missingBody(plan: RoutePlan): ApiError {
  const types = [...plan.bodies.keys()].join(' or ');
  return invalidRequest(`The request has no body; send one with Content-Type: ${types}.`);
}

export function unexpectedBody(): ApiError {
  return invalidRequest('This operation takes no request body; send none.');
}

export function brokenBody(): ApiError {
  return invalidRequest('The connection was closed before the body was complete.');
}

export function lateRequest(): ApiError {
  return new ApiError(408, 'request_timeout', 'The request arrived too slowly. Send it again.');
}

export function unsupportedBody(message: string): ApiError {
  return new ApiError(415, 'unsupported_media_type', message);
}

export function bodyTooLarge(plan: RoutePlan): ApiError {
  const message = `The body is larger than ${plan.bodyLimit} bytes; send less at once.`;
  return new ApiError(413, 'request_too_large', message);
}
