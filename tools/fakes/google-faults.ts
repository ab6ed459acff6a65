/** Something that goes wrong with requests, as a test or a person asks for it. */
export interface Fault {
  /** Which requests; those to the Wallet API when it does not say. */
  readonly on?: Endpoint;
  /** Only those whose `METHOD path` matches. */
  readonly matching?: RegExp;
  /** How many of them; one when it does not say. */
  readonly times?: number;
  readonly outcome: Outcome;
}

export type Endpoint = 'api' | 'token' | 'keys';

export type Outcome =
  /** An answer of its own instead of the real one. */
  | {
      readonly status: number;
      readonly retryAfter?: string;
      /** Where a redirect leads. */
      readonly location?: string;
      readonly reason?: string;
      readonly message?: string;
      /** Instead of Google's error body. */
      readonly text?: string;
    }
  /** The request is carried out, but the answer comes late. */
  | { readonly delayMs: number }
  /** The connection stays open, and nothing comes. */
  | 'silence'
  /** The connection is cut: before the request is carried out, or after it and before the answer. */
  | 'cut'
  | 'cut after';

/** The faults that are yet to happen. */
export interface Faults {
  add(fault: Fault): void;
  /** Takes the one that this request meets. */
  take(endpoint: Endpoint, request: string): Outcome | null;
}

export function createFaults(): Faults {
  const waiting: { readonly fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    take(endpoint, request) {
      const met = waiting.find(
        ({ fault, left }) =>
          left > 0 && (fault.on ?? 'api') === endpoint && fault.matching?.test(request) !== false,
      );
      if (met === undefined) return null;
      met.left--;
      return met.fault.outcome;
    },
  };
}
