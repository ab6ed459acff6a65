import { IsOptional, type TSchema, Type } from 'typebox';
import { isBodyRequired, JSON_TYPE, jsonBodySchema } from '../endpoints/body-parts.ts';
import type { Answer, BodyKind, Endpoint, Input, Route } from '../endpoints/endpoint.ts';

/** The facts about a route that the server needs for each request, computed once. */
export interface RoutePlan {
  readonly route: Route<unknown>;
  readonly op: string;
  /** The content type of each declared answer; null where it has no body. */
  readonly contentTypes: ReadonlyMap<number, string | null>;
  /** How a body of each media type is read; empty when the operation takes none. */
  readonly bodies: ReadonlyMap<string, BodyKind | 'json'>;
  readonly bodyRequired: boolean;
  /** The operation takes no body: the server ignores an empty one, since some clients always send one. */
  readonly takesNothing: boolean;
  /** The value that the handler gets instead of an absent body. */
  readonly absentBody: object | undefined;
  readonly bodyLimit: number;
  /** The refusal of a larger body, where the operation has its own. */
  readonly tooLarge: Endpoint<unknown>['tooLarge'];
  readonly isPage: boolean;
  /** Served even under overload. */
  readonly isVital: boolean;
  /** Its handler is no load while it waits for other requests or streams. */
  readonly hasOwnLimits: boolean;
  /** What the framework's validator takes. */
  readonly schema: RouteSchema;
  handle(ctx: unknown, input: Input): Promise<Answer>;
}

/** Computes the plan of a route. */
export function planRoute<Ctx>(route: Route<Ctx>, isVital: boolean): RoutePlan {
  const { endpoint } = route;
  const bodyRequired = endpoint.body !== undefined && isBodyRequired(endpoint.body);
  const takesJson = endpoint.body !== undefined && jsonBodySchema(endpoint.body) !== undefined;
  const bodies = new Map<string, BodyKind | 'json'>(takesJson ? [[JSON_TYPE, 'json']] : []);
  for (const [type, kind] of Object.entries(endpoint.accepts ?? {})) bodies.set(type.toLowerCase(), kind);
  return {
    route: route as Route<unknown>,
    op: endpoint.op,
    contentTypes: new Map(
      Object.entries(endpoint.answers).map(([status, declared]) => [Number(status), contentTypeOf(declared)]),
    ),
    bodies,
    bodyRequired,
    takesNothing: bodies.size === 0 && route.method !== 'GET',
    absentBody: endpoint.body !== undefined && !bodyRequired && !IsOptional(endpoint.body) ? {} : undefined,
    bodyLimit: endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT,
    tooLarge: endpoint.tooLarge,
    isPage: endpoint.page === true,
    isVital,
    // The sender of a stream decides how long its reader takes.
    hasOwnLimits: isVital || endpoint.hasOwnLimits === true || [...bodies.values()].includes('stream'),
    schema: schemaOf(endpoint, bodies, bodyRequired),
    handle: (ctx, input) => endpoint.handle(ctx as Ctx, input),
  };
}

export const JSON_CONTENT = 'application/json; charset=utf-8';

interface RouteSchema {
  params?: TSchema;
  querystring?: TSchema;
  body?: { content: Record<string, { schema: unknown }> };
}

const DEFAULT_BODY_LIMIT = 1_048_576;
const NO_QUERY = Type.Object({}, { additionalProperties: false });

function schemaOf<Ctx>(
  endpoint: Endpoint<Ctx>,
  bodies: RoutePlan['bodies'],
  bodyRequired: boolean,
): RouteSchema {
  const schema: RouteSchema = {};
  if (endpoint.params !== undefined) schema.params = endpoint.params;
  // Other sites add parameters to links of pages (utm_source, fbclid): a page ignores unknown ones.
  const query = endpoint.query ?? (endpoint.page === true ? undefined : NO_QUERY);
  if (query !== undefined) schema.querystring = query;
  const json = endpoint.body && jsonBodySchema(endpoint.body);
  if (endpoint.body === undefined || json === undefined) return schema;
  // The validator sees an absent body as null.
  const body = bodyRequired ? json : { if: { type: 'null' }, else: json };
  const validated = [...bodies].filter(([, kind]) => kind === 'json' || kind === 'form');
  if (validated.length === 0) return schema;
  schema.body = { content: Object.fromEntries(validated.map(([type]) => [type, { schema: body }])) };
  return schema;
}

function contentTypeOf(declared: Endpoint<unknown>['answers'][number]): string | null {
  if (declared === null) return null;
  if (typeof declared !== 'string') return JSON_CONTENT;
  const isText = /^text\/|[/+](?:xml|json|javascript)$/.test(declared);
  return isText ? `${declared}; charset=utf-8` : declared;
}
