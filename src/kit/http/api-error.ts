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

/** `400 invalid_request` with a message that names the property and says what to fix. */
export function invalidRequest(message: string): ApiError {
  return new ApiError(400, 'invalid_request', message);
}

/** The contract's error body: `{ error, code, requestId }` and the code's extra fields. */
export function errorBody(error: ApiError, requestId: string): Record<string, unknown> {
  return { error: error.message, code: error.code, requestId, ...error.extra };
}
