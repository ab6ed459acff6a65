import type { ErrorCode } from '../../src/errors.ts';
import type { Caller } from '../access-refusals.ts';
import type { Client, Json, Reply } from '../client.ts';

/** A request that the right caller gets through with. */
export interface Request {
  /** The path with its parameters, e.g. `/passes/pass_…/instances`; the route's own where it has none. */
  readonly path?: string;
  readonly body?: Json;
  /** A body with another effect at the same path, where a second request would be the same as the first. */
  readonly other?: Json;
  /** JSON by default. */
  readonly contentType?: string;
  /** The status of the right caller's answer; 200 by default. */
  readonly status?: number;
  /** Further refusals than those of the route's access, by caller. */
  readonly also?: Partial<Record<Caller, ErrorCode>>;
  /** The caller who gets through with it, where the role alone is not enough. */
  readonly client?: Client | null;
  /** Whether it may be sent a few times only, for an address that each caller needs a new one of. */
  readonly isLimited?: boolean;
}

/** How each of these errors is provoked. */
export type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

/** How to call an operation well, and how to provoke its errors. */
export interface Scenario {
  /** Prepares a request; each time about a thing of its own, where the request changes the thing for good. */
  readonly good: () => Request | Promise<Request>;
  /** Its errors, except those that an id in the path, or a key that was used before, is enough for. */
  readonly errors?: Provocations;
}

/** Scenarios by operation. */
export type Scenarios = Readonly<Record<string, Scenario>>;

/** A path of a route, with other ids in it where these have a parameter's name. */
export function withIds(route: string, path: string, ids: Readonly<Record<string, string>>): string {
  const names = route.split('/').map((part) => /^\{(\w+)\}$/.exec(part)?.[1] ?? '');
  return path.replace(/^[^?]*/, (local) =>
    local
      .split('/')
      .map((part, at) => ids[names[at] ?? ''] ?? part)
      .join('/'),
  );
}
