import type { ApiError } from '../api-error.ts';
import { ArrivingBodies } from '../capacity/arriving-bodies.ts';
import { ConcurrencyLimit } from '../capacity/concurrency-limit.ts';
import { InFlight } from '../capacity/in-flight.ts';
import { type Listeners, openListeners } from '../capacity/listeners.ts';
import type { Route } from '../endpoints/endpoint.ts';
import type { AnswerFacts } from './answer-facts.ts';
import type { Admission, AnswerPage, Core } from './exchange.ts';
import { createFramework } from './framework.ts';
import { planRoute } from './route-plan.ts';
import type { Site } from './site.ts';

export interface HttpServerOptions<Ctx> {
  readonly routes: readonly Route<Ctx>[];
  /**
   * Decides before the body is read whether to serve a request, and for which caller. Throws the refusal. The server also
   * calls it for unknown paths and methods (`route` is null); there only a 429 counts.
   */
  admit(admission: Admission): Promise<Ctx>;
  readonly log: HttpLog;
  generateRequestId(): string;
  /** Addresses (CIDR) of the proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustProxy?: readonly string[];
  /**
   * Beginnings of paths below which a run of slashes counts as one, for clients that put their paths behind a base
   * address that ends with a slash. Elsewhere it is another path: clients must not evade a proxy's rules about paths with it.
   */
  readonly mergeSlashesBelow?: readonly string[];
  readonly timeouts?: Partial<Timeouts>;
  /** Requests at once, from their bodies to the end of their answers; more are answered 503 `overloaded`. 2,000 by default. */
  readonly maxInFlight?: number;
  /** Handlers at work at once, except those that have limits of their own; more are answered 503 too. 600 by default. */
  readonly maxBusy?: number;
  /** Routes that are served even under overload, such as health checks. */
  isVital?(route: Route<Ctx>): boolean;
  /** The page of an error, for endpoints with `page` when the client asks for HTML. */
  errorPage?(error: ApiError, requestId: string, acceptLanguage: string | undefined): AnswerPage;
  /** Pages and files besides the API, at paths that no route has. */
  readonly site?: Site;
  /** The name of the caller that `admit` has found, whose bodies have memory of their own. Null for an unknown caller. */
  callerOf?(ctx: Ctx): string | null;
  /** Fields of the caller for the log. */
  logFields?(ctx: Ctx): Record<string, unknown>;
  /** Called once per request when it is over: metrics, request log. */
  onAnswer?(facts: AnswerFacts & { readonly ctx?: Ctx }): void;
}

interface Timeouts {
  /** The time to receive all headers. 10 s. */
  readonly headersMs: number;
  /** The time to receive the whole request, and again for the client to take the answer. 30 s. */
  readonly requestMs: number;
  /** The time to receive a body before it must keep to a least rate, on average. 10 s. */
  readonly bodyMs: number;
  /** The time that an idle connection stays open; longer than that of a load balancer in front. 72 s. */
  readonly keepAliveMs: number;
  /** How often the limits above are checked. 500 ms, which is also the most. */
  readonly checkMs: number;
  /** The time for requests in flight to finish when the server closes. 10 s. */
  readonly closeMs: number;
}

export interface HttpServer {
  readonly isDraining: boolean;
  /** How many requests are being served. */
  readonly inFlight: number;
  /** How many requests wait for their bodies. */
  readonly waiting: number;
  /** Starts to serve; port 0 takes a free one. One that `joins` shares the port of another process of the same service. */
  listen(at: {
    readonly host: string;
    readonly port: number;
    readonly joins?: boolean | undefined;
  }): Promise<{ url: string; port: number }>;
  /** From now on every answer asks its client to close the connection. Requests are still served. */
  drain(): void;
  /** Stops listening, waits `closeMs` for the requests in flight, then closes every connection. Answers the number of requests that it cut. */
  close(): Promise<number>;
}

/**
 * An HTTP/1.1 server for JSON APIs on the open internet. Every answer, those of the HTTP parser included, carries
 * X-Request-Id, and every refusal the contract's error body. Paths are served as declared and below `/v1`.
 */
