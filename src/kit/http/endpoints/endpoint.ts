import type { TObject, TSchema } from 'typebox';
import type { ApiError } from '../api-error.ts';

/**
 * One operation of an HTTP API, described once: the server validates by it, the reference is printed from it.
 * `Ctx` is what the application knows about an admitted request (caller, clock, database).
 */
export interface Endpoint<Ctx> {
  /** The one name of the operation, from OpenAPI's operationId to the log line. */
  readonly op: string;
  /** What client libraries call it, `resource.method`; an operation without one is not theirs. */
  readonly call?: string;
  /** The heading it stands under in the reference. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /**
   * The JSON body; wrapped in `Type.Optional` where it may be left out. With `contentMediaType` a text of that type,
   * which `accepts` has to name, replaces it; in a union of both, either is allowed.
   */
  readonly body?: TSchema;
  /**
   * Media types that are taken besides JSON (or alone, without `body`): as `bytes`, as they came (signatures are
   * made over them), as `text`, as a `form`, an object of strings that `body` describes, or as a `stream` that the
   * handler reads while it arrives. An entry for `application/json` replaces the parsed body.
   */
  readonly accepts?: Readonly<Record<MediaType, BodyKind>>;
  /** A body as the reference shows it; it must validate. */
  readonly example?: unknown;
  /** Largest request body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** What a larger one is refused with; `request_too_large` by default. */
  readonly tooLarge?: (() => ApiError) | undefined;
  /** The client may send Idempotency-Key. */
  readonly idempotent?: boolean;
  /**
   * Every 2xx or 3xx status with the schema of its JSON body, its media type, or null for no body. In a union a text with
   * `contentMediaType` may take the place of JSON: the answer then names its content type itself.
   */
  readonly answers: Readonly<Record<number, TSchema | MediaType | null>>;
  /** The error codes of this operation beyond those that every operation can answer. */
  readonly errors: readonly string[];
  /** It may wait long, for others' servers or for what it limits itself, and takes no place of the other requests. */
  readonly hasOwnLimits?: boolean;
  /** Errors are shown as a page when the client asks for text/html. */
  readonly page?: boolean;
  handle(ctx: Ctx, input: Input): Promise<Answer>;
}

/** A body that is not JSON: its media type, e.g. `image/svg+xml`. */
export type MediaType = `${string}/${string}`;

/**
 * How a body that is not JSON reaches the handler: a Buffer, a string, an object of strings, or a Readable of Buffers,
 * whose errors are refusals to be passed on.
 */
export type BodyKind = 'bytes' | 'text' | 'form' | 'stream';

/** What the server hands to an endpoint: validated by its schemas, nothing coerced. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Lower-case header names; a header that was sent twice is joined as Node does. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What an endpoint answers. A string, buffer or stream (node:stream) is sent as it stands, anything else as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One line of the contents page. `access` is the application's own word; the server only passes it on. */
export interface Route<Ctx, Access extends string = string> {
  readonly method: Method;
  /** With parameters in braces: `/passes/{passId}`. */
  readonly path: string;
  readonly access: Access;
  readonly endpoint: Endpoint<Ctx>;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** `'POST /passes'` → one line of the contents page. */
export function route<Ctx, Access extends string>(
  line: `${Method} /${string}`,
  access: Access,
  endpoint: Endpoint<Ctx>,
): Route<Ctx, Access> {
  const [method, path] = line.split(' ') as [Method, string];
  return { method, path, access, endpoint };
}
