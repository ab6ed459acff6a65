import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { judgeFailure, type MailFailure, type MailOutcome, type SealedLetter } from './letter.ts';

/** Connections to one mail server, kept for the next letter. */
export interface SmtpLines {
  send(letter: SealedLetter): Promise<MailOutcome>;
  close(): void;
}

/** After so much silence a server may be gone without notice; many end the connection earlier. */
const mostIdleMs = 20_000;
/** Some servers take no more on one connection. */
const mostLetters = 100;

/** As many connections as there are letters at the same time: the caller bounds them. */
export function createSmtpLines(server: SmtpServer, patience: SmtpPatience): SmtpLines {
  const idle: { line: SmtpLine; letters: number; timer: NodeJS.Timeout }[] = [];
  let isClosed = false;

  async function send(letter: SealedLetter): Promise<MailOutcome> {
    const kept = takeIdle();
    if (kept !== undefined) {
      const outcome = await sendOn(kept.line, kept.letters, letter);
      // The server may have ended a connection that rested; nothing was handed over.
      if (outcome.kind !== 'unavailable' || isClosed) return outcome;
    }
    try {
      return await sendOn(await SmtpLine.open(server, patience), 0, letter);
    } catch (error) {
      return judgeFailure(error as MailFailure, false);
    }
  }

  async function sendOn(line: SmtpLine, letters: number, letter: SealedLetter): Promise<MailOutcome> {
    const outcome = await line.send(letter);
    if (!line.isOpen) return outcome;
    if (isClosed || letters + 1 >= mostLetters) line.close();
    else {
      const timer = setTimeout(() => line.close(), mostIdleMs).unref();
      idle.push({ line, letters: letters + 1, timer });
    }
    return outcome;
  }

  function takeIdle() {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.line.isOpen) return kept;
    }
    return undefined;
  }

  return {
    send,
    close() {
      isClosed = true;
      for (const { line, timer } of idle.splice(0)) {
        clearTimeout(timer);
        line.close();
      }
    },
  };
}

/** A mail server, and how it is reached. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; STARTTLS before any command, required; STARTTLS where the server offers it; none. */
  readonly tls: 'at once' | 'required' | 'offered' | 'never';
  readonly login: { readonly user: string; readonly password: string } | null;
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string;
}

/** How long a server may take, in ms. */
export interface SmtpPatience {
  /** From the look-up of its name to the end of its greeting. */
  readonly connectMs: number;
  /** For any one answer. */
  readonly answerMs: number;
  /** For a letter as a whole. */
  readonly letterMs: number;
}

/** A connection to a mail server: it carries one letter at a time. */
export class SmtpLine {
  readonly #connection: SMTPConnection;
  readonly #letterMs: number;
  #isOpen = true;
  #fail: ((failure: MailFailure) => void) | null = null;

  private constructor(connection: SMTPConnection, letterMs: number) {
    this.#connection = connection;
    this.#letterMs = letterMs;
    connection.on('error', (error: MailFailure) => this.#end(error));
    connection.on('end', () => {
      this.#isOpen = false;
      // What the server has said before it ended the connection is reported right after this.
      setImmediate(() => this.#fail?.({ code: 'ECONNECTION' }));
    });
  }

  /** A connection that is ready for letters. Raises a MailFailure. */
  static async open(server: SmtpServer, patience: SmtpPatience): Promise<SmtpLine> {
    const { host, port, tls, login, ca } = server;
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === 'at once',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'never',
      connectionTimeout: patience.connectMs,
      greetingTimeout: patience.connectMs,
      dnsTimeout: patience.connectMs,
      socketTimeout: patience.answerMs,
      logger: false,
      tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    });
    const line = new SmtpLine(connection, patience.letterMs);
    try {
      await line.#ask((done) => connection.connect(done));
      // An entry list: the library's name for the password is a word that means something else here.
      const auth = Object.fromEntries([
        ['user', login?.user],
        ['pass', login?.password],
      ]);
      if (login !== null) await line.#ask((done) => connection.login(auth, done));
      return line;
    } catch (error) {
      line.close();
      throw error;
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Hands a letter over; never raises. A letter that failed ends the line. */
  async send({ from, to, bytes }: SealedLetter): Promise<MailOutcome> {
    let wasHandedOver = false;
    const body = new Readable({
      read() {
        // Read only once the server has said that it listens.
        wasHandedOver = true;
        this.push(bytes);
        this.push(null);
      },
    });
    try {
      await this.#ask((done) => this.#connection.send({ from, to, size: bytes.length }, body, done));
      return { kind: 'sent' };
    } catch (error) {
      this.close();
      return judgeFailure(error as MailFailure, wasHandedOver);
    }
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#end({ code: 'ECONNECTION' });
    this.#connection.close();
  }

  /** Waits for an answer, for the end of the connection, or for as long as a letter may take. */
  #ask(question: (done: (error?: MailFailure | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle({ code: 'ETIMEDOUT' }), this.#letterMs);
      const settle = (failure?: MailFailure | null) => {
        clearTimeout(timer);
        this.#fail = null;
        if (failure == null) resolve();
        else reject(failure);
      };
      this.#fail = settle;
      if (this.#isOpen) question(settle);
      else settle({ code: 'ECONNECTION' });
    });
  }

  #end(failure: MailFailure): void {
    this.#isOpen = false;
    this.#fail?.(failure);
  }
}
