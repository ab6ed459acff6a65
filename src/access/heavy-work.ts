import { refusal } from '../errors.ts';
import type { Bulkhead, BulkheadOptions } from '../kit/limits/bulkhead.ts';

/**
 * Places for what keeps a thread of the pool busy for a tenth of a second or more: keys derived of passwords and PINs, key
 * pairs, certificate files. Files, names of hosts and signatures of passes need the other threads, of which there are four.
 */
export interface HeavyWork {
  /** The limit of a workspace, or of a person where the call names no workspace. */
  readonly ofWorkspaces: Bulkhead;
  /** Of callers who have not proved who they are: by their address. */
  readonly ofStrangers: Bulkhead;
}

const tooMuch = () =>
  refusal(
    'overloaded',
    'Too much of this is being worked on already. Try again in a few seconds.',
    {},
    { 'retry-after': '2' },
  );

const waits = { waiting: { perKey: 16, total: 256 }, maxQueueMs: 30_000, refusal: tooMuch };

/** The places of this process. */
export function heavyWork(place: (options: BulkheadOptions) => Bulkhead): HeavyWork {
  return {
    ofWorkspaces: place({ places: { perKey: 1, total: 2 }, ...waits }),
    ofStrangers: place({ places: { perKey: 1, total: 1 }, ...waits }),
  };
}
