import { Agent, type AgentOptions } from 'node:https';
import { type Bulkhead, createBulkhead } from '../limits/bulkhead.ts';
import { checkUrl, FetchRefused } from './check-url.ts';
import { addressCheck, resolveHost } from './host-addresses.ts';
import { type OpenedUrl, openUrl, type Question } from './open-url.ts';

/** Visits to the hosts of strangers: few at a time, none for long, and only to addresses that are allowed. */
export interface Visits {
  /** Does the work once there is a place for its key; raises FetchRefused when there is none in time. */
  readonly enter: Bulkhead['enter'];
  /** Ends the work after ten seconds. Whatever fails in it comes out as FetchRefused, or as the caller's own reason. */
  inTime<T>(work: (signal: AbortSignal) => Promise<T>, caller?: AbortSignal): Promise<T>;
  /** Reads a URL, or what a redirect names; raises FetchRefused for one that may not be visited. */
  check(text: string, base?: URL): URL;
  /** Asks a question of a checked URL. */
  open(url: URL, question: Question, signal: AbortSignal): Promise<OpenedUrl>;
}

export interface Visitor {
  /** Networks (`127.0.0.1/32`) that may be visited although they are not public. */
  readonly allow: readonly string[];
  readonly userAgent: string;
}

interface VisitsOptions extends Visitor {
  /** What is fetched, as messages call it. */
  readonly noun: string;
  /** How long connections are kept, and how many. */
  readonly connections: AgentOptions;
}

const totalMs = 10_000;
/** The waits are bounded, so that the requests which wait for them never are all that the process serves. */
const crowd = {
  places: { perKey: 4, total: 32 },
  waiting: { perKey: 250, total: 1_000 },
  patienceMs: 30_000,
};

/** Makes a way to strangers; all visits on it share their places. */
export function createVisits({ allow, userAgent, noun, connections }: VisitsOptions): Visits {
  const isAllowed = addressCheck(allow);
  const bulkhead = createBulkhead({ ...crowd, refusal: () => busy(noun) });
  const agent = new Agent({
    ...connections,
    // No session of an earlier connection.
    maxCachedSessions: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
  });
  // The name has both addresses, and which of them it leads to is the machine's choice.
  const allowsLocalhost = isAllowed('127.0.0.1') && isAllowed('::1');
  return {
    enter: bulkhead.enter,
    check: (text, base) => checkUrl(text, allowsLocalhost, base),
    async inTime(work, caller) {
      const deadline = startDeadline(totalMs, () => tooSlow(noun), caller);
      try {
        return await work(deadline.signal);
      } catch (error) {
        deadline.signal.throwIfAborted();
        throw error instanceof FetchRefused ? error : unreachable(error);
      } finally {
        deadline.clear();
      }
    },
    async open(url, question, signal) {
      const addresses = await resolveHost(url, isAllowed, signal);
      return await openUrl(url, question, { addresses, isAllowed, userAgent, agent, signal });
    },
  };
}

function tooSlow(noun: string): FetchRefused {
  return new FetchRefused('timeout', `The ${noun} did not arrive within ${totalMs / 1_000} seconds.`);
}

function busy(noun: string): FetchRefused {
  return new FetchRefused(
    'busy',
    `Too many ${noun}s are being fetched at the moment. Try again a little later.`,
  );
}

/** The code only: the text of such errors may hold what the other side has sent. */
function unreachable(error: unknown): FetchRefused {
  const { code } = error as { code?: unknown };
  const detail = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : '';
  const what = /CERT|ISSUER|SIGNATURE/.test(detail)
    ? 'The certificate of the host is not valid'
    : 'The host cannot be reached, or its answer is broken';
  return new FetchRefused('unreachable', `${what}${detail}.`);
}

/** Ends work that takes too long, or that its caller has given up. */
interface Deadline {
  /** Aborted by the deadline or by the caller; its reason is what to raise. */
  readonly signal: AbortSignal;
  /** The work has ended: nothing is aborted any more. */
  clear(): void;
}

/** Starts a deadline of so many milliseconds, and follows the caller's signal. */
function startDeadline(ms: number, overdue: () => Error, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = performance.now() + ms;
  const follow = () => controller.abort(caller?.reason);
  // A timer counts from the beginning of the event loop's turn, so it may come early.
  const check = () => {
    const left = end - performance.now();
    if (left > 0) timer = setTimeout(check, Math.ceil(left));
    else controller.abort(overdue());
  };
  let timer = setTimeout(check, ms);
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
