import { type CallOptions, type Clock, type PunchcardOptions, systemClock } from './options.ts';
import { List, type Page } from './pages.ts';
import { PunchcardError, PunchcardTimeoutError } from './punchcard-error.ts';
import { cutOff, readError, readFile, readJson } from './read-answer.ts';
import { type Call, type PreparedRequest, prepare, versioned } from './request.ts';
import type { FileResult, Result } from './result.ts';

/** Longer than this the caller decides whether to wait. */
const mostWaitMs = 60_000;

/** Sends calls and tries them again, by the rules of the contract. */
export class Sender {
  readonly #baseUrl: string;
  readonly #options: PunchcardOptions;
  readonly #clock: Clock;

  constructor(options: PunchcardOptions) {
    for (const name of ['apiKey', 'operatorToken'] as const)
      if (options[name]?.trim() === '') throw new TypeError(`${name} is empty.`);
    this.#baseUrl = versioned(options.baseUrl);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** The JSON that the call is answered with; nothing but its facts where there is no body. */
  json<Body extends object>(call: Call, options: CallOptions = {}): Promise<Body & Result> {
    return this.#send(call, options, (response, requestId) => readJson<Body>(response, requestId));
  }

  /** The file that the call is answered with. */
  file(call: Call, options: CallOptions = {}): Promise<FileResult> {
    return this.#send(call, options, async (response, requestId) => readFile(response, requestId));
  }

  /** The list that the call reads, a page at a time. */
  list<Item>(call: Call, options: CallOptions = {}): List<Item> {
    return new List((cursor) => {
      const query = cursor === undefined ? call.query : { ...call.query, cursor };
      return this.json<Page<Item>>({ ...call, query }, options);
    });
  }

  async #send<T>(call: Call, options: CallOptions, read: Read<T>): Promise<T> {
    const prepared = prepare(call, options, this.#baseUrl);
    const token = call.credential === 'operator' ? this.#options.operatorToken : this.#options.apiKey;
    const headers = { ...prepared.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const { wait = 0 } = (call.query ?? {}) as { readonly wait?: number };
    const timeoutMs = (options.timeoutMs ?? this.#options.timeoutMs ?? 30_000) + wait * 1_000;
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 4;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt({ ...prepared, headers }, timeoutMs, options.signal, read);
      } catch (error) {
        const waitMs = attempt < maxRetries ? this.#waitMs(error, attempt) : null;
        if (waitMs === null) throw error;
        await this.#clock.sleep(waitMs, options.signal ?? new AbortController().signal);
      }
    }
  }

  async #attempt<T>(
    { url, ...request }: PreparedRequest,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    read: Read<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const requestId = request.headers['x-request-id'] ?? '';
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const both = AbortSignal.any(signal === undefined ? [late.signal] : [late.signal, signal]);
    const send = this.#options.fetch ?? globalThis.fetch;
    try {
      const body = request.body as NonNullable<RequestInit['body']> | null;
      const response = await send(url, { ...request, body, redirect: 'manual', signal: both });
      if (!response.ok) throw await readError(response, requestId);
      return await read(response, requestId);
    } catch (error) {
      if (error instanceof PunchcardError) throw error;
      signal?.throwIfAborted();
      throw late.signal.aborted ? tooLate(requestId, timeoutMs) : cutOff(requestId, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** How long to wait before the next attempt; null where there is to be none. */
  #waitMs(error: unknown, attempt: number): number | null {
    if (!(error instanceof PunchcardError) || !error.retryable) return null;
    const asked = error.headers.get('retry-after');
    if (asked === null) return Math.min(500 * 2 ** attempt, 8_000) * (0.5 + Math.random() / 2);
    const ms = /^\d+$/.test(asked) ? Number(asked) * 1_000 : Date.parse(asked) - this.#clock.now();
    return ms <= mostWaitMs ? Math.max(ms, 0) : null;
  }
}

type Read<T> = (response: Response, requestId: string) => Promise<T>;

function tooLate(requestId: string, timeoutMs: number): PunchcardTimeoutError {
  const message = `The service has not answered within ${timeoutMs} ms.`;
  return new PunchcardTimeoutError({ code: 'timed_out', status: 0, message, requestId, retryable: true });
}
