// biome-ignore lint/suspicious/noExplicitAny: a JSON body, whose shape the schema check has already proved.
export type Json = any;

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body. The client says what replaces one that is not JSON. */
  readonly body: Json;
  readonly text: string;
}

/** The methods of HTTP by name, for a client that knows how to send. */
export abstract class HttpVerbs<Extras> {
  /** A body that is a text, bytes or a form is sent as it is. */
  abstract send(method: string, path: string, body?: unknown, extras?: Extras): Promise<Reply>;

  get(path: string, extras?: Extras): Promise<Reply> {
    return this.send('GET', path, undefined, extras);
  }

  post(path: string, body?: unknown, extras?: Extras): Promise<Reply> {
    return this.send('POST', path, body, extras);
  }

  patch(path: string, body?: unknown, extras?: Extras): Promise<Reply> {
    return this.send('PATCH', path, body, extras);
  }

  put(path: string, body?: unknown, extras?: Extras): Promise<Reply> {
    return this.send('PUT', path, body, extras);
  }

  delete(path: string, extras?: Extras): Promise<Reply> {
    return this.send('DELETE', path, undefined, extras);
  }
}

/** Sends JSON, or a text, bytes or a form as they are, with a key or without; follows no redirect. */
export function sendJson(
  url: string,
  method: string,
  secret: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: headersOf(secret, body, headers),
    ...(body !== undefined && { body: contentOf(body) }),
  });
}

/** What a request says of itself; of a form, its sender says the type. */
export function headersOf(
  secret: string | null,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...(secret !== null && { authorization: `Bearer ${secret}` }),
    ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    ...headers,
  };
}

/** JSON, but what is ready to be sent. */
export function contentOf(body: unknown): string | Uint8Array<ArrayBuffer> | FormData {
  return isReady(body) ? body : JSON.stringify(body);
}

function isReady(body: unknown): body is string | Uint8Array<ArrayBuffer> | FormData {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
}
