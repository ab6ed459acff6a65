/** The facts of an answer, apart from its body. */
export interface ResponseFacts {
  /** What the call is known by in the logs of the service. */
  readonly requestId: string;
  /** Of HTTP: 202 where a change was applied and its push was skipped. */
  readonly status: number;
  readonly headers: Headers;
  /** An earlier call with the same key has made the change; this is its answer. */
  readonly isReplay: boolean;
}

/** Every result has it, out of the way of `JSON.stringify` and `Object.keys`. */
export interface Result {
  readonly $response: ResponseFacts;
}

/** A body with the facts of its answer. */
export function resultOf<Body extends object>(
  body: Body,
  response: Response,
  requestId: string,
): Body & Result {
  const facts: ResponseFacts = {
    requestId: response.headers.get('x-request-id') ?? requestId,
    status: response.status,
    headers: response.headers,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
  };
  return Object.defineProperty(body, '$response', { value: facts }) as Body & Result;
}

/** An answer that is a file: a table or a picture. Its text or its bytes can be taken once. */
export interface FileResult extends Result {
  readonly mediaType: string;
  text(): Promise<string>;
  bytes(): Promise<Uint8Array>;
  /** As it arrives, for files that are too large for the memory. */
  readonly stream: ReadableStream<Uint8Array>;
}
