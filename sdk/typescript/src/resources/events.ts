import { EventFollower } from '../core/event-follower.ts';
import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import type { Result } from '../core/result.ts';
import type { Event, ListEventsQuery } from '../types.ts';

export class EventsResource extends EventFollower {
  /**
   * What has happened.
   *
   * With afterSeq the events behind that number in their order, for a reader who goes on from the last
   * one and so misses none; otherwise the newest first. wait holds the answer until there is one. Kept
   * for 30 days.
   *
   * Refused with `forbidden`, `pass_not_found`, `instance_not_found`.
   */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event> {
    return this.sender.list<Event>({ method: 'GET', path: '/events', query }, options);
  }

  /**
   * An event.
   *
   * One event by its id, as lists and webhooks show it. Kept for 30 days.
   *
   * Refused with `forbidden`, `event_not_found`.
   */
  get(eventId: string, options?: CallOptions): Promise<Event & Result> {
    return this.sender.json<Event>({ method: 'GET', path: path`/events/${eventId}` }, options);
  }
}
