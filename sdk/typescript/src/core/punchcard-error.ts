import type { ErrorCode, ErrorContext } from '../error-codes.ts';

/** What a refusal, or a call that got no answer, is made of. */
export interface ErrorFacts {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
  readonly retryable: boolean;
  readonly headers?: Headers;
  /** The further fields of the body, by name. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const ErrorWithContext = Error as unknown as new (
  message: string,
  options: { readonly cause?: unknown },
) => Error & ErrorContext;

/**
 * Any call that failed. Branch on `code`, or on the class of the code (`InsufficientPointsError`), never on the text.
 * The other fields of the body, such as `balance`, are properties of the error. Codes are added at any time: one that
 * this version does not know comes as a `PunchcardError`.
 */
export class PunchcardError extends ErrorWithContext {
  readonly code: ErrorCode | (string & {});
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  /** What the call is known by in the logs of the service: give it to support. */
  readonly requestId: string;
  /** Whether the same call may succeed later, without a change. The client has tried it again already. */
  readonly retryable: boolean;
  /** Of the answer; empty where there was none. */
  readonly headers: Headers;

  constructor({ message, code, status, requestId, retryable, headers, context, cause }: ErrorFacts) {
    super(message, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    Object.assign(this, context);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryable = retryable;
    this.headers = headers ?? new Headers();
  }
}

/** The service could not be reached, or its answer was cut off. It is unknown whether it carried the call out. */
export class PunchcardConnectionError extends PunchcardError {
  declare readonly code: 'connection_failed';
}

/** There was no answer in time. It is unknown whether the service carried the call out. */
export class PunchcardTimeoutError extends PunchcardError {
  declare readonly code: 'timed_out';
}

/** Something other than the service has answered, such as a proxy before it. */
export class UnexpectedAnswerError extends PunchcardError {
  declare readonly code: 'unexpected_answer';
}
