import { type Problem, type ProblemDetail, type ProblemRule, problemOf } from './schemas/problems.ts';

/**
 * A refusal that the client may see: status, stable code, a message that says what to fix, the code's extra
 * context fields, and headers such as Retry-After. Everything else that is thrown is an internal error.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Whom it concerns, for the page that shows it. It is never sent. */
  about: unknown = null;
  /** A page that a browser gets in place of that one, such as the form with what is wrong with it. */
  page: { readonly html: string; readonly headers: Readonly<Record<string, string>> } | null = null;
  /** What that page advises in place of what it would by the code, by the name of it. It is never sent. */
  advice: string | null = null;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

/** A refusal whose page advises this. */
export function advised(error: ApiError, advice: string): ApiError {
  error.advice = advice;
  return error;
}

/** What is decided, or the refusal as a value: the neighbours of a refused item go on. */
export function catchRefusal<T>(decide: () => T): T | ApiError {
  try {
    return decide();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * `400 invalid_request` with a message that says what to fix, and the problem in a form for programs: without one, it is
 * the request as a whole.
 */
export function invalidRequest(
  message: string,
  problem: Problem = problemOf('', 'other', message),
): ApiError {
  return new ApiError(400, 'invalid_request', message, { problems: [problem] });
}

/** `400 invalid_request` about one property or parameter: `total.currency: the order was placed in EUR.` */
export function invalidField(
  path: string,
  rule: ProblemRule,
  predicate: string,
  detail: ProblemDetail = {},
): ApiError {
  return invalidRequest(`${path}: ${predicate}`, problemOf(path, rule, predicate, detail));
}

/** The same where the path is the subject of the sentence: `tier is not known here.` An empty path is the whole body. */
export function invalidAt(path: string, rule: ProblemRule, predicate: string, detail: ProblemDetail = {}) {
  return invalidRequest(`${path || 'The body'} ${predicate}`, problemOf(path, rule, predicate, detail));
}

/** `400 invalid_request` about no single property, in a sentence of its own. */
export function invalidAs(
  rule: ProblemRule,
  message: string,
  detail: ProblemDetail & { path?: string } = {},
) {
  return invalidRequest(message, problemOf(detail.path ?? '', rule, message, detail));
}

/** The contract's error body: `{ error, code, requestId }` and the code's extra fields. */
export function errorBody(error: ApiError, requestId: string): Record<string, unknown> {
  return { error: error.message, code: error.code, requestId, ...error.extra };
}
