/** What is known about a request that has been answered, or whose client has gone. It may hold secrets where it says so. */
export interface AnswerFacts {
  readonly requestId: string;
  /** Null, like `path`, when no operation matched; `method` is null when not even that could be read. */
  readonly op: string | null;
  readonly method: string | null;
  /** The path as the route declares it, never as it was sent. */
  readonly path: string | null;
  /** 499 when the client went away before the answer. */
  readonly status: number;
  /** The error code of the answer. */
  readonly code: string | null;
  readonly ms: number;
  /** The message that the client got besides the code. */
  readonly message: string | null;
  /** What `admit` returned, if it came to that. */
  readonly ctx?: unknown;
  /** What `admit` has set, if it came to that. */
  readonly knownAs?: unknown;
  /** The path's parameters and the JSON body as the client sent them, with secrets. */
  readonly params?: unknown;
  readonly body?: unknown;
  /** What was answered to a change, secrets and all: JSON, or a value that was sent as such. */
  readonly answer?: unknown;
}
