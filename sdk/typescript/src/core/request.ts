import { type CallOptions, type FileBody, newKey } from './options.ts';

/** One operation with what it is given. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  readonly file?: { readonly mediaType: string; readonly content: FileBody };
  /** Where a key is made that makes a repeat harmless; absent where none is needed. */
  readonly key?: 'externalRef' | 'header';
  readonly credential?: 'operator';
}

/** A request, the same for each attempt. */
export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FileBody | null;
}

/** A path with its parameters, each escaped. */
export function path(texts: TemplateStringsArray, ...parameters: readonly string[]): string {
  return String.raw({ raw: texts }, ...parameters.map(escaped));
}

/** A parameter that is empty or dots would lead to another address. */
function escaped(parameter: string): string {
  if (/^\.{0,2}$/.test(parameter)) throw new TypeError(`"${parameter}" cannot be part of a path.`);
  return encodeURIComponent(parameter);
}

/** A body that may be a file in the place of JSON. */
export function bodyOf(body: object | FileBody, mediaType: string): Pick<Call, 'body' | 'file'> {
  const isFile = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
  return isFile ? { file: { mediaType, content: body } } : { body };
}

/** A call as it is sent: with its key, which is made before the first attempt. */
export function prepare(call: Call, options: CallOptions, baseUrl: string): PreparedRequest {
  const { method, file, key } = call;
  const given = options.idempotencyKey ?? (call.body as { externalRef?: string } | undefined)?.externalRef;
  const makesRef = key === 'externalRef' && given === undefined;
  const body = makesRef ? { ...call.body, externalRef: newKey() } : call.body;
  const headers: Record<string, string> = { accept: '*/*', 'x-request-id': newKey() };
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
  else if (key === 'header') headers['idempotency-key'] = newKey();
  if (file !== undefined) headers['content-type'] = file.mediaType;
  else if (body !== undefined) headers['content-type'] = 'application/json';
  return {
    url: `${baseUrl}${call.path}${queryOf(call.query)}`,
    method,
    headers,
    body: file?.content ?? (body === undefined ? null : JSON.stringify(body)),
  };
}

function queryOf(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}

/** Where the service is, with the version of the API. */
export function versioned(baseUrl: string): string {
  if (!/^https?:\/\/[^/]/i.test(baseUrl))
    throw new TypeError('baseUrl must begin with http:// or https://, such as https://cards.example.com');
  const base = new URL(baseUrl).href.replace(/\/+$/, '');
  return base.endsWith('/v1') ? base : `${base}/v1`;
}
