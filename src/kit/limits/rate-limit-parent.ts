import type { Link } from '../processes/process-link.ts';
import type { RateVerdict } from './rate-bucket.ts';
import { createInsuredBuckets, type RateLimitLog, type Take } from './rate-limit-insured.ts';

/** What `take` is asked with. */
type Request = Parameters<Take>;

interface Open {
  readonly request: Request;
  resolve(verdict: RateVerdict): void;
  reject(error: Error): void;
}

/** It does nothing else, so that only a machine that stands still keeps it for so long. */
const usualPatienceMs = 250;

interface Options {
  readonly insurance: Take;
  readonly log: RateLimitLog;
  readonly patienceMs?: number;
}

/**
 * Buckets in the memory of the process that started this one and its like: exact over all of them. What is asked in one
 * turn of the loop is one message. While the parent does not answer, `insurance` decides.
 */
export async function shareWithParent(
  parent: Link,
  { insurance, log, patienceMs = usualPatienceMs }: Options,
) {
  let open: Open[] = [];
  const take = (...request: Request) =>
    new Promise<RateVerdict>((resolve, reject) => {
      if (open.length === 0) setImmediate(askAll);
      open.push({ request, resolve, reject });
    });
  const buckets = createInsuredBuckets({ keeper: 'the parent', take, patienceMs, insurance, log });
  await buckets.probe();
  return { take: buckets.take, store: 'parent', degraded: buckets.degraded, close: buckets.close };

  async function askAll(): Promise<void> {
    const asked = open;
    open = [];
    try {
      const verdicts = await parent.ask<RateVerdict[]>(
        'take',
        asked.map(({ request }) => request),
        patienceMs,
      );
      for (const [at, verdict] of verdicts.entries()) asked[at]?.resolve(verdict);
    } catch (error) {
      for (const { reject } of asked) reject(error as Error);
    }
  }
}

/** The parent's side: counts for whoever asks by this link. */
export function countFor(
  child: Link,
  limiter: { take(...request: Request): RateVerdict | Promise<RateVerdict> },
) {
  child.answer('take', (requests: readonly Request[]) =>
    Promise.all(requests.map((request) => limiter.take(...request))),
  );
}
