import type { AnswerFacts } from '../kit/http/server/answer-facts.ts';

/** Who called, as far as is known: also of a request that was refused before it was admitted. */
export interface LoggedCaller {
  readonly workspaceId: string | null;
  readonly actor: string | null;
}

type Verdict = 'keep' | 'sampled out' | 'flood';

/** One read that succeeds of a caller and operation is kept in this time. */
const sampleMs = 10_000;
/** More callers and operations than this in that time are sampled no further. */
const mostSampled = 10_000;
/** Refusals of strangers, and of callers who are too quick: so many at once, and so many a second for long. */
const floodBurst = 1_000;
const floodPerSecond = 100;

/**
 * Says what the request log keeps. All that changes something and all that is refused; of reads that succeed the first in ten
 * seconds of each key and operation, and none of people, whose pages read all the time. Only refusals that anyone can cause without end are bounded. `clock` is in
 * milliseconds.
 */
export function whatIsKept(clock: () => number) {
  let seen = new Set<string>();
  let seenUntil = 0;
  let room = floodBurst;
  let filledAt = clock();

  function isFirst(facts: AnswerFacts, caller: LoggedCaller): boolean {
    const now = clock();
    if (now >= seenUntil) {
      seen = new Set();
      seenUntil = now + sampleMs;
    }
    const what = `${caller.actor} ${facts.op}`;
    if (seen.has(what) || seen.size >= mostSampled) return false;
    seen.add(what);
    return true;
  }

  function hasRoom(): boolean {
    const now = clock();
    room = Math.min(floodBurst, room + ((now - filledAt) / 1_000) * floodPerSecond);
    filledAt = now;
    if (room < 1) return false;
    room -= 1;
    return true;
  }

  return (facts: AnswerFacts, caller: LoggedCaller): Verdict => {
    const { method, status, code } = facts;
    if (status < 400) {
      const isRead = method === 'GET' || method === 'HEAD';
      const isWanted = !isRead || (caller.actor?.startsWith('person_') !== true && isFirst(facts, caller));
      return isWanted ? 'keep' : 'sampled out';
    }
    return (caller.actor !== null && code !== 'rate_limited') || hasRoom() ? 'keep' : 'flood';
  };
}
