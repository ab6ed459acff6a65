import type { OpenApiDocument } from '../../http/reference/openapi.ts';
import type { Listed } from '../site.ts';

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
}

/** JSON, or a file of another type that lies beside the program. */
export type SampleBody =
  | { readonly type: string; readonly value: unknown }
  | { readonly type: string; readonly file: string };

/** A language that examples are shown in; a client library would be another one. */
export interface SampleLanguage {
  readonly name: string;
  /** Of what may be coloured: whether `'` begins a text. */
  readonly hasSingleQuotes: boolean;
  write(request: SampleRequest): string;
}

/** The example of an operation, made of what the document says of it. */
export function sampleRequest(document: OpenApiDocument, { method, path, operation }: Listed): SampleRequest {
  const required = operation.parameters.flatMap((parameter) =>
    'name' in parameter && parameter.in === 'query' && parameter.required ? [parameter.name] : [],
  );
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
