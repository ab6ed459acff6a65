import { createConnection, createServer, type Socket } from 'node:net';
import pg from 'pg';

/** A TCP proxy in front of a PostgreSQL server that loses connections at chosen moments. */
export interface TcpProxy {
  /** The given URL, by way of the proxy. */
  readonly url: string;
  /**
   * Cuts the next connections that send this statement without parameters, as many as `times`: before the server
   * gets the statement, or after the server has carried it out and before its answer comes back.
   */
  cutOn(statement: string, moment: Moment, times?: number): void;
  /**
   * Holds the next connection that sends a statement with these words in it, parameters or not, until `onHold` is
   * done. Then cuts it, or lets go on what was only held. A statement ends with a NUL.
   */
  holdOn(words: string, moment: Moment, onHold: () => Promise<'cut' | 'goes on'>): void;
  /** Closes every connection, and refuses new ones, while true. */
  isDown: boolean;
  /** Lets nothing through in either direction, and closes nothing: a network that swallows everything. */
  isSilent: boolean;
  close(): Promise<void>;
}

type Moment = 'request' | 'reply';

/** Which connections are lost next, and when. */
interface Plan {
  readonly message: Buffer;
  readonly moment: Moment;
  /** What the reply begins with; those to statements before it, in the same write, are let through. */
  readonly reply?: Buffer;
  times: number;
  onHold?(): Promise<'cut' | 'goes on'>;
}

/** What the server says of a COMMIT that it has carried out. */
const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0');

/** COMMIT leaves behind other statements, whose answers may come apart from its own. */
function replyTo(statement: string): { readonly reply?: Buffer } {
  return /^commit\0?$/i.test(statement) ? { reply: committed } : {};
}

/** Starts a proxy in front of the server that a database URL names. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  // The driver's own reading of the URL: a host that begins with a slash is the directory of a socket.
  const { host, port } = new pg.Client({ connectionString: databaseUrl });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const sockets = new Set<Socket>();
  let plan: Plan = { message: simpleQuery(''), moment: 'request', times: 0 };
  let isDown = false;
  let isSilent = false;

  const server = createServer((client) => {
    if (isDown) {
      client.destroy();
      return;
    }
    const upstream = createConnection(target);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    let met: Plan | null = null;
    /** Keeps bytes that arrive while the connection is held, in case it continues. */
    const hold = async ({ onHold }: Plan, socket: Socket, chunk: Buffer, onwards: Socket) => {
      socket.pause();
      if (onHold === undefined || (await onHold()) === 'cut') {
        cut();
        return;
      }
      met = null;
      onwards.write(chunk);
      socket.resume();
    };
    const statements = new StatementTexts();
    client.on('data', (chunk) => {
      statements.learn(chunk);
      if (plan.times > 0 && (chunk.includes(plan.message) || statements.runs(chunk, plan.message))) {
        plan.times--;
        met = plan;
      }
      if (met?.moment === 'request') void hold(met, client, chunk, upstream);
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (met?.moment === 'reply' && (met.reply === undefined || chunk.includes(met.reply)))
        void hold(met, upstream, chunk, client);
      else if (!isSilent) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(address.port);

  return {
    url: url.href,
    cutOn(statement, moment, times = 1) {
      plan = { message: simpleQuery(statement), moment, ...replyTo(statement), times };
    },
    holdOn(words, moment, onHold) {
      plan = { message: Buffer.from(words), moment, ...replyTo(words), times: 1, onHold };
    },
    get isDown() {
      return isDown;
    },
    set isDown(value) {
      isDown = value;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
    get isSilent() {
      return isSilent;
    },
    set isSilent(value) {
      isSilent = value;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The texts of a connection's named statements, which are sent once only. */
class StatementTexts {
  readonly #texts = new Map<string, Buffer>();

  /** From its Parse messages: 'P', a length, the name, NUL, the text, NUL. */
  learn(chunk: Buffer): void {
    for (const [, name = '', text = ''] of chunk
      .toString('latin1')
      .matchAll(/P[\s\S]{4}([\w-]+)\0([^\0]+)\0/g))
      this.#texts.set(name, Buffer.from(`${text}\0`, 'latin1'));
  }

  /** Whether it has a Bind message, for no portal in particular, of a statement with these words. */
  runs(chunk: Buffer, words: Buffer): boolean {
    return [...this.#texts].some(([name, text]) => text.includes(words) && chunk.includes(`\0${name}\0`));
  }
}

/** The Query message of PostgreSQL's protocol 3.0: 'Q', its length, the text and NUL. */
function simpleQuery(statement: string): Buffer {
  const text = Buffer.from(`${statement}\0`);
  const head = Buffer.from('Q\0\0\0\0');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}