export function createHttpServer<Ctx>(options: HttpServerOptions<Ctx>): HttpServer {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  timeouts.checkMs = Math.min(timeouts.checkMs, DEFAULT_TIMEOUTS.checkMs);
  const core = createCore(options);
  const plans = options.routes.map((route) => planRoute(route, options.isVital?.(route) ?? false));
  const { trustProxy = [], mergeSlashesBelow = [] } = options;
  const app = createFramework(core, plans, { trustProxy, mergeSlashesBelow }, timeouts);
  let listeners: Listeners | undefined;

  return {
    get isDraining() {
      return core.draining;
    },
    get inFlight() {
      return core.inFlight.load;
    },
    get waiting() {
      return core.inFlight.waiting;
    },
    async listen({ host, port, joins }) {
      listeners = await openListeners(app, { host, port, joins }, (error) =>
        options.log.error({ err: error }, 'a connection could not be accepted'),
      );
      core.inFlight.watch(timeouts.checkMs, timeouts.requestMs);
      core.arriving.watch(timeouts.checkMs, timeouts.bodyMs);
      const bound = listeners.port;
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
    },
    drain() {
      core.draining = true;
    },
    async close() {
      core.draining = true;
      core.arriving.hurry();
      const closed = Promise.all([app.close(), listeners?.close()]);
      core.inFlight.endStreams();
      const cut = (await core.inFlight.landed(timeouts.closeMs))
        ? 0
        : core.inFlight.load + core.inFlight.waiting;
      app.server.closeAllConnections();
      await closed;
      core.inFlight.stopWatching();
      core.arriving.stopWatching();
      return cut;
    },
  };
}

const DEFAULT_TIMEOUTS = {
  headersMs: 10_000,
  requestMs: 30_000,
  bodyMs: 10_000,
  keepAliveMs: 72_000,
  checkMs: 500,
  closeMs: 10_000,
};

function createCore<Ctx>(options: HttpServerOptions<Ctx>): Core {
  const { log } = options;
  const inFlight = new InFlight();
  const vital = options.routes.filter((route) => options.isVital?.(route) ?? false);
  const probes = new Set<string | null>(vital.map(({ endpoint }) => endpoint.op));
  return {
    admit: (admission) => options.admit(admission),
    generateRequestId: () => options.generateRequestId(),
    errorPage: (error, requestId, acceptLanguage) =>
      options.errorPage?.(error, requestId, acceptLanguage) ?? null,
    site: options.site ?? null,
    answered(facts) {
      try {
        const more = facts.ctx === undefined ? undefined : options.logFields?.(facts.ctx as Ctx);
        logAnswer(log, facts, { isProbe: probes.has(facts.op), more });
        options.onAnswer?.(facts as AnswerFacts & { ctx?: Ctx });
      } catch (error) {
        log.error({ err: error, requestId: facts.requestId }, 'an answer could not be recorded');
      }
    },
    failed(error, requestId, op) {
      log.error({ err: error, requestId, op }, 'request failed');
    },
    callerOf: (ctx) => (ctx === undefined ? null : (options.callerOf?.(ctx as Ctx) ?? null)),
    inFlight,
    arriving: new ArrivingBodies(inFlight),
    maxInFlight: options.maxInFlight ?? 2_000,
    concurrency: new ConcurrencyLimit(options.maxBusy ?? 600),
    draining: false,
  };
}

/** The log of the server; pino fits. */
interface HttpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * One line per answer. The path is the route's pattern: the URL as sent may hold tokens. `more` are fields that
 * the application knows about the caller. A probe that succeeds is logged at debug: it comes each second.
 */
function logAnswer(
  log: HttpLog,
  facts: AnswerFacts,
  { isProbe, more }: { readonly isProbe: boolean; readonly more: Record<string, unknown> | undefined },
): void {
  const { requestId, op, method, path, status, code, ms } = facts;
  const level = isProbe && status < 400 ? 'debug' : 'info';
  log[level](
    { requestId, op, method, route: path, status, code, ms: Math.round(ms * 10) / 10, ...more },
    'answered',
  );
}
