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
}

const mostBytes = 256 * 1024;

/** One HTTP request and its answer. Redirects are answers: nothing secret travels on. It throws nothing. */
export async function exchange(url: string, request: ExchangeRequest): Promise<Exchange> {
  const { timeoutMs, ...init } = request;
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      kind: 'answer',
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
      body: await readJson(response),
    };
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error, timeoutMs) };
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

/** Seconds or a date, RFC 9110 §10.2.3. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Of the error only what is certain to hold nothing of the request: some messages quote a header. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'the request failed';
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? `the request failed: ${code}` : 'the request failed';
}
