import { STATUS_CODES } from 'node:http';
import type { TObject, TSchema } from 'typebox';
import { bodyParts, isBodyRequired, JSON_TYPE, jsonBodySchema } from '../endpoints/body-parts.ts';
import type { MediaType, Route } from '../endpoints/endpoint.ts';
import { ErrorBody, HEADERS, PARAMETERS, SECURITY } from './openapi-components.ts';
import { createSchemaPool, type JsonSchema, type SchemaPool } from './openapi-schema.ts';

export interface OpenApiInput<R extends AnyRoute> {
  readonly routes: readonly R[];
  readonly info: Info;
  readonly serverUrl: string;
  /** Every error code: its status and what to do about it. */
  readonly errorTable: Readonly<Record<string, readonly [status: number, help: string]>>;
  /** What the body of a refusal holds besides its text, by code. */
  readonly errorContext?: Readonly<Record<string, Readonly<Record<string, TSchema>>>>;
  /** The codes that a route can answer besides the endpoint's own. */
  commonErrors(route: R): readonly string[];
  /** Which credential opens the route. */
  securityOf(route: R): 'key' | 'operator' | null;
  /** The statuses of a code that differ on this route from the one in the table. */
  statusesOf?(route: R, code: string): readonly number[] | undefined;
  /** What the reference says under a tag's heading. */
  readonly tagDescriptions?: Readonly<Record<string, string>>;
}

/** The part of a route that the description needs; any context and access word fits. */
export type AnyRoute = Pick<Route<never>, 'method' | 'path'> & {
  readonly endpoint: Omit<Route<never>['endpoint'], 'handle'>;
};

export interface Info {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly contact?: { readonly name: string; readonly url: string };
  /** `identifier` is one of SPDX. */
  readonly license?: { readonly name: string; readonly identifier: string };
}

/** An OpenAPI 3.1 document, as far as this service uses the format. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Info;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
  /** Every error code with its usual status, its help and its further fields, once. */
  readonly 'x-error-codes': Readonly<Record<string, CodeFacts>>;
}

/** What is known of an error code. */
interface CodeFacts {
  readonly status: number;
  readonly help: string;
  readonly fields?: Readonly<Record<string, JsonSchema>>;
}

export interface Operation {
  readonly operationId: string;
  /** What client libraries call it. */
  readonly 'x-call'?: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Content;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;
type Header = { readonly description: string; readonly schema: JsonSchema };
type Reference = { readonly $ref: string };

/**
 * The OpenAPI 3.1 description of all routes, ready for JSON. Throws when the routes contradict themselves: an
 * operation twice, a path parameter without a schema, an error code that is not in the table, two schemas
 * with one `$id`, or a reference that leads nowhere.
 */
export function openapiDocument<R extends AnyRoute>(input: OpenApiInput<R>): OpenApiDocument {
  const pool = createSchemaPool();
  pool.add(ErrorBody);
  const paths: Record<string, Record<string, Operation>> = {};
  const operations = new Set<string>();
  for (const route of input.routes) {
    const { op } = route.endpoint;
    if (operations.has(op)) throw new Error(`two routes have the operation "${op}"`);
    operations.add(op);
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeRoute(input, route, pool),
    };
  }
  const codes = Object.entries(input.errorTable).map(([code, [status, help]]) => {
    const context = Object.entries(input.errorContext?.[code] ?? {});
    const fields = Object.fromEntries(context.map(([name, schema]) => [name, pool.add(schema)]));
    return [code, { status, help, ...(context.length > 0 && { fields }) }];
  });
  return {
    openapi: '3.1.0',
    info: input.info,
    servers: [{ url: input.serverUrl }],
    tags: tagsOf(input),
    paths,
    components: {
      schemas: pool.schemas(),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
    'x-error-codes': Object.fromEntries(codes),
  };
}

function tagsOf<R extends AnyRoute>({ routes, tagDescriptions = {} }: OpenApiInput<R>) {
  const names = new Set(routes.map((route) => route.endpoint.tag));
  return [...names].map((name) => {
    const description = tagDescriptions[name];
    return description === undefined ? { name } : { name, description };
  });
}

function describeRoute<R extends AnyRoute>(input: OpenApiInput<R>, route: R, pool: SchemaPool): Operation {
  const { endpoint } = route;
  const security = input.securityOf(route);
  return {
    operationId: endpoint.op,
    ...(endpoint.call !== undefined && { 'x-call': endpoint.call }),
    summary: endpoint.summary,
    ...(endpoint.description !== undefined && { description: endpoint.description }),
    tags: [endpoint.tag],
    security: security === null ? [] : [{ [security]: [] }],
    parameters: [
      ...pathParameters(route, pool),
      ...fieldsOf(endpoint.query, 'query', pool),
      ...(endpoint.idempotent === true ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(endpoint.body !== undefined && { requestBody: requestBody(endpoint, endpoint.body, pool) }),
    responses: { ...answers(input, route, pool), ...refusals(input, route), ...otherwise(endpoint) },
  };
}

function pathParameters(route: AnyRoute, pool: SchemaPool): Parameter[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const described = fieldsOf(route.endpoint.params, 'path', pool);
  const undescribed = inPath.find((name) => !described.some((parameter) => parameter.name === name));
  const unused = described.find((parameter) => !inPath.includes(parameter.name))?.name;
  if (undescribed !== undefined) throw new Error(`${route.path}: {${undescribed}} has no schema in params`);
  if (unused !== undefined) throw new Error(`${route.path}: params has "${unused}", the path has not`);
  return described;
}

function fieldsOf(schema: TObject | undefined, where: 'path' | 'query', pool: SchemaPool): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...plain } = pool.add(field);
    return {
      name,
      in: where,
      required:
        where === 'path' || (schema?.required as readonly string[] | undefined)?.includes(name) === true,
      ...(description !== undefined && { description }),
      schema: plain,
    };
  });
}

