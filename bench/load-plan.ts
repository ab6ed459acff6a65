/** What a load run sends; plain data, since the generator is a process of its own. */
export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  /** Complete requests, in ASCII. Digits that differ each time replace `unique` in a text. */
  readonly texts: readonly string[];
  /** How long to send, with any of the texts each time. Without it and `once`, it sends until it is stopped. */
  readonly ms?: number;
  /** Each text once. */
  readonly once?: boolean;
  /** Between an answer and the next request of its connection. */
  readonly restMs?: number;
}

/** Sixteen hexadecimal digits take its place. */
export const unique = '{unique-digits!}';

/** What a load run measured. */
export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many answers came in each second of the run. */
  readonly bySecond: readonly number[];
  /** Processor time of the load generator, for each request. */
  readonly ownMicros: number;
}

/** From the parent to the generator and back. */
export type ToGenerator =
  | { readonly id: number; readonly plan: LoadPlan }
  | { readonly id: number; readonly stop: true };
export type FromGenerator =
  | { readonly id: number; readonly load: Load }
  | { readonly id: number; readonly error: string };
