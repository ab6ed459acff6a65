import { Readable } from 'node:stream';

/** One message of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  /** What the client sends back as Last-Event-ID when it comes again. */
  readonly id?: string;
  readonly data: string;
}

/**
 * The body of a `text/event-stream` answer (HTML, "server-sent events"). A client that does not take what it was sent
 * is cut off instead of buffered for: it comes back by itself, and asks for the newest.
 */
export class EventStream {
  readonly body: Readable;
  #isEnded = false;

  /** `onClose` is called once, when the client has gone or the stream was ended. */
  constructor(onClose: () => void) {
    this.body = new Readable({ read: nothing });
    this.body.once('close', onClose);
  }

  get isOpen(): boolean {
    return !this.body.destroyed && !this.#isEnded;
  }

  /** The first words: how long to wait before coming back, in milliseconds, and the events that are due already. */
  begin(retryMs: number, ...events: readonly ServerEvent[]): void {
    this.#write(`retry: ${Math.round(retryMs)}\n\n${events.map(textOf).join('')}`);
  }

  send(event: ServerEvent): void {
    // What was written before is still here, so the client has stopped reading.
    if (this.body.readableLength > 0) this.body.destroy();
    else this.#write(textOf(event));
  }

  /** A comment: keeps what lies between from taking the connection for a dead one. */
  beat(): void {
    if (this.body.readableLength === 0) this.#write(':\n\n');
  }

  /** Ends the answer in good order; what comes afterwards is passed over. */
  end(): void {
    if (!this.isOpen) return;
    this.#isEnded = true;
    this.body.push(null);
  }

  #write(text: string): void {
    if (this.isOpen) this.body.push(text);
  }
}

/** Line ends inside the data begin a further `data:` line, all others would end the event. */
function textOf({ event, id, data }: ServerEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`;
}

function nothing(): void {}
