import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './client.ts';

export interface ReadEvent {
  readonly event: string;
  readonly id: string | null;
  /** Parsed; null for an event without data. */
  readonly data: Json;
}

/** Reads a stream of server-sent events. */
export class EventReader {
  /** All events so far. */
  readonly events: ReadEvent[] = [];
  retryMs: number | null = null;
  /** True once the service has ended the stream, or the reader has gone. */
  isOver = false;
  status = 0;
  contentType: string | null = null;
  readonly #abort = new AbortController();

  /** Asks for a stream; resolves once events flow, or the request was answered otherwise. */
  async read(address: string, headers: Readonly<Record<string, string>> = {}): Promise<this> {
    const response = await fetch(address, { headers, signal: this.#abort.signal });
    this.status = response.status;
    this.contentType = response.headers.get('content-type');
    void this.#take(response);
    while (this.retryMs === null && !this.isOver) await sleep(5);
    return this;
  }

  /** Closes the page. */
  close(): void {
    this.#abort.abort();
  }

  async #take(response: Response): Promise<void> {
    let text = '';
    try {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString('utf8');
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.#takeBlock(block);
      }
    } catch {
      // Closed by one side or the other.
    }
    this.isOver = true;
  }

  #takeBlock(block: string): void {
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