/**
 * A part of the body with `contentMediaType`, for example `text/csv`, is sent as that type and not as JSON.
 */
function requestBody(endpoint: AnyRoute['endpoint'], body: TSchema, pool: SchemaPool) {
  const limit = endpoint.bodyLimit;
  const json = jsonBodySchema(body);
  const content: Record<string, { schema: JsonSchema; example?: unknown }> = {};
  if (json !== undefined) {
    const example = endpoint.example === undefined ? {} : { example: endpoint.example };
    content[JSON_TYPE] = { schema: pool.add(json), ...example };
  }
  for (const { type, schema } of bodyParts(body)) {
    if (type !== JSON_TYPE) content[type] = { schema: pool.add(schema) };
  }
  return {
    required: isBodyRequired(body),
    ...(limit !== undefined && { description: `At most ${limit / 2 ** 20} MiB.` }),
    content,
  };
}

function answers<R extends AnyRoute>(input: OpenApiInput<R>, route: R, pool: SchemaPool) {
  const responses: Record<string, Response> = {};
  for (const [status, body] of Object.entries(route.endpoint.answers)) {
    const content = contentOf(body, pool);
    responses[status] = {
      description: STATUS_CODES[status] ?? 'Success',
      headers: headersOf(input, route, Number(status)),
      ...(content !== undefined && { content }),
    };
  }
  return responses;
}

function contentOf(body: TSchema | MediaType | null, pool: SchemaPool): Content | undefined {
  if (body === null) return undefined;
  if (typeof body !== 'string') return contentOfParts(body, pool);
  return { [body]: body.startsWith('text/') || body.endsWith('+xml') ? { schema: { type: 'string' } } : {} };
}

/** JSON, and where a part of a union has `contentMediaType`, a text of that type in its place. */
function contentOfParts(body: TSchema, pool: SchemaPool): Content {
  const json = jsonBodySchema(body);
  const texts = bodyParts(body).filter(({ type }) => type !== JSON_TYPE);
  return {
    ...(json !== undefined && { [JSON_TYPE]: { schema: pool.add(json) } }),
    ...Object.fromEntries(texts.map(({ type, schema }) => [type, { schema: pool.add(schema) }])),
  };
}

/** One response a status, with all codes that the status can carry here. */
function refusals<R extends AnyRoute>(input: OpenApiInput<R>, route: R): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const [status, codes] of codesByStatus(input, route)) {
    const code = { type: 'string', enum: codes };
    const own = { type: 'object', required: ['code'], properties: { code } };
    const error = { allOf: [{ $ref: '#/components/schemas/Error' }, own] };
    responses[status] = {
      description: codes.map((name) => `- \`${name}\`: ${input.errorTable[name]?.[1]}`).join('\n'),
      headers: headersOf(input, route, status),
      content: {
        [JSON_TYPE]: { schema: error },
        ...(route.endpoint.page === true && { 'text/html': { schema: { type: 'string' } } }),
      },
    };
  }
  return responses;
}

/** What else may come where nothing is a success: tools do not know that to be sent elsewhere is one. */
function otherwise({ answers: declared }: AnyRoute['endpoint']): Record<string, Response> {
  if (Object.keys(declared).some((status) => status.startsWith('2'))) return {};
  const content = { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } };
  return { default: { description: 'Any other refusal', headers: {}, content } };
}

function codesByStatus<R extends AnyRoute>(input: OpenApiInput<R>, route: R): Map<number, string[]> {
  const byStatus = new Map<number, string[]>();
  for (const code of new Set([...route.endpoint.errors, ...input.commonErrors(route)])) {
    const entry = input.errorTable[code];
    if (entry === undefined) {
      throw new Error(`${route.endpoint.op}: error code "${code}" is not in the error table`);
    }
    for (const status of input.statusesOf?.(route, code) ?? [entry[0]]) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
  }
  return byStatus;
}

function headersOf<R extends AnyRoute>(input: OpenApiInput<R>, route: R, status: number) {
  const names = ['X-Request-Id'];
  const limited = input.commonErrors(route).some((code) => input.errorTable[code]?.[0] === 429);
  if (limited) names.push('RateLimit-Policy', 'RateLimit');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status >= 300 && status < 400) names.push('Location');
  if (status < 300 && route.endpoint.idempotent === true) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
