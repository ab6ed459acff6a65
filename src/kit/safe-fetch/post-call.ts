import { type Abortable, refusalOf } from './visits.ts';

/** What has come of a message. */
export interface PostedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the body. */
  readonly beginning: Buffer;
}

/** How many bytes of an answer are kept, and of those as many as come within a time. */
export interface Beginning {
  readonly bytes: number;
  readonly ms: number;
}

/** So much of an answer beyond what is kept is read along, so that the connection can be used again. */
const longestRest = 64 * 1_024;

/** One message, and its answer as it comes. */
export class Call implements Abortable {
  readonly text: string;
  /** Gives up its place among those that wait, or its connection. */
  leave: () => void = () => undefined;
  /** Its deadline and its caller are not to end it any more. */
  unfollow: () => void = () => undefined;
  isOver = false;
  hasStatus = false;
  readonly #limits: Beginning;
  readonly #settle: Settle;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #retryAfter: string | undefined;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(text: string, limits: Beginning, settle: Settle) {
    this.text = text;
    this.#limits = limits;
    this.#settle = settle;
  }

  abort(reason: unknown): void {
    if (this.#isFirstEnd()) this.#settle.reject(reason);
    this.leave();
  }

  tell(status: number, retryAfter: string | undefined): void {
    this.hasStatus = true;
    this.#status = status;
    this.#retryAfter = retryAfter;
    this.unfollow();
  }

  add(bytes: Buffer): void {
    const room = this.#limits.bytes - this.#length;
    if (room > 0) this.#chunks.push(Buffer.from(bytes.subarray(0, room)));
    this.#length += bytes.length;
    if (this.#length > this.#limits.bytes + longestRest) this.#cut();
  }

  /** Of its body there is more to come: for so long it is waited for. */
  waitForRest(): void {
    if (this.hasStatus && !this.isOver) this.#timer ??= setTimeout(() => this.#cut(), this.#limits.ms);
  }

  end(): void {
    if (!this.#isFirstEnd()) return;
    const beginning = Buffer.concat(this.#chunks);
    this.#settle.resolve({ status: this.#status, retryAfter: this.#retryAfter, beginning });
  }

  fail(error: unknown): void {
    if (this.#isFirstEnd()) this.#settle.reject(refusalOf(error));
  }

  #cut(): void {
    this.end();
    this.leave();
  }

  #isFirstEnd(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.unfollow();
    return true;
  }
}

interface Settle {
  readonly resolve: (answer: PostedAnswer) => void;
  readonly reject: (reason: unknown) => void;
}
