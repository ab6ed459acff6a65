import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AppleCard, AppleField } from '../../src/wallet/apple/card.ts';
import {
  leaf,
  leafKeys,
  now,
  passTypeIdentifier,
  teamIdentifier,
  wwdr,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { buildPkpass, prepareImage } from '../../src/wallet/apple/pkpass.ts';
import { createSigner } from '../../src/wallet/apple/signature.ts';
import { icons } from '../validator/pkpass-sample.fixture.ts';

/** Where the cards of the tests say that their service is; no server is there. */
export const publicUrl = 'https://cards.example.test';

export const tier: AppleField = {
  key: 'tier',
  label: 'Tier',
  value: 'Silver',
  section: 'secondary',
  changeMessage: 'You are now %@',
};

/** A signed pass file of the card `serial-1`, with differences; of the tests' own CA by default. */
export function makePass(changes: Partial<AppleCard> = {}, signer = ownSigner): Promise<Buffer> {
  return buildPkpass({ ...sampleCard, ...changes }, images, signer);
}

const ownSigner = createSigner({
  passTypeIdentifier,
  teamIdentifier,
  certificate: leaf,
  privateKey: leafKeys.privateKey,
  wwdr,
});
const images = Object.entries(icons()).map(([name, bytes]) => prepareImage(name, bytes));
const sampleCard: AppleCard = {
  passTypeIdentifier,
  teamIdentifier,
  organizationName: 'Blue Bean',
  serialNumber: 'serial-1',
  authenticationToken: 'token-of-serial-1',
  webServiceURL: `${publicUrl}/apple`,
  type: 'loyalty',
  title: 'Blue Bean Club',
  details: null,
  terms: null,
  words: { message: 'News', details: 'Details', terms: 'Terms' },
  message: null,
  fields: [tier],
  colors: { background: '#10324a', foreground: '#ffffff', label: null },
  barcode: { format: 'qr', value: '12345', altText: '12345' },
  expiresAt: null,
  voided: false,
  locations: [],
  beacons: [],
  dates: [],
  actions: [],
  options: {},
  nfc: null,
  signedAt: now,
};

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Bends a right answer into a wrong one. */
export type Bend = (right: Answer) => Answer;

/** The whole second of a change, later than the one before: wallets see whole seconds. */
function laterSecond(previous: Date, at: Date): Date {
  const seconds = Math.max(Math.floor(at.getTime() / 1_000), Math.floor(previous.getTime() / 1_000) + 1);
  return new Date(seconds * 1_000);
}

interface Kept {
  readonly file: Buffer;
  readonly token: string;
  readonly revision: number;
  readonly modified: Date;
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A small Apple web service that follows the specification, except where a test bends an answer. */
export class PhoneService {
  readonly cards = new Map<string, Kept>();
  /** `device serial` → push token. */
  readonly registrations = new Map<string, string>();
  readonly requests: Seen[] = [];
  readonly logs: string[] = [];
  /** Applied to every answer of the kind until it is taken away. */
  readonly bends: { list?: Bend; pass?: Bend; registration?: Bend; log?: Bend; link?: Bend } = {};
  readonly #server: Server;
  #revision = 0;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  /** Listens on a port, any free one by default. */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the service has no port');
    this.#port = address.port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Makes this the newest version of a card. */
  put(file: Buffer, serial = 'serial-1', token = `token-of-${serial}`): void {
    const previous = this.cards.get(serial)?.modified ?? new Date(0);
    this.cards.set(serial, {
      file,
      token,
      revision: ++this.#revision,
      modified: laterSecond(previous, new Date()),
    });
  }

  /** The requests so far of one method and kind of URL, and forgets them all. */
  take(method: string, url: RegExp): Seen[] {
    const all = this.requests.splice(0);
    return all.filter((request) => request.method === method && url.test(request.url));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    this.requests.push(seen);
    send(response, this.#answer(seen));
  }

  #answer(request: Seen): Answer {
    const { pathname, searchParams } = new URL(request.url, publicUrl);
    const parts = (form: RegExp) => form.exec(pathname)?.slice(1).map(decodeURIComponent);
    const [linked] = parts(/^\/p\/([^/]+)\/apple\.pkpass$/) ?? [];
    if (linked !== undefined) return bent(this.bends.link, this.#link(linked));
    if (pathname === '/apple/v1/log') return bent(this.bends.log, this.#log(request));
    const [, serial] = parts(/^\/apple\/v1\/passes\/([^/]+)\/([^/]+)$/) ?? [];
    if (serial !== undefined) return bent(this.bends.pass, this.#pass(request, serial));
    const [lister, listed] = parts(/^\/apple\/v1\/devices\/([^/]+)\/registrations\/([^/]+)$/) ?? [];
    if (lister !== undefined && listed === passTypeIdentifier) {
      return bent(this.bends.list, this.#list(lister, searchParams));
    }
    const [device, , registered] =
      parts(/^\/apple\/v1\/devices\/([^/]+)\/registrations\/([^/]+)\/([^/]+)$/) ?? [];
    if (device === undefined || registered === undefined) return { status: 404 };
    return bent(this.bends.registration, this.#register(request, device, registered));
  }

  #link(serial: string): Answer {
    const card = this.cards.get(serial);
    return card === undefined ? { status: 404 } : fileAnswer(card);
  }

  #log({ body }: Seen): Answer {
    this.logs.push(...JSON.parse(body).logs);
    return { status: 200 };
  }

  #pass({ headers }: Seen, serial: string): Answer {
    const card = this.cards.get(serial);
    if (card === undefined || headers.authorization !== `ApplePass ${card.token}`) return { status: 401 };
    const since = Date.parse(headers['if-modified-since'] ?? '');
    return since >= card.modified.getTime() ? { status: 304 } : fileAnswer(card);
  }

  #list(device: string, query: URLSearchParams): Answer {
    const since = revisionOf(query.get('passesUpdatedSince'));
    const changed = [...this.cards].filter(
      ([serial, { revision }]) => this.registrations.has(`${device} ${serial}`) && revision > since,
    );
    if (changed.length === 0) return { status: 204 };
    const newest = Math.max(...changed.map(([, { revision }]) => revision));
    return jsonAnswer({ serialNumbers: changed.map(([serial]) => serial), lastUpdated: tagOf(newest) });
  }

  #register({ method, headers, body }: Seen, device: string, serial: string): Answer {
    if (headers.authorization !== `ApplePass ${this.cards.get(serial)?.token}`) return { status: 401 };
    const key = `${device} ${serial}`;
    const isKnown = this.registrations.has(key);
    if (method === 'DELETE') this.registrations.delete(key);
    else this.registrations.set(key, JSON.parse(body).pushToken);
    return { status: isKnown || method === 'DELETE' ? 200 : 201 };
  }
}

/** An answer with this JSON. */
export function jsonAnswer(value: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** A tag is opaque to a phone, so this one holds whatever a URL must escape. */
export function tagOf(revision: number): string {
  return `#${revision} +ü/&%`;
}

function revisionOf(tag: string | null): number {
  return Number(/^#(\d+) \+ü\/&%$/.exec(tag ?? '')?.[1] ?? 0);
}

function fileAnswer({ file, modified }: Kept): Answer {
  const headers = {
    'content-type': 'application/vnd.apple.pkpass',
    'last-modified': modified.toUTCString(),
  };
  return { status: 200, headers, body: file };
}

function bent(bend: Bend | undefined, right: Answer): Answer {
  return bend === undefined ? right : bend(right);
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  const isBodiless = status === 204 || status === 304;
  // Node leaves the body of these out, as it should.
  if (isBodiless && body.length > 0) response.socket?.end(`HTTP/1.1 ${status} Wrong\r\n\r\n${body}`);
  else response.writeHead(status, headers).end(body);
}
