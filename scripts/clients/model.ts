/**
 * What client libraries are printed from: the operations that a key or the operator's token opens, as they read in
 * code, and the types that they take and answer. It is made of the same route table as the OpenAPI document
 * (`clientModel` in `read-model.ts`), so nothing in it is about one language.
 *
 * A printer for another language walks `resources` (a class or namespace each, `punchcard.passes`) with their `methods`
 * (`create`), spells names its own way, and keeps these rules:
 *
 * - Arguments: the path parameters by position; then the body, where there is one; then the query, where there is
 *   one. A method has a body or filters, seldom both. Options of one call (time-out, key) come last.
 * - A body of `json` type is sent as JSON, one with `file` as text or bytes of that media type; `bodies` that take both
 *   go by what they are given.
 * - `fixedQuery` is always sent. Other query parameters are sent as text: `true`, `5`.
 * - `page` says that the answer is `{ data, nextCursor }`: the method gives an iterator over the items of all pages,
 *   each asked for with the same query and `cursor`, and a way to one page.
 * - `key` says what makes a repeat harmless. It is made before the first attempt and sent with each:
 *   `externalRef` goes into the body unless the caller has given one there, `header` is `Idempotency-Key`. Where the
 *   caller gives a key for the call (an option), it is sent as the header and no externalRef is made.
 *   `given` is an externalRef that the caller has to name. `none` belongs to what changes nothing: it may be repeated.
 * - Retries: 429 and 503 after `Retry-After`, network errors and time-outs, and a 500 whose body says
 *   `retryable: true`. Never another 4xx.
 * - An answer with `pushes` in its type shows the outcome of the push: see `ObjectType`.
 * - Codes, words of enums and fields that are unknown to the library are let through: they are added at any time.
 */
export interface ClientModel {
  /** Of the API, and so of each library. */
  readonly version: string;
  /** In the order of the contents page. */
  readonly resources: readonly Resource[];
  /** By name: what bodies, queries and answers refer to. */
  readonly types: readonly NamedType[];
  /** Every code that any operation of the API can answer. */
  readonly errors: readonly ErrorModel[];
}

export interface Resource {
  /** `passes`, `apiKeys` */
  readonly name: string;
  readonly methods: readonly Method[];
}

export interface Method {
  readonly resource: string;
  /** `create`, `issueBatch`: never a reserved word of TypeScript or Python. */
  readonly name: string;
  /** The operation in the reference: `/docs/createPass`. An operation that answers JSON or CSV is two methods. */
  readonly op: string;
  readonly summary: string;
  readonly description: string;
  /** Which credential is sent. */
  readonly credential: 'key' | 'operator';
  readonly httpMethod: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/v1`, with parameters in braces. */
  readonly path: string;
  readonly pathParams: readonly Field[];
  /** Its type has a name; null without parameters. Lists have `limit` and `cursor` in it. */
  readonly query: { readonly type: RefType; readonly isRequired: boolean } | null;
  readonly fixedQuery: Readonly<Record<string, string>>;
  readonly body: BodyModel | null;
  /** As the reference shows it; absent where it shows none. */
  readonly example?: unknown;
  readonly key: 'externalRef' | 'given' | 'header' | 'none';
  /** The successes. All of one method that have a body have one kind. */
  readonly answers: readonly AnswerModel[];
  /** The items of a keyset-paged list; null for any other answer. */
  readonly page: { readonly item: Type } | null;
  /** All codes that it can be refused with. */
  readonly errors: readonly string[];
}

export interface BodyModel {
  /** Whether it has to be given. */
  readonly isRequired: boolean;
  /** The JSON body; null where only a file is taken. */
  readonly json: Type | null;
  /** The media type of a file that is taken as it is, such as `text/csv`; null where none is. */
  readonly file: string | null;
}

export type AnswerModel = { readonly status: number } & (
  | { readonly kind: 'json'; readonly type: Type }
  | { readonly kind: 'text' | 'bytes'; readonly mediaType: string }
  | { readonly kind: 'nothing' }
);

export interface ErrorModel {
  readonly code: string;
  /** The one that it usually has: `pass_not_found` is a 400 to one operation. */
  readonly status: number;
  readonly help: string;
  /** The fields of its body, apart from the text. */
  readonly fields: readonly Field[];
}

export interface NamedType {
  readonly name: string;
  readonly doc: string | null;
  readonly type: Type;
}

export type Type =
  | { readonly kind: 'string'; readonly format?: 'date-time' }
  | { readonly kind: 'integer' | 'number' | 'boolean' | 'unknown' }
  /** One of these values. */
  | { readonly kind: 'literal'; readonly values: readonly (string | number | boolean)[] }
  | RefType
  | { readonly kind: 'array'; readonly items: Type }
  /** An object whose properties the caller names. */
  | { readonly kind: 'map'; readonly values: Type }
  | ObjectType
  /** One of several; `tag` is the property whose value distinguishes them, where there is one. */
  | { readonly kind: 'union'; readonly of: readonly Type[]; readonly tag: string | null }
  | { readonly kind: 'nullable'; readonly of: Type };

export interface RefType {
  readonly kind: 'ref';
  readonly name: string;
}

export interface ObjectType {
  readonly kind: 'object';
  readonly fields: readonly Field[];
  /**
   * It shows the outcome of a push, and has the fields `pushed`, `pushSkipReason` and `warnings`, of which there are
   * three combinations: `pushed: true` alone; `pushed: false` with the reason `unchanged` or `not_installed`; and
   * `pushed: false` with `insufficient_credits` and `warnings`, as a 202.
   */
  readonly pushes: boolean;
  /** Of these fields exactly one has to be given; empty where there is no such rule. */
  readonly exactlyOne: readonly string[];
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Whether it is always there. */
  readonly isRequired: boolean;
  readonly doc: string | null;
}
