import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { ApiError } from '../api-error.ts';
import { type Answer, type Endpoint, type Input, route } from '../endpoints/endpoint.ts';
import type { Admission } from './exchange.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './server.ts';

/** A tiny application for the tests of the server: a handful of endpoints, and a record of what it logged. */
export interface TestApp {
  readonly server: HttpServer;
  readonly url: string;
  readonly port: number;
  readonly infos: Record<string, unknown>[];
  readonly errors: Record<string, unknown>[];
  /** Lets the requests to /held go on. */
  release(): void;
  /** Resolves when this many requests have reached /held. */
  held(count: number): Promise<void>;
}

export interface TestCtx {
  readonly caller: string;
}

/** Starts it on a free port. `overrides` are options of the server. */
export async function startTestApp(overrides: Partial<HttpServerOptions<TestCtx>> = {}): Promise<TestApp> {
  const infos: Record<string, unknown>[] = [];
  const errors: Record<string, unknown>[] = [];
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  let serial = 0;

  const server = createHttpServer<TestCtx>({
    routes: [
      ...testRoutes,
      route('POST /held', 'public', {
        ...describe('hold'),
        body: Type.Optional(AnyObject),
        async handle() {
          waiting += 1;
          await gate.promise;
          return { status: 200, body: { held: true } };
        },
      }),
    ],
    admit,
    log: {
      debug: () => undefined,
      info: (fields) => infos.push(fields as Record<string, unknown>),
      warn: (fields) => errors.push(fields as Record<string, unknown>),
      error: (fields) => errors.push(fields as Record<string, unknown>),
    },
    generateRequestId: () => `generated-${++serial}`,
    callerOf: ({ caller }) => (caller === 'anonymous' ? null : caller),
    logFields: (ctx) => ({ keyId: ctx.caller }),
    errorPage: (error, requestId) => ({
      html: `<h1>${error.code}</h1><p>${requestId}</p>`,
      headers: { 'referrer-policy': 'no-referrer' },
    }),
    ...overrides,
  });
  const { url, port } = await server.listen({ host: '127.0.0.1', port: 0 });
  async function held(count: number): Promise<void> {
    while (waiting < count) await sleep(5);
  }
  return { server, url, port, infos, errors, release: () => gate.resolve(), held };
}

async function admit(admission: Admission): Promise<TestCtx> {
  admission.setHeader('RateLimit', '"test";r=9');
  if (admission.headers['x-limit'] === 'reached') {
    throw new ApiError(429, 'rate_limited', 'Too many requests.', {}, { 'retry-after': '1' });
  }
  if (admission.authorizations.includes('Bearer bad')) {
    throw new ApiError(401, 'invalid_api_key', 'This key is unknown.');
  }
  return { caller: admission.authorizations.join('|') || 'anonymous' };
}

const AnyObject = Type.Object({}, { additionalProperties: true });

function describe(op: string) {
  return { op, tag: 'Test', summary: op, answers: { 200: AnyObject }, errors: [] };
}

async function echo(_ctx: TestCtx, { params, query, body }: Input) {
  return { status: 200, body: { params, query, body: body ?? null } };
}

function endpoint(op: string, parts: Partial<Endpoint<TestCtx>>): Endpoint<TestCtx> {
  return { ...describe(op), handle: echo, ...parts };
}

const Item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 20 }),
    points: Type.Optional(Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991 })),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: false },
);

const testRoutes = [
  route('GET /hello', 'public', endpoint('hello', {})),
  ...(['GET', 'POST'] as const).map((method) =>
    route(`${method} /letters/{count}`, 'public', {
      ...describe(`${method}Letters`),
      handle: async (_ctx: TestCtx, { params }: Input) => ({
        status: 200,
        body: { letters: 'é'.repeat(Number((params as { count: string }).count)) },
      }),
    }),
  ),
  route(
    'GET /items',
    'public',
    endpoint('listItems', {
      query: Type.Object(
        { limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d?$', description: '1 to 99' })) },
        { additionalProperties: false },
      ),
    }),
  ),
  route('POST /items', 'public', endpoint('createItem', { body: Item })),
  route(
    'PATCH /items/{itemId}',
    'public',
    endpoint('changeItem', {
      params: Type.Object({ itemId: Type.String({ maxLength: 40 }) }),
      body: Type.Optional(Item),
      bodyLimit: 1_000,
    }),
  ),
  route('GET /items/{itemId}', 'public', endpoint('getItem', {})),
  route(
    'DELETE /items/{itemId}',
    'public',
    endpoint('deleteItem', {
      answers: { 204: null },
      handle: async () => ({ status: 204 }),
    }),
  ),
  route(
    'POST /hooks',
    'public',
    endpoint('takeHook', {
      accepts: {
        'application/json': 'bytes',
        'text/csv': 'text',
        'application/x-www-form-urlencoded': 'form',
      },
      handle: async (_ctx, { body }) => ({
        status: 200,
        body: Buffer.isBuffer(body) ? { hex: body.toString('hex') } : { body: body ?? null },
      }),
    }),
  ),
  route(
    'GET /page/{token}',
    'public',
    endpoint('showPage', {
      page: true,
      answers: { 200: 'text/html' },
      async handle(_ctx, { params, headers }): Promise<Answer> {
        if (params.token === 'gone') throw new ApiError(404, 'instance_not_found', 'This card is gone.');
        if (headers['if-none-match'] === '"1"') return { status: 304, headers: { ETag: '"1"' } };
        return { status: 200, body: '<p>card</p>', headers: { ETag: '"1"', 'Cache-Control': 'max-age=60' } };
      },
    }),
  ),
  route(
    'GET /fail/{how}',
    'public',
    endpoint('fail', {
      async handle(_ctx, { params }) {
        if (params.how === 'retryable') {
          throw new ApiError(500, 'internal_error', 'Retry.', { retryable: true });
        }
        if (params.how === 'header') return { status: 200, body: {}, headers: { 'X-Bad': 'a\r\nb: c' } };
        if (params.how === 'error-header')
          throw new ApiError(409, 'conflict', 'No.', {}, { 'x-bad': 'a\nb' });
        if (params.how === 'bigint') return { status: 200, body: { n: 1n } };
        if (params.how === 'undefined') throw undefined;
        throw new Error('secret SQL text');
      },
    }),
  ),
  route(
    'GET /stream/{how}',
    'public',
    endpoint('stream', {
      answers: { 200: 'text/event-stream' },
      async handle(_ctx, { params }) {
        return {
          status: 200,
          body: params.how === 'finite' ? Readable.from(['data: 1\n\n', 'data: 2\n\n']) : ticks(),
        };
      },
    }),
  ),
  route(
    'GET /table',
    'public',
    endpoint('table', {
      answers: { 200: 'text/csv' },
      handle: async () => ({ status: 200, body: Readable.from(slowRows()) }),
    }),
  ),
  route(
    'GET /big',
    'public',
    endpoint('big', {
      answers: { 200: 'application/octet-stream' },
      handle: async () => ({ status: 200, body: Buffer.alloc(64_000_000) }),
    }),
  ),
] as const;

async function* slowRows(): AsyncGenerator<string> {
  for (let row = 1; row <= 5; row++) {
    yield `row ${row}\n`;
    await sleep(50);
  }
}

function ticks(): Readable {
  async function* endless() {
    for (;;) {
      yield 'data: tick\n\n';
      await sleep(10);
    }
  }
  return Readable.from(endless());
}
