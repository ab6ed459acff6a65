/** Sends a request: a client, for one. */
interface Sender {
  get(path: string): Promise<{ readonly status: number | null }>;
}

/** A request of a flood: when it left, when its answer was there, on the test's clock in ms. */
interface Shot {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number | null;
}

interface Flood {
  readonly shots: readonly Shot[];
  /** The requests that were served. */
  readonly accepted: readonly Shot[];
}

const senders = 8;

/** Sends GET /me without a pause from several connections in turn, for this many milliseconds and until one is refused. */
export async function flood(clients: readonly Sender[], ms: number): Promise<Flood> {
  const shots: Shot[] = [];
  const end = performance.now() + ms;
  const send = async (client: Sender) => {
    for (;;) {
      const sentAt = performance.now();
      const { status } = await client.get('/me');
      shots.push({ sentAt, answeredAt: performance.now(), status });
      if (performance.now() > end && status === 429) return;
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, at) => send(clients[at % clients.length] as Sender)));
  shots.sort((a, b) => a.sentAt - b.sentAt);
  return { shots, accepted: shots.filter(({ status }) => status === 200) };
}

/**
 * Says where a flood got other than the limit allows; null where it was held exactly to it. More: in some span of T
 * seconds, however it is chosen, more than burst + rate × T were served. Less: one was refused although the bound had room.
 */
export function judge({ shots, accepted }: Flood, rate: number, burst: number): string | null {
  const starts = accepted.map(({ sentAt }) => sentAt);
  const ends = accepted.map(({ answeredAt }) => answeredAt).sort((a, b) => a - b);
  for (const from of starts) {
    const first = ends.findIndex((end) => end >= from);
    // Between the first moment at which the one may have been counted and the last for the other.
    for (let last = first; last < ends.length; last++) {
      const within = accepted.filter(
        ({ sentAt, answeredAt }) => sentAt >= from && answeredAt <= (ends[last] ?? 0),
      ).length;
      const seconds = ((ends[last] ?? 0) - from) / 1_000;
      if (within > burst + rate * seconds) return `${within} were served in ${seconds} s`;
    }
  }
  const refused = shots.filter(({ status }) => status === 429);
  const last = refused.at(-1);
  if (last === undefined) return 'none was refused';
  // At each refusal the bucket is full: by the last one it had taken in all that drained from it, and the burst.
  const began = ends[0] ?? 0;
  const seconds = (last.sentAt - began) / 1_000 - stalledSeconds(began, refused, burst / rate);
  const before = accepted.filter(({ sentAt }) => sentAt <= last.answeredAt).length;
  return before > burst - 1 + rate * seconds ? null : `only ${before} were served in ${seconds} s`;
}

/** The time between refusals so far apart that the bucket may have run empty, since the machine stood still. */
function stalledSeconds(began: number, refused: readonly Shot[], secondsToEmpty: number): number {
  let since = began;
  let stalled = 0;
  for (const { sentAt, answeredAt } of refused) {
    const seconds = (answeredAt - since) / 1_000;
    if (seconds >= secondsToEmpty) stalled += seconds;
    since = sentAt;
  }
  return stalled;
}
