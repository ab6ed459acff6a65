import type { Event, ListEventsQuery } from '../types.ts';
import type { CallOptions } from './options.ts';
import type { Page } from './pages.ts';
import { Resource } from './resource.ts';

/** What the event log has besides its operations. */
export class EventFollower extends Resource {
  /**
   * All events behind `afterSeq` in their order, without an end: those that there are, then each as it happens. Keep the
   * `seq` of the last one that you are done with, and go on from there after a restart; none is missed.
   */
  async *follow(
    { afterSeq, ...filter }: FollowQuery,
    options: CallOptions = {},
  ): AsyncGenerator<Event, never> {
    for (let seq = afterSeq; ; ) {
      const query = { ...filter, afterSeq: seq, wait: 30, limit: 100 };
      const { data } = await this.sender.json<Page<Event>>(
        { method: 'GET', path: '/events', query },
        options,
      );
      for (const event of data) {
        yield event;
        seq = event.seq;
      }
    }
  }
}

/** Which events to follow, and from where on. */
export type FollowQuery = Pick<ListEventsQuery, 'type' | 'passId' | 'instanceId'> & {
  readonly afterSeq: number;
};
