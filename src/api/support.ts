import { Type } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { refusal } from '../errors.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import { closed } from '../kit/http/shapes.ts';
import { ping } from '../workspaces/workspaces.sql.ts';

const tag = 'Service';

export const getHealth = endpoint({
  op: 'getHealth',
  tag,
  summary: 'Whether the process is alive',
  description: 'Touches nothing else.',
  answers: { 200: closed({ status: Type.Literal('ok') }) },
  handle: async (_ctx: PublicCtx) => answer(200, { status: 'ok' as const }),
});

export const getReadiness = endpoint({
  op: 'getReadiness',
  tag,
  summary: 'Whether the process takes requests',
  description: '503 while the database is out of reach and from the beginning of a shutdown.',
  answers: { 200: closed({ status: Type.Literal('ready') }) },
  errors: ['overloaded'],
  async handle(ctx: PublicCtx) {
    if (ctx.app.isDraining()) throw notReady('The process is shutting down.');
    try {
      await within(patienceMs, ping(ctx.app.database.db));
    } catch {
      throw notReady('The database is out of reach.');
    }
    return answer(200, { status: 'ready' as const });
  },
});

/** A load balancer should know within two seconds, also when the database has fallen silent. */
const patienceMs = 1_500;

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

export const getMetrics = endpoint({
  op: 'getMetrics',
  tag,
  summary: 'Figures for Prometheus',
  description: 'In the text format of Prometheus.',
  answers: { 200: 'text/plain; version=0.0.4' },
  handle: async (ctx: PublicCtx) => answer(200, await ctx.app.metrics()),
});

export const getOpenApi = endpoint({
  op: 'getOpenApi',
  tag,
  summary: 'This API as OpenAPI 3.1',
  description: 'The file that this page is made of.',
  answers: { 200: 'application/json' },
  handle: async (ctx: PublicCtx) => answer(200, ctx.app.reference.json),
});

export const getReference = endpoint({
  op: 'getReference',
  tag,
  summary: 'This API as a page to read',
  description: 'Made of the OpenAPI document, without scripts.',
  answers: { 200: 'text/html' },
  handle: async (ctx: PublicCtx) =>
    answer(200, ctx.app.reference.page, {
      'content-security-policy': pagePolicy,
      'referrer-policy': 'no-referrer',
    }),
});

/** The page brings its style and nothing else. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

function notReady(message: string): ApiError {
  return refusal('overloaded', message, {}, { 'retry-after': '5' });
}
