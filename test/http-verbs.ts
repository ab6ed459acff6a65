// biome-ignore lint/suspicious/noExplicitAny: a JSON body, whose shape the schema check has already proved.
export type Json = any;

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body. What stands for one that is none, its client says. */
  readonly body: Json;
  readonly text: string;
}

/** The methods of HTTP by name, for a client that knows how to send. */
export abstract class HttpVerbs<Extras> {
  /** A body that is a text is sent as it is. */
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

  delete(path: string, extras?: Extras): Promise<Reply> {
    return this.send('DELETE', path, undefined, extras);
  }
}

/** Sends JSON, or a text as it is, with a key or without; follows no redirect. */
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
    headers: {
      ...(secret !== null && { authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}
