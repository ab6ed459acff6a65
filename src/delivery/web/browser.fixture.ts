import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../test/client.ts';

export interface ReadEvent {
  readonly event: string;
  readonly id: string | null;
  /** Parsed; null for an event without data. */
  readonly data: Json;
}

/** A browser with a web card open, as far as its stream of events goes. */
export class OpenBrowser {
  readonly viewer: string;
  /** All events so far. */
  readonly events: ReadEvent[] = [];
  retryMs: number | null = null;
  isOver = false;
  readonly #abort = new AbortController();

  private constructor(viewer: string) {
    this.viewer = viewer;
  }

  /** Opens the events of a card at a service; resolves once they flow. Fails with the status of a refusal. */
  static async open(
    url: string,
    card: Json,
    options: { viewer?: string; lastEventId?: string } = {},
  ): Promise<OpenBrowser> {
    const browser = new OpenBrowser(options.viewer ?? randomUUID());
    const response = await fetch(`${url}${eventsOf(card)}?viewer=${browser.viewer}`, {
      headers: options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId },
      signal: browser.#abort.signal,
    });
    assert.equal(response.status, 200, `the events were refused with ${response.status}`);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    void browser.#read(response);
    while (browser.retryMs === null && !browser.isOver) await sleep(5);
    return browser;
  }

  /** The states that it was sent. */
  get states(): Json[] {
    return this.events.filter(({ event }) => event === 'card').map(({ data }) => data);
  }

  /** Closes the page. */
  close(): void {
    this.#abort.abort();
  }

  async #read(response: Response): Promise<void> {
    let text = '';
    try {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString('utf8');
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // Closed by one side or the other.
    }
    this.isOver = true;
  }

  #take(block: string): void {
    const of = (name: string) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(`${name}: `))
        .map((line) => line.slice(name.length + 2));
    const [retry] = of('retry');
    if (retry !== undefined) this.retryMs = Number(retry);
    const [event] = of('event');
    if (event === undefined) return;
    const data = of('data').join('\n');
    this.events.push({ event, id: of('id')[0] ?? null, data: data === '' ? null : JSON.parse(data) });
  }
}

/** The path of a card's events. */
export function eventsOf(card: Json): string {
  return `${new URL(card.links.card).pathname}/events`;
}
