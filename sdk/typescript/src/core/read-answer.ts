import { errorClasses } from '../errors.ts';
import { PunchcardConnectionError, PunchcardError, UnexpectedAnswerError } from './punchcard-error.ts';
import { type FileResult, type Result, resultOf } from './result.ts';

/** The body of a success that is JSON, or has none. A body that ends too early is a lost connection. */
export async function readJson<Body extends object>(
  response: Response,
  requestId: string,
): Promise<Body & Result> {
  const text = await response.text();
  if (text === '' && response.status === 204) return resultOf({} as Body, response, requestId);
  if (!isJson(response)) throw unexpected(response, requestId, false);
  const body = parsed(text);
  if (body === undefined) throw cutOff(requestId);
  return resultOf(body as Body, response, requestId);
}

/** A success that is a file, before it was read. */
export function readFile(response: Response, requestId: string): FileResult {
  const inTime = <T>(read: Promise<T>): Promise<T> =>
    read.catch((cause) => {
      throw cause?.name === 'AbortError' ? cause : cutOff(requestId, cause);
    });
  const file = {
    mediaType: response.headers.get('content-type') ?? '',
    text: () => inTime(response.text()),
    bytes: () => inTime(response.arrayBuffer()).then((buffer) => new Uint8Array(buffer)),
    get stream() {
      return response.body as ReadableStream<Uint8Array>;
    },
  };
  return resultOf(file, response, requestId);
}

/** The error that an answer other than a success is thrown as. */
export async function readError(response: Response, requestId: string): Promise<PunchcardError> {
  const { status, headers } = response;
  const body = parsed(await response.text());
  if (body === undefined && isJson(response)) return cutOff(requestId);
  const { error, code, requestId: own = requestId, ...context } = body ?? {};
  if (typeof code !== 'string') return unexpected(response, requestId, [429, 502, 503, 504].includes(status));
  const retryable = status === 429 || status === 503 || (status === 500 && context.retryable === true);
  const ErrorOfCode = Object.hasOwn(errorClasses, code)
    ? errorClasses[code as keyof typeof errorClasses]
    : PunchcardError;
  return new ErrorOfCode({
    code,
    status,
    message: String(error),
    requestId: String(own),
    retryable,
    headers,
    context,
  });
}

/** The service has not answered, or not to the end. */
export function cutOff(requestId: string, cause?: unknown): PunchcardConnectionError {
  const message = 'The service could not be reached, or its answer was cut off.';
  return new PunchcardConnectionError({
    code: 'connection_failed',
    status: 0,
    message,
    requestId,
    retryable: true,
    cause,
  });
}

function unexpected(
  { status, headers }: Response,
  requestId: string,
  retryable: boolean,
): UnexpectedAnswerError {
  const message = `Something that is not Punchcard has answered, with HTTP ${status}. Check the baseUrl.`;
  return new UnexpectedAnswerError({
    code: 'unexpected_answer',
    status,
    message,
    requestId,
    retryable,
    headers,
  });
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
