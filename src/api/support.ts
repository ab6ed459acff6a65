import { Type } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { refusal } from '../errors.ts';
import type { DocsSite } from '../kit/docs/docs-site.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { matchesEtag } from '../kit/http/endpoints/headers.ts';
import { takesGzip } from '../kit/http/endpoints/takes-gzip.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { within } from '../kit/promises.ts';
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
      await within(timeoutMs, ping(ctx.app.database.db));
    } catch {
      throw notReady('The database is out of reach.');
    }
    return answer(200, { status: 'ready' as const });
  },
});

/** A load balancer should know within two seconds, also when the database has fallen silent. */
const timeoutMs = 1_500;

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
  description: 'The file that the pages of the reference are made of.',
  answers: { 200: 'application/json' },
  handle: async (ctx: PublicCtx) => answer(200, ctx.app.reference().json),
});

export const getReference = endpoint({
  op: 'getReference',
  tag,
  summary: 'This API and its guides as pages to read',
  description: 'Made of the OpenAPI document, without scripts.',
  answers: { 200: 'text/html', 304: null },
  handle: async (ctx: PublicCtx, { headers }) => docsPage(ctx, '/docs', headers),
});

export const getReferencePage = endpoint({
  op: 'getReferencePage',
  tag,
  summary: 'One page of the reference or a guide',
  description: 'Of an operation by its name, of a group of operations, of all errors, or a guide.',
  params: closed({ page: Type.String({ maxLength: 100, description: 'as the start page links to it' }) }),
  answers: { 200: 'text/html', 304: null },
  errors: ['route_not_found'],
  page: true,
  handle: async (ctx: PublicCtx, { params, headers }) => docsPage(ctx, `/docs/${params.page}`, headers),
});

export const searchReference = endpoint({
  op: 'searchReference',
  tag,
  summary: 'Search in the reference and the guides',
  description: 'Finds operations by name and path, fields, error codes and headings of guides.',
  query: closed({
    q: Type.Optional(Type.String({ maxLength: 200, description: 'words that all have to be there' })),
  }),
  answers: { 200: 'text/html' },
  page: true,
  async handle(ctx: PublicCtx, { query }) {
    const docs = await ctx.app.docs();
    return answer(200, docs.search(query.q ?? ''), docsHeaders(docs));
  },
});

function docsHeaders({ policy }: DocsSite) {
  return {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'public, max-age=300',
  };
}

/** A page as the client takes it, or nothing where it has it already. */
async function docsPage({ app }: PublicCtx, href: string, headers: Input['headers']) {
  const docs = await app.docs();
  const page = await docs.page(href);
  if (page === undefined) throw refusal('route_not_found', 'There is no such page. The start page is /docs.');
  const isGzipped = takesGzip(headers['accept-encoding']);
  const etag = isGzipped ? page.etag.replace(/"$/, '-gzip"') : page.etag;
  const caching = { ...docsHeaders(docs), etag, vary: 'accept-encoding' };
  if (matchesEtag(headers['if-none-match'], etag)) return answer(304, null, caching);
  return isGzipped
    ? answer(200, page.gzipped, { ...caching, 'content-encoding': 'gzip' })
    : answer(200, page.plain, caching);
}

function notReady(message: string): ApiError {
  return refusal('overloaded', message);
}
