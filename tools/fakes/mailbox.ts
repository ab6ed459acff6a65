import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { issueServerCertificate, makeAuthority } from './authority.ts';
import { type ReceivedMail, readMail } from './received-mail.ts';

/** Where in the dialogue something happens; `data` is after the mail was received, before it is answered. */
export type Stage = 'connect' | 'auth' | 'sender' | 'recipient' | 'data';

/** What the server does instead of going on: a reply like `450 4.2.0 busy`, the end of the connection, or nothing ever. */
export type Fault = string | 'cut' | 'hang';

interface Options {
  /** Who may send; everyone by default. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Whether it offers STARTTLS, with a certificate that no client knows. */
  readonly tls?: boolean;
  readonly port?: number;
}

/** A mail server on loopback that speaks real SMTP, and whatever a script says that others do. */
export class Mailbox {
  /** The authority of its certificate, as PEM; empty without TLS. */
  readonly certificate: string;
  /** What it has said yes to. */
  readonly mails: ReceivedMail[] = [];
  /** The recipients of the mails that came in whole, whatever it answered. */
  readonly arrivals: string[] = [];
  connections = 0;
  /** Most connections at a time. */
  mostConnections = 0;
  /** Decides what happens: undefined for nothing unusual. */
  script: (stage: Stage, detail: string) => Fault | undefined = () => undefined;
  /** How long it thinks about each mail. */
  delayMs = 0;
  readonly #server: SMTPServer;
  readonly #login: Options['login'];

  private constructor({ login, tls = false }: Options) {
    this.#login = login;
    const authority = tls ? makeAuthority('Simulated Mail CA') : null;
    this.certificate = authority?.certificate.toString() ?? '';
    this.#server = new SMTPServer({
      ...(authority !== null && issueServerCertificate(authority)),
      disabledCommands: [...(login === undefined ? ['AUTH'] : []), ...(tls ? [] : ['STARTTLS'])],
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onConnect: (session, done) => {
        this.connections += 1;
        this.mostConnections = Math.max(this.mostConnections, this.#server.connections.size);
        this.#act('connect', '', session, done);
      },
      onAuth: (auth, session, done) =>
        this.#act('auth', auth.username ?? '', session, (error) => {
          const isGood =
            auth.username === this.#login?.user && auth.password === this.#login?.password && error == null;
          done(isGood ? null : (error ?? replyOf('535 5.7.8 no')), { user: auth.username });
        }),
      onMailFrom: ({ address }, session, done) => this.#act('sender', address, session, done),
      onRcptTo: ({ address }, session, done) => this.#act('recipient', address, session, done),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk) => chunks.push(chunk));
        stream.on('end', () => {
          void this.#take(Buffer.concat(chunks), session, done);
        });
      },
    });
    // A client that is killed is nothing unusual here.
    this.#server.on('error', () => undefined);
  }

  static async start(options: Options = {}): Promise<Mailbox> {
    const mailbox = new Mailbox(options);
    await new Promise<void>((resolve) => {
      mailbox.#server.listen(options.port ?? 0, '127.0.0.1', () => resolve());
    });
    return mailbox;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** The mails to an address. */
  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  /** The next mail to an address, once it is there. */
  async mailTo(address: string): Promise<ReceivedMail> {
    for (let waited = 0; waited < 1_000; waited++) {
      const [mail] = this.to(address);
      if (mail !== undefined) return mail;
      await sleep(10);
    }
    throw new Error(`no mail to ${address} arrived`);
  }

  close(): Promise<void> {
    for (const { _socket } of this.#server.connections) _socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #take(
    bytes: Buffer,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const { mailFrom, rcptTo } = session.envelope;
    const sender = mailFrom === false ? '' : mailFrom.address;
    const recipients = rcptTo.map(({ address }) => address);
    this.arrivals.push(...recipients);
    if (this.delayMs > 0) await sleep(this.delayMs);
    this.#act('data', recipients[0] ?? '', session, (error) => {
      if (error == null) this.mails.push(readMail(bytes.toString('latin1'), { sender, recipients }));
      done(error);
    });
  }

  #act(stage: Stage, detail: string, session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const fault = this.script(stage, detail);
    if (fault === 'hang') return;
    if (fault === 'cut') {
      for (const connection of this.#server.connections)
        if (connection.id === session.id) connection._socket.destroy();
      return;
    }
    done(fault === undefined ? null : replyOf(fault));
  }
}

function replyOf(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
