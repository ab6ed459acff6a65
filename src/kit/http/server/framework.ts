import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError } from '../api-error.ts';
import type { Input } from '../endpoints/endpoint.ts';
import type { RequestPart, SchemaError } from '../schemas/schema-words.ts';
import { schemaRefusal, validatorOf } from '../schemas/validation.ts';
import { refuseDoubtfulFraming, rejectBeforeRouting } from './before-routing.ts';
import { BodyStream } from './body-stream.ts';
import { type Core, Exchange, requestIdOf } from './exchange.ts';
import { answerBelowRouting, answerClientError } from './raw-answers.ts';
import { busy, notFound } from './refusals.ts';
import { checkBodyHeaders, readBody } from './request-body.ts';
import { checkArrival, isOverloaded, readQuery } from './request-checks.ts';
import type { RoutePlan } from './route-plan.ts';
import { sendAnswer, sendError, sendSite } from './send-answer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}

/**
 * Fastify set up for hostile clients. It routes, validates and runs the life cycle of a request; every answer is
 * written by send-answer.ts, so that none of Fastify's own answers can reach a client.
 */
export function createFramework(
  core: Core,
  plans: readonly RoutePlan[],
  { trustProxy, mergeSlashesBelow }: { trustProxy: readonly string[]; mergeSlashesBelow: readonly string[] },
  timeouts: { headersMs: number; requestMs: number; keepAliveMs: number; checkMs: number },
): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    genReqId: (incoming) => requestIdOf(incoming, core.generateRequestId),
    rewriteUrl: (incoming) => withoutDoubledSlashes(withoutVersion(incoming.url ?? ''), mergeSlashesBelow),
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // A request that reaches a closing server is served: refusing it would only lose it.
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: Math.min(timeouts.headersMs, timeouts.requestMs),
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node's own refusal has no body; checkArrival makes a better one.
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      // Parsed once the caller is admitted, where errors can be reported.
      querystringParser: (query) => query as unknown as Record<string, string>,
    },
    schemaErrorFormatter: (errors, part) => schemaRefusal(errors as SchemaError[], part as RequestPart),
    frameworkErrors: (error, request, reply) => void refuseUnroutable(core, error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(core, error, socket),
  });
  // All of the 16 KiB count, however many headers they hold; by default Node drops those after the 2,000th.
  app.server.maxHeadersCount = 0;
  answerBelowRouting(core, app.server);
  rejectBeforeRouting(core, plans, app.server);
  refuseDoubtfulFraming(core, app.server);

  app.setValidatorCompiler<TSchema>(({ schema }) => validatorOf(schema));
  app.decorateRequest('exchange', null);
  app.removeAllContentTypeParsers();
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, (request, _payload, done) => {
      if (request.exchange === null) done(null, undefined);
      else readBody(request.exchange, done);
    });
  }
  app.setErrorHandler((error, request, reply) => {
    sendError(request.exchange ?? newExchange(core, request, reply, null), error);
  });
  // Not async, so that every exchange exists before the parser reads on and may find fault with what follows.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseUnknown(core, app, request, reply).then(() => done(), done);
    else done();
  });
  for (const plan of plans) addRoute(app, core, plan);
  return app;
}

const MAX_HEADER_BYTES = 16_384;
const MAX_PARAMETER_LENGTH = 2_048;

function addRoute(app: FastifyInstance, core: Core, plan: RoutePlan): void {
  const { method, path } = plan.route;
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: plan.schema,
    async onRequest(request, reply) {
      const exchange = newExchange(core, request, reply, plan);
      checkArrival(exchange);
      exchange.ctx = await core.admit(exchange);
      if (isTooMuch(exchange, plan)) throw busy();
      request.query = readQuery(exchange.url, request.query as string);
      checkBodyHeaders(exchange, plan);
    },
    handler: (request, reply) => serve(request, reply, plan),
  });
}

async function serve(request: FastifyRequest, reply: FastifyReply, plan: RoutePlan): Promise<void> {
  const { exchange } = request;
  if (exchange === null) throw new Error('the request was not admitted');
  reply.hijack();
  // Other requests may have taken the places during admission and while the body arrived.
  if (isTooMuch(exchange, plan)) {
    sendError(exchange, busy());
    return;
  }
  exchange.handling(true);
  try {
    const { params, query, body = plan.absentBody, headers } = request;
    sendAnswer(exchange, await plan.handle(exchange.ctx, { params, query, body, headers } as Input));
  } catch (error) {
    sendError(exchange, error);
  } finally {
    // The handler may have left some of the body, or all of it.
    if (request.body instanceof BodyStream) request.body.destroy();
    exchange.handling(false);
  }
}

function isTooMuch({ core, sender }: Exchange, plan: RoutePlan): boolean {
  return plan.hasOwnLimits ? !plan.isVital && isOverloaded(core) : core.concurrency.isFull(sender.name);
}

/** Answers unknown paths and methods, and the pages besides the API: it checks the caller's rate alone, not the caller. */
async function refuseUnknown(
  core: Core,
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const exchange = newExchange(core, request, reply, null);
  checkArrival(exchange);
  await admitUnknown(core, exchange);
  if (!(await sendSite(exchange))) throw notFound(app, request.method, exchange.url);
  reply.hijack();
}

/** Refuses a path that cannot be decoded or has a parameter that is too long; the framework calls no hooks for it. */
async function refuseUnroutable(
  core: Core,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const exchange = newExchange(core, request, reply, null);
  try {
    checkArrival(exchange);
    await admitUnknown(core, exchange);
    sendError(exchange, error);
  } catch (refusal) {
    sendError(exchange, refusal);
  }
}

async function admitUnknown(core: Core, exchange: Exchange): Promise<void> {
  try {
    await core.admit(exchange);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 429) throw error;
  }
}

function newExchange(
  core: Core,
  request: FastifyRequest,
  reply: FastifyReply,
  plan: RoutePlan | null,
): Exchange {
  const exchange = new Exchange(core, request.id, request.raw, reply.raw, plan, request);
  request.exchange = exchange;
  return exchange;
}

/** The path of a request target, without a leading `/v1`. Proxies may send the absolute form (RFC 9112 §3.2.2). */
function withoutVersion(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!path.startsWith('/v1')) return path.startsWith('?') ? `/${path}` : path;
  const rest = path.slice(3);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : path;
}

/** The path of a request target with every run of slashes as one, where the path begins with one of the prefixes. */
function withoutDoubledSlashes(target: string, prefixes: readonly string[]): string {
  if (!prefixes.some((prefix) => target.startsWith(prefix))) return target;
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  return path.replaceAll(/\/{2,}/g, '/') + target.slice(path.length);
}
