import { request } from 'node:http';

/** What came of a request; a connection that broke has no status. */
export interface Outcome {
  readonly status: number | null;
  /** The system's word for why the connection broke. */
  readonly code: string | null;
  readonly text: string;
}

/** GET on a connection of its own, so that any of the processes behind the port may get it. Never raises. */
export function getAfresh(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const broken = (error: NodeJS.ErrnoException) =>
      resolve({ status: null, code: error.code ?? error.message, text: '' });
    const sent = request(url, { agent: false, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk) => (text += chunk));
      reply.on('end', () => resolve({ status: reply.statusCode ?? null, code: null, text }));
      reply.on('error', broken);
    });
    sent.on('error', broken);
    sent.end();
  });
}

/** Asks without a pause, in several loops, and asks again where a connection broke, until it is stopped. */
export class Asking {
  answered = 0;
  /** Everything that was no success: statuses, and connections that were refused. */
  readonly failures: string[] = [];
  #isOver = false;
  readonly #lanes: Promise<void>[];

  constructor(url: string, headers: Readonly<Record<string, string>>, lanes = 4) {
    this.#lanes = Array.from({ length: lanes }, () => this.#ask(url, headers));
  }

  /** Sends no more, and waits for what is under way. */
  async finish(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
  }

  async #ask(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    while (!this.#isOver) {
      const { status, code, text } = await getAfresh(url, headers);
      if (status === 200) this.answered += 1;
      else if (status !== null || !['ECONNRESET', 'EPIPE', 'socket hang up'].includes(code ?? ''))
        this.failures.push(`${status ?? code} ${text}`);
    }
  }
}
