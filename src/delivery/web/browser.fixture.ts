import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Json } from '../../../test/client.ts';
import { EventReader } from '../../../test/event-reader.ts';

/** A browser with a web card open, as far as its stream of events goes. */
export class OpenBrowser extends EventReader {
  readonly viewer: string;

  private constructor(viewer: string) {
    super();
    this.viewer = viewer;
  }

  /** Opens the events of a card at a service; resolves once they flow. Fails with the status of a refusal. */
  static async open(
    url: string,
    card: Json,
    options: { viewer?: string; lastEventId?: string } = {},
  ): Promise<OpenBrowser> {
    const browser = new OpenBrowser(options.viewer ?? randomUUID());
    await browser.read(
      `${url}${eventsOf(card)}?viewer=${browser.viewer}`,
      options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId },
    );
    assert.equal(browser.status, 200, `the events were refused with ${browser.status}`);
    assert.equal(browser.contentType, 'text/event-stream; charset=utf-8');
    return browser;
  }

  /** The states that it was sent. */
  get states(): Json[] {
    return this.events.filter(({ event }) => event === 'card').map(({ data }) => data);
  }
}

/** The path of a card's events. */
export function eventsOf(card: Json): string {
  return `${new URL(card.links.card).pathname}/events`;
}
