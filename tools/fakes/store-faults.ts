/** Something that goes wrong with requests to a simulated store, as a test or a person asks for it. */
export interface StoreFault {
  /** Only requests whose `METHOD path?query`, and the body in the lines below it, match. */
  readonly matching?: RegExp;
  /** How many of them; one when it does not say. */
  readonly times?: number;
  readonly outcome: StoreOutcome;
}

export type StoreOutcome =
  /** An answer of its own instead of the real one. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text, or what becomes JSON. */
      readonly body?: unknown;
    }
  /** The request is carried out, but the answer comes late. */
  | { readonly delayMs: number }
  /** The platform says that it was asked too much. */
  | 'throttled'
  /** The real answer, but its second half is missing. */
  | 'malformed'
  /** The connection stays open, and nothing comes. */
  | 'silence'
  /** The connection is cut: before the request is carried out, or in the middle of the answer. */
  | 'cut'
  | 'cut after';

/** The faults that are yet to happen. */
export class StoreFaults {
  readonly #waiting: { readonly fault: StoreFault; left: number }[] = [];

  add(fault: StoreFault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /** Takes the one that this request meets. */
  take(request: string): StoreOutcome | null {
    const met = this.#waiting.find(({ fault, left }) => left > 0 && fault.matching?.test(request) !== false);
    if (met === undefined) return null;
    met.left--;
    return met.fault.outcome;
  }
}
