import type { OpenApiDocument } from '../../../src/kit/http/reference/openapi.ts';
import type { ClientLibrary, Listed } from '../site.ts';

/** An example call, the same for every language. What the reader has to fill in is in capitals. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  /** The variable of the environment that holds the credential; null where none is asked for. */
  readonly credential: 'API_KEY' | 'OPERATOR_TOKEN' | null;
  readonly takesKey: boolean;
  readonly body: SampleBody | null;
  /** What a success carries. */
  readonly answers: 'json' | 'text' | 'bytes' | 'nothing';
  /** The same as a call of a client library; null where they have none. */
  readonly call: SampleCall | null;
}

/** `resource.method(pathArguments…, body, query)` */
export interface SampleCall {
  readonly resource: string;
  readonly method: string;
  readonly pathArguments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Where the service is. */
  readonly baseUrl: string;
  /** Whether the answer is a list, to be read page by page. */
  readonly isList: boolean;
}

/** JSON, or a file of another type in the program's folder. */
export type SampleBody =
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string; readonly file: string };

/** A language that examples are shown in. */
export interface SampleLanguage {
  readonly name: string;
  /** Of what may be coloured: whether `'` begins a text. */
  readonly hasSingleQuotes: boolean;
  write(request: SampleRequest, library: ClientLibrary | undefined): string;
}

/** The example of an operation, made of what the document says of it. */
export function sampleRequest(document: OpenApiDocument, { method, path, operation }: Listed): SampleRequest {
  const required = operation.parameters.flatMap((parameter) =>
    'name' in parameter && parameter.in === 'query' && parameter.required ? [parameter.name] : [],
  );
  const filters = Object.fromEntries(required.map((name) => [name, inCapitals(name)]));
  const query = required.map((name) => `${name}=${inCapitals(name)}`).join('&');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inCapitals(name));
  const [scheme] = operation.security.flatMap(Object.keys);
  const body = sampleBody(operation.requestBody?.content);
  const takesKey = operation.parameters.some(
    (parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey'),
  );
  return {
    method,
    url: `${document.servers[0]?.url ?? ''}${filled}${query && `?${query}`}`,
    credential: scheme === undefined ? null : scheme === 'operator' ? 'OPERATOR_TOKEN' : 'API_KEY',
    takesKey: takesKey && !(body !== null && 'value' in body && hasKey(body.value)),
    body,
    answers: answerKind(operation.responses),
    call: sampleCall(document, { path, operation }, filters),
  };
}

function sampleCall(
  document: OpenApiDocument,
  { path, operation }: Pick<Listed, 'path' | 'operation'>,
  query: SampleCall['query'],
): SampleCall | null {
  const [resource, method] = operation['x-call']?.split('.') ?? [];
  if (resource === undefined || method === undefined) return null;
  const answered = operation.responses[200]?.content?.['application/json']?.schema?.properties ?? {};
  return {
    resource,
    method,
    query,
    pathArguments: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inCapitals(name)),
    baseUrl: (document.servers[0]?.url ?? '').replace(/\/v1$/, ''),
    isList: 'nextCursor' in answered,
  };
}

function sampleBody(
  content: Readonly<Record<string, { readonly example?: unknown }>> = {},
): SampleBody | null {
  const [[type, { example }] = [undefined, {}]] = Object.entries(content);
  if (type === undefined) return null;
  return type === 'application/json'
    ? { type, value: example ?? {} }
    : { type, file: `FILE.${type.split('/')[1]}` };
}

/** Whether a body brings a key of its own, which may not differ from one in the header. */
function hasKey(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'externalRef' in body;
}

function answerKind(responses: Listed['operation']['responses']): SampleRequest['answers'] {
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const [type] = Object.keys(good?.[1].content ?? {});
  if (type === undefined) return good === undefined ? 'text' : 'nothing';
  if (type === 'application/json') return 'json';
  return type.startsWith('text/') || type.endsWith('+xml') ? 'text' : 'bytes';
}

/** `itemId` → `ITEM_ID` */
function inCapitals(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

/** Text with every line but the first moved to the right. */
export function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
