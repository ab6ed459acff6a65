import type { LookupAddress } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { LRUCache } from 'lru-cache';
import { type Bulkhead, createBulkhead } from '../limits/bulkhead.ts';
import { checkUrl, FetchRefused, refuseOtherPort } from './check-url.ts';
import { addressCheck, resolveHost } from './host-addresses.ts';
import { type OpenedUrl, openUrl, type RequestSpec } from './open-url.ts';

/** Requests to untrusted hosts: few at a time, none for long, and only to addresses that are allowed. */
export interface GuardedRequests {
  /** Does the work once there is a permit for its key; raises FetchRefused when there is none in time. */
  readonly enter: Bulkhead['enter'];
  /** Ends the work in time. Raises failures as FetchRefused, or as the caller's own reason. */
  inTime<T>(work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T>;
  /**
   * Aborts `what` when it has not ended in time, or when its caller gives up, with the error to raise. Call the returned
   * function when it has ended.
   */
  follow(what: Abortable, caller: AbortSignal): () => void;
  /** Whether the addresses of a checked URL's host are remembered. */
  remembers(url: URL): boolean;
  /** Reads a URL, or what a redirect names; raises FetchRefused for one that is not allowed. */
  check(text: string, base?: URL): URL;
  /** Finds the addresses of a checked URL's host; raises FetchRefused for one that is not allowed. */
  resolve(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]>;
  /** Whether a connection for a checked URL may lead to an address. */
  allowedFor(url: URL): (address: string) => boolean;
  /** Sends a request to a checked URL. */
  open(url: URL, spec: RequestSpec, signal: AbortSignal): Promise<OpenedUrl>;
}

/** What can be aborted, such as an AbortController. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** Where requests may go, and as whom. */
export interface EgressPolicy {
  /** Networks (`127.0.0.1/32`) that are allowed although they are not public. */
  readonly allow: readonly string[];
  readonly userAgent: string;
  /** A host, with its port, that the operator has named: it may be anywhere, in a private network too. */
  readonly trustedHost?: string;
}

interface GuardedRequestsOptions extends EgressPolicy {
  /** What is fetched, as messages call it. */
  readonly noun: string;
  /** How long connections are kept, and how many. */
  readonly connections?: AgentOptions;
  /** How long a request may take; ten seconds by default. */
  readonly totalMs?: number;
  /** Whether http is as good as https. */
  readonly allowsHttp?: boolean;
  /** For how long the addresses of a name are remembered; by default each request resolves the name. */
  readonly rememberMs?: number;
}

const usualMs = 10_000;
/** The most names, and the most checked URLs, that are remembered. */
const mostNames = 2_000;
/** Waits are bounded, so that waiting requests never block everything else that the process serves. */
const concurrency = {
  places: { perKey: 4, total: 32 },
  waiting: { perKey: 250, total: 1_000 },
  maxQueueMs: 30_000,
};

/** Creates a client for untrusted hosts; all its requests share its permits. */
export function createGuardedRequests(options: GuardedRequestsOptions): GuardedRequests {
  const { allow, userAgent, noun, totalMs = usualMs, allowsHttp = false, rememberMs = 0 } = options;
  const { trustedHost = null } = options;
  const isAllowed = addressCheck(allow);
  const allowedFor = ({ host }: URL) => (host === trustedHost ? () => true : isAllowed);
  const bulkhead = createBulkhead({ ...concurrency, refusal: () => busy(noun) });
  const connections = {
    ...options.connections,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
  };
  const agents: Readonly<Record<string, HttpAgent>> = {
    // No session of an earlier connection.
    'https:': new HttpsAgent({ ...connections, maxCachedSessions: 0 }),
    'http:': new HttpAgent(connections),
  };
  // The name has both addresses, and which of them it leads to is the machine's choice.
  const allowsLocalhost = isAllowed('127.0.0.1') && isAllowed('::1');
  const names =
    rememberMs === 0
      ? null
      : new LRUCache<string, readonly LookupAddress[]>({ max: mostNames, ttl: rememberMs });
  const urls = new LRUCache<string, URL>({ max: mostNames });
  const callers = createFollowers();
  const follow = (what: Abortable, caller?: AbortSignal) =>
    abortInTime(what, { ms: totalMs, overdue: () => tooSlow(noun, totalMs) }, callers, caller);

  async function resolve(url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const known = names?.get(url.hostname);
    const addresses = known ?? (await resolveHost(url, allowedFor(url), signal));
    if (known === undefined) names?.set(url.hostname, addresses);
    // Afterwards: of a forbidden host the caller learns nothing else.
    refuseOtherPort(url, { trustedHost });
    return addresses;
  }

  return {
    enter: bulkhead.enter,
    resolve,
    allowedFor,
    check(text, base) {
      const known = base === undefined ? urls.get(text) : undefined;
      if (known !== undefined) return known;
      const url = checkUrl(text, { allowsLocalhost, allowsHttp, trustedHost }, base);
      if (base === undefined) urls.set(text, url);
      return url;
    },
    async inTime(work, caller) {
      const controller = new AbortController();
      const detachDeadline = follow(controller, caller);
      try {
        return await work(controller.signal);
      } catch (error) {
        controller.signal.throwIfAborted();
        throw refusalOf(error);
      } finally {
        detachDeadline();
      }
    },
    follow,
    remembers: ({ hostname }) => names?.has(hostname) === true,
    async open(url, spec, signal) {
      const addresses = await resolve(url, signal);
      const agent = agents[url.protocol] ?? agents['https:'];
      return await openUrl(url, spec, {
        addresses,
        isAllowed: allowedFor(url),
        userAgent,
        agent,
        signal,
      });
    },
  };
}

function tooSlow(noun: string, totalMs: number): FetchRefused {
  return new FetchRefused('timeout', `The ${noun} did not arrive within ${totalMs / 1_000} seconds.`);
}

function busy(noun: string): FetchRefused {
  return new FetchRefused(
    'busy',
    `Too many ${noun}s are being fetched at the moment. Try again a little later.`,
  );
}

/** Why a visit has failed: an error of the network by its code only, since its text may hold what the other side has sent. */
export function refusalOf(error: unknown): FetchRefused {
  if (error instanceof FetchRefused) return error;
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
  const what = /CERT|ISSUER|SIGNATURE/.test(detail)
    ? 'The certificate of the host is not valid'
    : 'The host cannot be reached, or its answer is broken';
  return new FetchRefused('unreachable', `${what}${detail}.`);
}

/** Aborts what takes longer than a deadline allows, or has been given up by its caller; until what is returned is called. */
function abortInTime(
  what: Abortable,
  deadline: { readonly ms: number; readonly overdue: () => Error },
  callers: Followers,
  caller?: AbortSignal,
): () => void {
  if (caller?.aborted) {
    what.abort(caller.reason);
    return () => undefined;
  }
  const end = performance.now() + deadline.ms;
  // A timer counts from the beginning of the event loop's turn, so it may come early.
  const check = () => {
    const left = end - performance.now();
    if (left > 0) timer = setTimeout(check, Math.ceil(left));
    else what.abort(deadline.overdue());
  };
  let timer = setTimeout(check, deadline.ms);
  if (caller !== undefined) callers.add(caller, what);
  return () => {
    clearTimeout(timer);
    if (caller !== undefined) callers.delete(caller, what);
  };
}

/** What is aborted with a signal of which many requests are: a signal looks through all of its listeners for each that is added. */
interface Followers {
  add(caller: AbortSignal, follower: Abortable): void;
  delete(caller: AbortSignal, follower: Abortable): void;
}

function createFollowers(): Followers {
  const bySignal = new WeakMap<AbortSignal, { readonly all: Set<Abortable>; abort(): void }>();
  return {
    add(caller, follower) {
      let followers = bySignal.get(caller);
      if (followers === undefined) {
        const all = new Set<Abortable>();
        const abort = () => {
          for (const one of all) one.abort(caller.reason);
        };
        followers = { all, abort };
        bySignal.set(caller, followers);
        caller.addEventListener('abort', abort);
      }
      followers.all.add(follower);
    },
    delete(caller, follower) {
      const followers = bySignal.get(caller);
      if (followers === undefined || !followers.all.delete(follower) || followers.all.size > 0) return;
      // Nothing of a visit is left at a signal that lives on.
      caller.removeEventListener('abort', followers.abort);
      bySignal.delete(caller);
    },
  };
}
