import type { EventType } from './event-kinds.ts';
import { countedTypes, type LoggedEvent } from './event-log.sql.ts';

/** What statistics count of the events of a transaction. */
export interface EventCounts {
  /** So many events they are. */
  readonly events: number;
  /** The moment of the first counted event, in milliseconds; null where there is none. */
  readonly since: number | null;
  readonly counts: readonly EventCount[];
}

/** How often something happened within a quarter of an hour. */
interface EventCount {
  readonly passId: string;
  /** By its public id. */
  readonly partner: string | null;
  readonly kind: string;
  /** The beginning of the quarter of an hour, in milliseconds. */
  readonly quarter: number;
  readonly happened: number;
  /** Sums may be beyond what a number can say exactly. */
  readonly pointsIn: string;
  readonly pointsOut: string;
  /** Which of the events were by active cards, by their places from 0 on. */
  readonly active: readonly number[];
}

/** It is within one day, whatever the time zone. */
const quarterMs = 15 * 60_000;

/** What is counted of an event's data: an entry, or a card. */
interface Counted {
  readonly kind?: string;
  readonly points?: number;
  readonly partnerId?: string | null;
  readonly createdAt?: string | Date;
}

/** What statistics are to count of the events of a transaction, as `happenedBy` reads it from the log. */
export function countsOf(events: readonly LoggedEvent[]): EventCounts {
  const counts = new Map<string, Sums>();
  let since = Number.POSITIVE_INFINITY;
  for (const [place, event] of events.entries()) {
    const { type, passId } = event;
    if (passId === null || !isCounted.has(type)) continue;
    const { kind: entryKind, points, partnerId, createdAt } = event.data as Counted;
    const isOfEntry = typeof entryKind === 'string';
    if (!isOfEntry && !type.startsWith(ofCard)) continue;
    const kind = isOfEntry ? entryKind : type.slice(ofCard.length);
    const saysWhen = isOfEntry || type === 'instance.issued';
    const at = new Date((saysWhen ? createdAt : null) ?? event.createdAt).getTime();
    since = Math.min(since, at);
    const partner = partnerId ?? null;
    const quarter = Math.floor(at / quarterMs) * quarterMs;
    const key = `${passId} ${partner} ${kind} ${quarter}`;
    let sums = counts.get(key);
    if (sums === undefined) {
      sums = { passId, partner, kind, quarter, happened: 0, pointsIn: 0n, pointsOut: 0n, active: [] };
      counts.set(key, sums);
    }
    sums.happened += 1;
    if (points !== undefined && points > 0) sums.pointsIn += BigInt(points);
    if (points !== undefined && points < 0) sums.pointsOut += BigInt(points);
    if (kind === 'earn' || kind === 'redeem') sums.active.push(place);
  }
  return {
    events: events.length,
    since: counts.size === 0 ? null : since,
    counts: [...counts.values()].map((sums) => ({
      ...sums,
      pointsIn: String(sums.pointsIn),
      pointsOut: String(sums.pointsOut),
    })),
  };
}

/** An EventCount that is under way. */
interface Sums extends Omit<EventCount, 'happened' | 'pointsIn' | 'pointsOut' | 'active'> {
  happened: number;
  pointsIn: bigint;
  pointsOut: bigint;
  readonly active: number[];
}

const isCounted: ReadonlySet<EventType> = new Set(countedTypes);
const ofCard = 'instance.';
