import { useEffect, useState } from 'preact/hooks';
import type { Event, ListEventsQuery } from '../../../sdk/typescript/src/types.ts';
import { showError } from '../../shared/data.ts';
import { api } from '../api.ts';

/** So many are shown; older ones make room. */
const most = 200;

/**
 * Events as they happen, behind a number, newest first, as long as it is on. What has happened while it was off is read
 * when it goes on. Begins anew where one of `on` changes.
 */
export function useFollow(
  wanted: Pick<ListEventsQuery, 'type' | 'passId' | 'instanceId'>,
  {
    isOn,
    after,
    stop,
    on,
  }: {
    readonly isOn: boolean;
    /** The last number that is known; undefined until that is so. */
    readonly after: number | undefined;
    readonly stop: () => void;
    readonly on: readonly unknown[];
  },
): readonly Event[] {
  const [events, setEvents] = useState<readonly Event[]>([]);
  useEffect(() => setEvents([]), on);
  const isReady = isOn && after !== undefined;
  useEffect(() => {
    if (!isReady) return;
    const ending = new AbortController();
    const read = async () => {
      const afterSeq = events[0]?.seq ?? after;
      for await (const event of api.events.follow({ ...wanted, afterSeq }, { signal: ending.signal }))
        setEvents((known) => [event, ...known].slice(0, most));
    };
    read().catch((error: unknown) => {
      if (ending.signal.aborted) return;
      stop();
      showError(error);
    });
    return () => ending.abort();
  }, [isReady, ...on]);
  return events;
}
