import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIP } from 'node:net';

/**
 * What a name server says to a question: the addresses of the family that was asked for, after the names that it leads
 * over (CNAME); or that there is no such name, or that it failed, or nothing at all.
 */
export type DnsAnswer = readonly string[] | 'no such name' | 'failure' | 'silence';

/** A question that was asked. */
export interface DnsQuestion {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'other';
}

/** A name server (RFC 1035) on loopback that gives the answers set by a test. */
export class DnsServer {
  readonly questions: DnsQuestion[] = [];
  readonly #scripts = new Map<string, DnsAnswer[]>();
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, from) => this.#take(message, from));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  /** For `dns.setServers()`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Scripts the answers to questions of both types; the last one stays. Other names do not exist. */
  answer(name: string, ...answers: readonly DnsAnswer[]): void {
    this.answerTo('A', name, ...answers);
    this.answerTo('AAAA', name, ...answers);
  }

  /** The same for questions of one type. */
  answerTo(type: 'A' | 'AAAA', name: string, ...answers: readonly DnsAnswer[]): void {
    this.#scripts.set(`${type} ${name}`, [...answers]);
  }

  /** How often a name was asked for. */
  count(name: string, type: 'A' | 'AAAA'): number {
    return this.questions.filter((question) => question.name === name && question.type === type).length;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(resolve));
  }

  #take(message: Buffer, from: RemoteInfo): void {
    const { name, type, end } = readQuestion(message);
    this.questions.push({ name, type });
    const script = this.#scripts.get(`${type} ${name}`) ?? [];
    const answer = (script.length > 1 ? script.shift() : script[0]) ?? 'no such name';
    if (answer === 'silence') return;
    const records = typeof answer === 'string' ? [] : recordsOf(name, answer, type === 'A' ? 4 : 6);
    const header = Buffer.from(message.subarray(0, 12));
    // An answer, recursion available, and how it went.
    header.writeUInt16BE(0x8180 | (answer === 'no such name' ? 3 : answer === 'failure' ? 2 : 0), 2);
    [1, records.length, 0, 0].forEach((count, index) => {
      header.writeUInt16BE(count, 4 + 2 * index);
    });
    this.#socket.send(
      Buffer.concat([header, message.subarray(12, end), ...records]),
      from.port,
      from.address,
    );
  }
}

/** The first question of a message, and where it ends. */
function readQuestion(message: Buffer): DnsQuestion & { readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = message.readUInt16BE(at + 1);
  const type = code === 1 ? 'A' : code === 28 ? 'AAAA' : 'other';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

/** Names lead on to the next one; addresses belong to the last. */
function recordsOf(name: string, answer: readonly string[], family: 4 | 6): Buffer[] {
  let owner = name;
  return answer.flatMap((value) => {
    if (isIP(value) === 0) {
      const record = recordOf(owner, 5, nameBytes(value));
      owner = value;
      return [record];
    }
    if (isIP(value) !== family) return [];
    return [recordOf(owner, family === 4 ? 1 : 28, addressBytes(value))];
  });
}

/** No resolver keeps it: its time to live is 0. */
function recordOf(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(owner), fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes all kinds of IPv6 addresses in groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text = '') => text.split(':').filter(Boolean);
  const gap = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const bytes = Buffer.alloc(16);
  [...groups(head), ...Array<string>(gap).fill('0'), ...groups(tail)].forEach((group, index) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * index);
  });
  return bytes;
}
