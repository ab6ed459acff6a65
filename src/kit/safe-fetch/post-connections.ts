import { validateHeaderValue } from 'node:http';
import { type Beginning, Call, type PostedAnswer } from './post-call.ts';
import { Connection } from './post-connection.ts';
import type { Visits } from './visits.ts';

/** A message to a URL that was checked. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Options {
  readonly visits: Visits;
  /** A host has so many connections; further messages wait for one of these, in their time. */
  readonly connections: number;
  /** How long one is kept without a message. */
  readonly keptMs: number;
  readonly beginning: Beginning;
}

/** Connections to the hosts of strangers, by which messages are posted; nothing is followed, decompressed or sent twice. */
export interface PostConnections {
  /** Posts a message. Raises FetchRefused for what has gone wrong before the status has arrived, or the signal's reason. */
  post(message: Post, signal: AbortSignal): Promise<PostedAnswer>;
}

/**
 * Makes them. A connection leads to an address that was checked, its peer is checked before anything is said, and it carries one
 * message at a time. HTTP/1.1 is spoken here, since a library's client costs twice as much as all that is needed of it.
 */
export function createPostConnections(options: Options): PostConnections {
  const hosts = new Map<string, Host>();
  return {
    post: ({ url, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        const call = new Call(requestText(url, headers, body), options.beginning, { resolve, reject });
        call.unfollow = options.visits.follow(call, signal);
        if (call.isOver) return;
        const { origin } = url;
        const host = hosts.get(origin) ?? new Host(url, options, () => hosts.delete(origin));
        hosts.set(origin, host);
        host.take(call);
      }),
  };
}

function requestText(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The connections to an origin, and the messages that wait for one. */
class Host {
  readonly #url: URL;
  readonly #options: Options;
  readonly #onGone: () => void;
  /** The one that was used last is the last. */
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  readonly #waiting = new Set<Call>();
  /** So many connections have just carried a message. */
  #resting = 0;
  #open = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(url: URL, options: Options, onGone: () => void) {
    this.#url = url;
    this.#options = options;
    this.#onGone = onGone;
  }

  /** Has a message sent by a connection that is free, or a new one, or else by the first that becomes free. */
  take(call: Call): void {
    let free = this.#idle.pop();
    while (free !== undefined && !free.connection.isOpen) free = this.#idle.pop();
    const mayConnect = this.#open < this.#options.connections && this.#resting <= this.#waiting.size;
    if (free !== undefined) free.connection.send(call);
    else if (mayConnect) void this.#connect(call);
    else {
      this.#waiting.add(call);
      call.leave = () => this.#waiting.delete(call);
    }
  }

  /**
   * A connection can carry another message, unless it ends at once, as some servers do without a word: that is known once the
   * event loop has read again.
   */
  free(connection: Connection): void {
    this.#resting += 1;
    setImmediate(() => setImmediate(() => this.#useAgain(connection)));
  }

  #useAgain(connection: Connection): void {
    this.#resting -= 1;
    // An answer that came before all of the message had left says nothing of what is sent next.
    if (!connection.isSent) connection.close();
    if (!connection.isOpen) {
      this.#replace();
      return;
    }
    const next = this.#nextWaiting();
    if (next !== undefined) {
      connection.send(next);
      return;
    }
    this.#idle.push({ connection, since: performance.now() });
    this.#sweep ??= setTimeout(() => this.#closeIdle(), this.#options.keptMs);
  }

  /** Whoever began to wait for a connection that had ended while it rested has a new one made. */
  #replace(): void {
    if (this.#open >= this.#options.connections || this.#resting >= this.#waiting.size) return;
    const next = this.#nextWaiting();
    if (next !== undefined) void this.#connect(next);
  }

  /** A connection is closed, or was not made. */
  closed(connection: Connection): void {
    this.#open -= 1;
    const at = this.#idle.findIndex((one) => one.connection === connection);
    if (at >= 0) this.#idle.splice(at, 1);
    const next = this.#nextWaiting();
    if (next !== undefined) void this.#connect(next);
    else if (this.#open === 0) {
      clearTimeout(this.#sweep);
      this.#onGone();
    }
  }

  #nextWaiting(): Call | undefined {
    const [next] = this.#waiting;
    if (next !== undefined) this.#waiting.delete(next);
    return next;
  }

  async #connect(call: Call): Promise<void> {
    const { visits } = this.#options;
    this.#open += 1;
    const connection = new Connection(this);
    try {
      await visits.inTime((signal) => connection.open(this.#url, visits, signal));
    } catch (error) {
      call.fail(error);
      this.closed(connection);
      return;
    }
    if (call.isOver) this.free(connection);
    else connection.send(call);
  }

  #closeIdle(): void {
    this.#sweep = undefined;
    const before = performance.now() - this.#options.keptMs;
    for (const { connection, since } of this.#idle) if (since <= before) connection.close();
    const oldest = this.#idle.find(({ since }) => since > before);
    if (oldest !== undefined) this.#sweep = setTimeout(() => this.#closeIdle(), oldest.since - before);
  }
}
