import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** A webhook that waits to be sent, without its signature. */
export interface Webhook {
  readonly topic: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** A webhook that was sent, and what came of it. */
export interface SentWebhook extends Webhook {
  /** Milliseconds since 1970, of the real clock. */
  readonly at: number;
  /** null without an answer. */
  readonly status: number | null;
  readonly ms: number;
}

/** In which way webhooks arrive that wait: once each, in the order of what happened, when it does not say. */
export interface DeliverOptions {
  /** How many times to send each, with the same identifiers. */
  readonly times?: number;
  readonly order?: 'sent' | 'reversed' | 'shuffled';
  /** The same number shuffles in the same way. */
  readonly seed?: number;
  /** Only those of these topics; the others go on waiting. */
  readonly only?: readonly string[];
  /** Those of these topics are lost on the way, or those that the function picks. */
  readonly drop?: readonly string[] | ((webhook: Webhook) => boolean);
  /** Before each of them. */
  readonly delayMs?: number;
  /** So many at once; one after the other when it does not say. */
  readonly parallel?: number;
  /** Instead of the address that was subscribed. */
  readonly to?: string;
}

interface Options {
  readonly signatureHeader: string;
  readonly secret: string;
  readonly timeoutMs: number;
  /** The platform sends no more webhooks after this many failures in a row. */
  readonly patience: number;
  /** Prints each webhook, in a line. */
  print(line: string): void;
}

/** Sends webhooks as a platform does: signed over the exact bytes, as many times as the test wants to. */
export class StoreWebhooks {
  /** Signs from now on. */
  secret: string;
  /** Their address; null before a subscription: then they wait. */
  url: string | null = null;
  /** Whether the platform still tries; it stops when its webhooks have failed for too long. */
  isActive = true;
  readonly pending: Webhook[] = [];
  readonly sent: SentWebhook[] = [];
  readonly #options: Options;
  #failed: Webhook[] = [];
  #failuresInARow = 0;

  constructor(options: Options) {
    this.#options = options;
    this.secret = options.secret;
  }

  /** They are sent there; those that wait go along. */
  subscribe(url: string): void {
    this.url = url;
    this.isActive = true;
    this.#failuresInARow = 0;
  }

  queue(webhook: Webhook): void {
    if (this.isActive) this.pending.push(webhook);
  }

  /** Sends those that wait. */
  deliver(options: DeliverOptions = {}): Promise<SentWebhook[]> {
    const { only, drop = [] } = options;
    const chosen = this.pending.filter(({ topic }) => only?.includes(topic) !== false);
    const others = this.pending.filter((webhook) => !chosen.includes(webhook));
    this.pending.splice(0, this.pending.length, ...others);
    const isLost = typeof drop === 'function' ? drop : ({ topic }: Webhook) => drop.includes(topic);
    return this.#sendAll(
      chosen.filter((webhook) => !isLost(webhook)),
      options,
    );
  }

  /** Sends the failed ones again, with the same identifiers. */
  retry(options: Omit<DeliverOptions, 'only' | 'drop'> = {}): Promise<SentWebhook[]> {
    const failed = this.#failed;
    this.#failed = [];
    return this.#sendAll(failed, options);
  }

  /** The headers that it goes out with. */
  sign({ body, headers }: Pick<Webhook, 'body' | 'headers'>, secret = this.secret): Record<string, string> {
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    return { ...headers, [this.#options.signatureHeader]: signature };
  }

  /** Sends bytes of any content to the address that was subscribed. */
  send(webhook: Webhook, { to = this.url, secret = this.secret } = {}): Promise<SentWebhook> {
    return this.#sendWith(webhook, this.sign(webhook, secret), to);
  }

  /** As it stands, without a signature. */
  sendUnsigned(webhook: Webhook, to: string | null = this.url): Promise<SentWebhook> {
    return this.#sendWith(webhook, webhook.headers, to);
  }

  async #sendWith(
    webhook: Webhook,
    headers: Readonly<Record<string, string>>,
    to: string | null,
  ): Promise<SentWebhook> {
    if (to === null)
      throw new Error('no receiver has subscribed to the webhooks of this store: call subscribe(url)');
    const began = performance.now();
    const at = Date.now();
    const status = await this.#post(to, webhook.body, headers);
    const sent = { ...webhook, at, status, ms: Math.round(performance.now() - began) };
    this.sent.push(sent);
    this.#options.print(`webhook ${webhook.topic || '(ping)'}: ${status ?? 'no answer'} in ${sent.ms} ms`);
    return sent;
  }

  async #sendAll(chosen: readonly Webhook[], options: DeliverOptions): Promise<SentWebhook[]> {
    const { times = 1, parallel = 1, delayMs = 0, to } = options;
    const queue = inOrder(
      chosen.flatMap((webhook) => Array.from({ length: times }, () => webhook)),
      options,
    );
    const sent: SentWebhook[] = [];
    const work = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (delayMs > 0) await sleep(delayMs);
        const result = await this.send(next, { to: to ?? this.url });
        sent.push(result);
        this.#count(next, result);
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    return sent;
  }

  #count(webhook: Webhook, { status }: SentWebhook): void {
    if (status !== null && status >= 200 && status < 300) {
      this.#failuresInARow = 0;
      return;
    }
    if (!this.#failed.includes(webhook)) this.#failed.push(webhook);
    this.#failuresInARow++;
    if (this.#failuresInARow < this.#options.patience || !this.isActive) return;
    this.isActive = false;
    this.#options.print('the platform no longer sends webhooks, since they all failed: subscribe again');
  }

  async #post(url: string, body: Buffer, headers: Readonly<Record<string, string>>): Promise<number | null> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return null;
    }
  }
}

function inOrder(webhooks: Webhook[], { order = 'sent', seed = 1 }: DeliverOptions): Webhook[] {
  if (order === 'reversed') return webhooks.reverse();
  return order === 'sent' ? webhooks : shuffled(webhooks, seed);
}

/** The same seed gives the same order. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = numbersFrom(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

/** Mulberry32: numbers from 0 to 1 that the seed decides. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
