/** How a client is made. */
export interface PunchcardOptions {
  /** Where the service is: `https://cards.example.com`. */
  readonly baseUrl: string;
  /** Opens everything of a workspace. Keep it on servers: who has it can issue cards and points. */
  readonly apiKey?: string | undefined;
  /** Opens `punchcard.operator`, and nothing else. */
  readonly operatorToken?: string | undefined;
  /** How often a call is tried again that may succeed then; 4 by default. */
  readonly maxRetries?: number;
  /** How long one attempt may take; 30,000 by default. */
  readonly timeoutMs?: number;
  /** What sends requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits between attempts and gives the time; the clock of the machine by default. */
  readonly clock?: Clock;
}

/** What may be said of one call. */
export interface CallOptions {
  /** Ends the call, and what would have been tried again. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /**
   * What the effect of a change is known by: the same key again, in another process or after days, gives the first answer
   * and changes nothing. Without one each call has a key of its own, which its retries share.
   */
  readonly idempotencyKey?: string;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A file to send: a text, its bytes, or a blob, which may be large (`openAsBlob` of `node:fs`). */
export type FileBody = string | Uint8Array | Blob;

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    }),
};

/** A key that no other call has. `crypto.randomUUID` is missing on pages without https. */
export function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
