import { idempotencyKeyPattern } from '../schemas/text-patterns.ts';

/** The parts of the OpenAPI document that are the same for every service built on this kit. */

/** The body of every answer that is not a success. */
export const ErrorBody = {
  $id: 'Error',
  type: 'object',
  description: 'Branch on `code`. Some codes add fields of their own; their help names them.',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'For people. May be reworded: never match on it.' },
    code: { type: 'string', description: 'Stable: never changes its meaning.' },
    requestId: { type: 'string', description: 'Equals the X-Request-Id header.' },
  },
};

export const PARAMETERS = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header' as const,
    required: false,
    description:
      'Your own id of this request. It comes back in the header of the same name and in error bodies.',
    schema: { type: 'string', maxLength: 64, pattern: '^[A-Za-z0-9._\\-]+$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header' as const,
    required: false,
    description: 'A repeat with the same key answers the first result and has no second effect.',
    schema: { type: 'string', pattern: idempotencyKeyPattern },
  },
};

export const HEADERS = {
  'X-Request-Id': { description: 'Names this request in logs and error bodies.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limit: at most `q` requests in any `w` seconds are never refused.',
    schema: { type: 'string', examples: ['"default";q=200;w=2'] },
  },
  RateLimit: {
    description: '`r` more requests are possible now, and after `t` seconds more than that.',
    schema: { type: 'string', examples: ['"default";r=199;t=1'] },
  },
  'Retry-After': {
    description: 'Seconds after which the same request can succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to prove who calls; `error="invalid_token"` where a token was sent.',
    schema: { type: 'string', examples: ['Bearer realm="api", error="invalid_token"'] },
  },
  Location: { description: 'Where to go on.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Present when this is the answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
};

export const SECURITY = {
  key: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <key>`.' },
  operator: { type: 'http', scheme: 'bearer', description: 'The token of the operator of the installation.' },
};
