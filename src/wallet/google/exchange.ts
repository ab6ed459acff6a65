import { fetchFailure } from '../../kit/http/fetch-failure.ts';
import { retryAfterMs } from '../../kit/http/http-date.ts';

/** An answer of another service, or why there is none. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** How long it asks to wait; null where it does not say. */
      readonly retryAfterMs: number | null;
      /** The JSON of the body; null when it has none, or more than 256 KiB of it. */
      readonly body: unknown;
    }
  | { readonly kind: 'unreachable'; readonly reason: string };

interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  now(): Date;
}

const mostBytes = 256 * 1024;

/** One HTTP request and its answer. Redirects are answers: nothing secret travels on. It throws nothing. */
export async function exchange(url: string, request: ExchangeRequest): Promise<Exchange> {
  const { timeoutMs, now, ...init } = request;
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      kind: 'answer',
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now()),
      body: await readJson(response),
    };
  } catch (error) {
    return { kind: 'unreachable', reason: fetchFailure(error, timeoutMs) };
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (response.body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop closes the connection: the rest is never received.
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}
