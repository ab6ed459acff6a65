/** How many messages are under way at a time, in this process: on a connection, or waiting for one of their host. */
export interface Places {
  /** How many more each webhook may have, where that is not `usual`. */
  free(): { webhookId: string; free: number }[];
  /** What a webhook may have of which nothing is known. */
  readonly usual: number;
  /** How many more there may be in all. */
  readonly left: number;
  /**
   * Takes a place for a message; null where there is none. Those that wait in the process take no more than there are
   * connections, since they are there as soon as one is free, and leave an eighth of the webhook's places to what waits in the
   * table.
   */
  enter(receiver: Receiver, from?: 'process' | 'table'): Place | null;
  /** How many may be under way at a webhook that answers well; 0 where its last attempt has failed or was slow, or none is known. */
  windowOf(receiver: Receiver): number;
}

export interface Receiver {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly host: string;
  readonly isFailing: boolean;
}

/** The host of a webhook's URL, with its port. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

/** A place that was taken. */
export interface Place {
  /** Gives it back; false: the attempt has failed. Without an outcome nothing was tried. */
  leave(hasSucceeded?: boolean): void;
}

/**
 * A receiver begins with few places, and gets more with each quick success. One that fails has one, so that it cannot
 * hold many; one that is slow has some. Failing and slow receivers together never use the permits of the others. A workspace
 * has a share of all permits, and a smaller share of those at one host, even if no other workspace sends there.
 */
export const limits = {
  window: { first: 2, failing: 1, slow: 8, process: 32, most: 256 },
  host: { all: 256, slow: 16 },
  workspace: { all: 512, slow: 128 },
  all: { all: 2_048, slow: 1_024 },
};
/** A receiver that takes longer to answer is slow. */
const slowMs = 1_000;
/** The state of at most this many webhooks is kept. */
const mostLines = 10_000;

/** Where there is room for so many messages, and for so many at slow receivers. */
interface Room {
  readonly name: string;
  readonly all: number;
  readonly slow: number;
}

/** How many messages are under way, by the names of rooms. */
type Counts = Map<string, number>;

function add(counts: Counts, { rooms }: Line, messages: number): void {
  for (const { name } of rooms) {
    const count = (counts.get(name) ?? 0) + messages;
    if (count === 0) counts.delete(name);
    else counts.set(name, count);
  }
}

interface Line {
  readonly webhookId: string;
  readonly host: string;
  readonly rooms: readonly Room[];
  /** When messages that are under way have left. */
  readonly started: Set<{ readonly at: number }>;
  window: number;
  wasSlow: boolean;
}

/** Places of a process. */
export function createPlaces(clock: () => number = () => performance.now()): Places {
  const lines = new Map<string, Line>();
  const busy = new Set<Line>();
  const underWay: Counts = new Map();
  const left = () => limits.all.all - (underWay.get('') ?? 0);

  function isSlow({ started, wasSlow }: Line): boolean {
    const [first] = started;
    return wasSlow || (first !== undefined && clock() - first.at > slowMs);
  }

  /** How many are under way at slow receivers. */
  function countSlow(): Counts {
    const slow: Counts = new Map();
    for (const line of busy) if (isSlow(line)) add(slow, line, line.started.size);
    return slow;
  }

  /** Those at slow receivers are counted for such a one alone: most are not, and many receivers may be busy. */
  function freeOf(line: Line, slowOnes = countSlow): number {
    const free = [
      line.window - line.started.size,
      ...line.rooms.map(({ name, all }) => all - (underWay.get(name) ?? 0)),
    ];
    if (isSlow(line)) {
      const counts = slowOnes();
      free.push(
        limits.window.slow - line.started.size,
        ...line.rooms.map(({ name, slow }) => slow - (counts.get(name) ?? 0)),
      );
    }
    return Math.max(0, Math.min(...free));
  }

  function lineOf({ workspaceId, webhookId, host, isFailing }: Receiver): Line {
    const known = lines.get(webhookId);
    // Behind all others: those that were not used for the longest time are forgotten.
    if (known?.host === host) {
      lines.delete(webhookId);
      lines.set(webhookId, known);
      return known;
    }
    const { first, failing } = limits.window;
    const window = isFailing ? failing : first;
    const rooms = [
      { name: '', ...limits.all },
      { name: workspaceId, ...limits.workspace },
      { name: `${workspaceId} ${host}`, ...limits.host },
    ];
    const line: Line = { webhookId, host, rooms, started: new Set(), window, wasSlow: isFailing };
    lines.delete(webhookId);
    lines.set(webhookId, line);
    return line;
  }

  function forget(): void {
    for (const line of lines.values()) {
      if (lines.size <= mostLines) return;
      if (line.started.size === 0) lines.delete(line.webhookId);
    }
  }

  function recordOutcome(line: Line, tookMs: number, hasSucceeded: boolean): void {
    const { failing, slow, most } = limits.window;
    line.wasSlow = !hasSucceeded || tookMs > slowMs;
    if (!hasSucceeded) line.window = failing;
    else line.window = Math.min(line.window + 2, line.wasSlow ? slow : most);
  }

  return {
    usual: limits.window.first,
    get left() {
      return left();
    },
    free() {
      const slow = countSlow();
      return [...lines.values()].flatMap((line) => {
        const free = freeOf(line, () => slow);
        return free === limits.window.first ? [] : [{ webhookId: line.webhookId, free }];
      });
    },
    windowOf(receiver) {
      const line = lineOf(receiver);
      forget();
      return isSlow(line) || line.window === limits.window.first ? 0 : line.window;
    },
    enter(receiver, from = 'table') {
      const line = lineOf(receiver);
      forget();
      if (from === 'process' && line.started.size >= limits.window.process) return null;
      const left = from === 'process' ? Math.floor(line.window / 8) : 0;
      if (freeOf(line) <= left) return null;
      const start = { at: clock() };
      line.started.add(start);
      busy.add(line);
      add(underWay, line, 1);
      return {
        leave(hasSucceeded) {
          if (!line.started.delete(start)) return;
          add(underWay, line, -1);
          if (line.started.size === 0) busy.delete(line);
          if (hasSucceeded !== undefined) recordOutcome(line, clock() - start.at, hasSucceeded);
        },
      };
    },
  };
}
