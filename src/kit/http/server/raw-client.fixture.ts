import { createConnection, type Socket } from 'node:net';

/** An answer as it came over the wire. */
interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that sends exactly the given bytes, however wrong they are. */
export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #changed = Promise.withResolvers<void>();
  closed = false;
  isContinued = false;

  /** From another address than 127.0.0.1 where one is given. */
  constructor(port: number, localAddress?: string) {
    const from = localAddress === undefined ? {} : { localAddress };
    this.socket = createConnection({ host: '127.0.0.1', port, allowHalfOpen: true, ...from });
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.socket.on('end', () => this.#end());
    this.socket.on('close', () => this.#end());
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** The next answer; null when the connection ends without one. */
  async answer(method = 'GET'): Promise<RawAnswer | null> {
    for (;;) {
      const parsed = parseAnswer(this.#received, method, this.closed);
      if (parsed !== null) {
        this.#received = this.#received.subarray(parsed.length);
        if (parsed.answer.status >= 200) return parsed.answer;
        this.isContinued = true;
        continue;
      }
      if (this.closed) return null;
      await this.#changed.promise;
    }
  }

  /** Resolves when this text has come in and was not taken yet. */
  async seen(text: string): Promise<void> {
    while (!this.#received.includes(text)) {
      if (this.closed) throw new Error(`closed before ${text}`);
      await this.#changed.promise;
    }
  }

  /** Resolves when the server has closed the connection; with what it sent besides the answers taken. */
  async end(): Promise<string> {
    while (!this.closed) await this.#changed.promise;
    return this.#received.toString('latin1');
  }

  destroy(): void {
    this.socket.destroy();
  }

  #end(): void {
    this.closed = true;
    this.socket.destroy();
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

function parseAnswer(
  bytes: Buffer,
  method: string,
  closed: boolean,
): { answer: RawAnswer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const match = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine);
  if (match === null) throw new Error(`not a status line: ${statusLine}`);
  const status = Number(match[1]);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(': ');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 2);
  }
  const start = headEnd + 4;
  if (headers['transfer-encoding'] === 'chunked') {
    const end = bytes.indexOf('0\r\n\r\n', start);
    if (end === -1) return null;
    const body = bytes.toString('utf8', start, end);
    return { answer: { status, headers, body }, length: end + 5 };
  }
  const bodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const length = bodiless ? 0 : Number(headers['content-length'] ?? 0);
  if (bytes.length < start + length && !closed) return null;
  return {
    answer: { status, headers, body: bytes.toString('utf8', start, start + length) },
    length: start + length,
  };
}
