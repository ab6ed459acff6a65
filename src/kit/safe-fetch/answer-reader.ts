/** An answer as it comes. */
export interface AnswerParts {
  /** Its status; of one that only announces another, nothing is told. */
  onHead(status: number, retryAfter: string | undefined): void;
  /** Some of its body. The bytes are there until this returns. */
  onBody(bytes: Buffer): void;
  /** All of it has arrived; whether its connection can carry another message. */
  onEnd(isReusable: boolean): void;
}

/** A head, or a line, is no longer. */
const longest = 16_384;
/** What frames an answer and its body, announcements included, is no longer in all. */
const mostFrames = 262_144;
/** A character that may not be in a head, or an end of line that is none. */
const dirt = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const startLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;
/** `trim` takes it for a space. */
const noBreakSpace = '\u00a0';
const chunkLine = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;

/**
 * Reads what comes on a connection on which answers to POST are waited for, one at a time, as RFC 9112 frames them. Whatever
 * else it is, is refused: what cannot be told apart from the next answer must not be read as one.
 */
export class AnswerReader {
  readonly #parts: AnswerParts;
  #step: (bytes: Buffer) => number = this.#readHead;
  /** The beginning of a head or of a line. */
  #kept: Buffer | null = null;
  /** What is missing of the body, or of its chunk. */
  #missing = 0;
  /** So much of it was no body. */
  #frames = 0;
  #isReusable = false;
  #isOver = false;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  /** Reads the bytes that have come. Raises an error for what is no answer. */
  read(bytes: Buffer): void {
    let rest = this.#kept === null ? bytes : Buffer.concat([this.#kept, bytes]);
    this.#kept = null;
    while (rest.length > 0) {
      const taken = this.#step(rest);
      if (taken === 0) {
        if (rest.length > longest) throw broken();
        this.#kept = Buffer.from(rest);
        return;
      }
      rest = rest.subarray(taken);
      if (this.#isOver) {
        // What comes after it was not asked for.
        this.#end(rest.length === 0);
        return;
      }
    }
  }

  #end(isExact: boolean): void {
    this.#isOver = false;
    this.#frames = 0;
    this.#step = this.#readHead;
    this.#parts.onEnd(isExact && this.#isReusable);
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const head = bytes.toString('latin1', 0, end);
    if (end > longest || dirt.test(head)) throw broken();
    const [start = '', ...lines] = head.split('\r\n');
    const [, minor, code] = startLine.exec(start) ?? [];
    const status = Number(code);
    const { length, coding, connection, retryAfter } = readFields(lines);
    if (code === undefined || status === 101) throw broken();
    if (status < 200) return this.#framed(end + 4);
    this.#isReusable = minor === '1' && !/\bclose\b/i.test(connection);
    this.#parts.onHead(status, retryAfter);
    this.#frame(status, length, coding);
    return end + 4;
  }

  /** How the body is told from what follows it. */
  #frame(status: number, length: number | undefined, coding: string | undefined): void {
    if (status === 204 || status === 304) this.#isOver = true;
    else if (coding !== undefined) {
      // With a length as well, somebody on the way may have read it otherwise.
      if (length !== undefined) this.#isReusable = false;
      this.#step = /(?:^|,)[ \t]*chunked$/i.test(coding) ? this.#readChunkLine : this.#readToClose;
    } else if (length === undefined) this.#step = this.#readToClose;
    else {
      this.#missing = length;
      this.#isOver = length === 0;
      this.#step = this.#readLength;
    }
  }

  #readLength(bytes: Buffer): number {
    const taken = this.#readMissing(bytes);
    this.#isOver = this.#missing === 0;
    return taken;
  }

  #readToClose(bytes: Buffer): number {
    this.#parts.onBody(bytes);
    return bytes.length;
  }

  #readChunkLine(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n');
    if (end < 0) return 0;
    const [, size] = chunkLine.exec(bytes.toString('latin1', 0, end)) ?? [];
    if (size === undefined) throw broken();
    this.#missing = Number.parseInt(size, 16);
    this.#step = this.#missing === 0 ? this.#readTrailer : this.#readChunk;
    return this.#framed(end + 2);
  }

  #readChunk(bytes: Buffer): number {
    const taken = this.#readMissing(bytes);
    if (this.#missing === 0) this.#step = this.#readChunkEnd;
    return taken;
  }

  #readChunkEnd(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    if (bytes[0] !== 13 || bytes[1] !== 10) throw broken();
    this.#step = this.#readChunkLine;
    return 2;
  }

  #readTrailer(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n');
    if (end < 0) return 0;
    this.#isOver = end === 0;
    return this.#framed(end + 2);
  }

  #framed(length: number): number {
    this.#frames += length;
    if (this.#frames > mostFrames) throw broken();
    return length;
  }

  #readMissing(bytes: Buffer): number {
    const taken = Math.min(this.#missing, bytes.length);
    this.#missing -= taken;
    this.#parts.onBody(bytes.subarray(0, taken));
    return taken;
  }
}

/** The fields of a head that matter here. */
function readFields(lines: readonly string[]) {
  let length: number | undefined;
  let coding: string | undefined;
  let connection = '';
  let retryAfter: string | undefined;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    if (!fieldName.test(name)) throw broken();
    const value = line.slice(colon + 1).trim();
    switch (name.toLowerCase()) {
      case 'content-length':
        if (
          !/^\d{1,15}$/.test(value) ||
          line.includes(noBreakSpace) ||
          (length !== undefined && length !== Number(value))
        )
          throw broken();
        length = Number(value);
        break;
      case 'transfer-encoding':
        if (line.includes(noBreakSpace)) throw broken();
        coding = coding === undefined ? value : `${coding},${value}`;
        break;
      case 'connection':
        connection += ` ${value}`;
        break;
      case 'retry-after':
        retryAfter ??= value;
    }
  }
  return { length, coding, connection, retryAfter };
}

function broken(): Error {
  return new Error('The answer is not HTTP/1.1.');
}
