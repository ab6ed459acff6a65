import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import {
  createTokenEndpoint,
  type ThrowAwayAccount,
  type TokenEndpoint,
  throwAwayAccount,
} from './google-account.ts';
import { type Answer, errorAnswer } from './google-answers.ts';
import { answerApi, apiRoot, collectionOf } from './google-api.ts';
import { type CallbackPlan, createCallbackSigner, type SignedCallback } from './google-callbacks.ts';
import type { Endpoint } from './google-faults.ts';
import { createResources, type Resources } from './google-resources.ts';
import { checkSaveToken, SaveRefused } from './google-saves.ts';
import {
  type FaultyServer,
  type GoogleRequest,
  type LoggedRequest,
  startFaultyServer,
} from './google-server.ts';
import { isObject } from './google-validator.ts';

/** A Google Wallet on this machine: OAuth, the REST API, the page behind save links, and call-backs. */
export interface Google extends FaultyServer {
  /** Where the keys of call-backs are. */
  readonly keysUrl: string;
  readonly issuerId: string;
  /** The key file of an account that may use it. */
  readonly serviceAccountJson: string;
  /** Another issuer: the key file of an account that may use it, and nothing else. */
  addIssuer(issuerId: string): string;
  /** Refuses all access tokens that were issued before. */
  revokeTokens(): void;
  /** The most requests to the Wallet API that came within any one second. */
  peakPerSecond(): number;
  /** A class or an object as it is stored: `loyaltyObject`, `3388000000000000001.card`. */
  find(collection: string, id: string): Readonly<Record<string, unknown>> | undefined;
  /** A holder opens a save link and presses the button; Google reports it. Raises SaveRefused. */
  save(link: string, options?: ReportOptions): Promise<Report[]>;
  /** A holder deletes the card; Google reports it. */
  remove(objectId: string, options?: ReportOptions): Promise<Report[]>;
  /** The body of a call-back, unsent. */
  signCallback(plan: CallbackPlan): SignedCallback;
  /** Sends a body, and gives the status of the answer; null without one. */
  deliver(body: unknown, url: string): Promise<number | null>;
  /** Signs with new keys from now on; the old keys disappear, or stay in the document too. */
  rotateKeys(options?: { readonly keepsOld?: boolean }): void;
}

interface ReportOptions extends Partial<Omit<CallbackPlan, 'classId' | 'objectId' | 'event'>> {
  /** Instead of the address in the class. */
  readonly callbackUrl?: string;
  /** How often Google reports it, with the same nonce; once when it does not say. */
  readonly times?: number;
}

/** A call-back that was sent. */
interface Report {
  readonly body: SignedCallback;
  /** null without an answer. */
  readonly status: number | null;
}

interface GoogleOptions {
  /** A free one when it does not say. */
  readonly port?: number;
  readonly issuerId?: string;
  readonly now?: () => Date;
  /** Prints everything that happens, one line each. */
  readonly print?: (line: string) => void;
}

const keysPath = '/keys';
const tokenPath = '/token';

/** Starts a simulated Google on the loopback interface. */
export async function startGoogle(options: GoogleOptions = {}): Promise<Google> {
  const { port = 0, issuerId = '3388000000000000001', now = () => new Date() } = options;
  const { print = () => undefined } = options;
  const server = await startFaultyServer({ port, endpointOf, answer, print });
  const parties: Party[] = [];
  const addParty = (id: string, name?: string): Party => {
    const account = throwAwayAccount(`${server.url}${tokenPath}`, name);
    const tokens = createTokenEndpoint(account, now);
    const party = { issuerId: id, account, tokens, resources: createResources(id, now) };
    parties.push(party);
    return party;
  };
  const first = addParty(issuerId);
  const partyOf = (isTheirs: (party: Party) => boolean) => parties.find(isTheirs) ?? first;
  const ownerOf = (id: string) => partyOf((party) => id.startsWith(`${party.issuerId}.`));
  const signatory = (token: string) => partyOf(({ account }) => issuerOf(token) === account.clientEmail);
  const signer = createCallbackSigner(issuerId, now);

  function answer(request: GoogleRequest): Promise<Answer> | Answer {
    switch (endpointOf(request.url.pathname)) {
      case 'api':
        return answerAs(request);
      case 'token':
        return exchange(new URLSearchParams(request.text));
      case 'keys':
        return { status: 200, body: signer.keyDocument() };
      default:
        return answerPerson(request);
    }
  }

  function answerAs(request: GoogleRequest): Answer {
    const { tokens, resources } = partyOf((party) => party.tokens.accepts(request.authorization));
    return answerApi(request, tokens, resources);
  }

  function exchange(form: URLSearchParams): Promise<Answer> {
    return signatory(form.get('assertion') ?? '').tokens.exchange(form);
  }

  /** For a person who plays the holder, with a browser or curl. */
  async function answerPerson({ method, url: { pathname } }: GoogleRequest): Promise<Answer> {
    const [, token] = /^\/gp\/v\/save\/(.+)$/.exec(pathname) ?? [];
    const [, objectId] = /^\/remove\/(.+)$/.exec(pathname) ?? [];
    try {
      if (method === 'GET' && pathname === '/')
        return { status: 200, body: parties.flatMap(({ resources }) => resources.all()) };
      if (method === 'GET' && token !== undefined) return { status: 200, body: await save(token) };
      if (method === 'POST' && objectId !== undefined) return { status: 200, body: await remove(objectId) };
    } catch (error) {
      if (!(error instanceof SaveRefused)) throw error;
      return { status: 400, body: `Something went wrong: ${error.message}\n` };
    }
    return errorAnswer(404, 'notFound', `There is no ${method} ${pathname}.`);
  }

  async function save(link: string, how: ReportOptions = {}): Promise<Report[]> {
    const token = link.slice(link.lastIndexOf('/') + 1);
    const { account, resources } = signatory(token);
    const saved = await checkSaveToken(token, account, resources);
    const reports: Report[] = [];
    for (const { classId, objectId } of saved) {
      resources.countUser(objectId, 1);
      print(`saved ${objectId}`);
      reports.push(...(await report({ ...how, classId, objectId, event: 'save' }, how)));
    }
    return reports;
  }

  async function remove(objectId: string, how: ReportOptions = {}): Promise<Report[]> {
    const { resources } = ownerOf(objectId);
    const found = resources.findObject(objectId);
    if (found === null) throw new SaveRefused(`${objectId} does not exist`);
    resources.countUser(objectId, -1);
    print(`removed ${objectId}`);
    return report({ ...how, classId: String(found.object.classId), objectId, event: 'del' }, how);
  }

  async function report(plan: CallbackPlan, { callbackUrl, times = 1 }: ReportOptions): Promise<Report[]> {
    const target = callbackUrl ?? callbackUrlOf(plan);
    if (target === null) return [];
    const body = signer.sign({ issuerId: ownerOf(plan.objectId).issuerId, ...plan });
    const reports: Report[] = [];
    while (reports.length < times) reports.push({ body, status: await deliver(body, target) });
    return reports;
  }

  function callbackUrlOf({ classId, objectId }: CallbackPlan): string | null {
    const { resources } = ownerOf(objectId);
    const word = resources.findObject(objectId)?.collection.word;
    if (word === undefined) return null;
    const callback = resources.find({ word, kind: 'Class' }, classId)?.callbackOptions;
    return isObject(callback) && typeof callback.url === 'string' ? callback.url : null;
  }

  async function deliver(body: unknown, url: string): Promise<number | null> {
    const status = await post(body, url);
    print(`reported to ${url}: ${status ?? 'no answer'}`);
    return status;
  }

  return Object.assign(server, {
    keysUrl: `${server.url}${keysPath}`,
    issuerId,
    serviceAccountJson: first.account.json,
    addIssuer: (id: string) => addParty(id, `merchant-${id}`).account.json,
    revokeTokens() {
      for (const { tokens } of parties) tokens.revokeAll();
    },
    peakPerSecond: () => peakPerSecond(server.requests),
    find(name: string, id: string) {
      const collection = collectionOf(name);
      return collection === null ? undefined : ownerOf(id).resources.find(collection, id);
    },
    save,
    remove,
    signCallback: signer.sign,
    deliver,
    rotateKeys: signer.rotate,
  });
}

/** A party with a service account. */
interface Party {
  readonly issuerId: string;
  readonly account: ThrowAwayAccount;
  readonly tokens: TokenEndpoint;
  readonly resources: Resources;
}

/** The issuer that a token names; nothing of it is verified. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function endpointOf(path: string): Endpoint | null {
  if (path.startsWith(apiRoot)) return 'api';
  if (path === tokenPath) return 'token';
  return path === keysPath ? 'keys' : null;
}

/** As Google calls back: it waits ten seconds for an answer. */
async function post(body: unknown, url: string): Promise<number | null> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Googlebot' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return status;
  } catch {
    return null;
  }
}

function peakPerSecond(requests: readonly LoggedRequest[]): number {
  const times = requests.filter(({ endpoint }) => endpoint === 'api').map(({ at }) => at);
  let peak = 0;
  let first = 0;
  for (const [last, at] of times.entries()) {
    while (at - (times[first] ?? at) >= 1_000) first++;
    peak = Math.max(peak, last - first + 1);
  }
  return peak;
}

/** By hand: `node tools/fakes/google.ts [port]`. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const google = await startGoogle({ port: Number(process.argv[2] ?? 8_800), print: console.log });
  const file = join(await mkdtemp(join(tmpdir(), 'google-')), 'service-account.json');
  await writeFile(file, google.serviceAccountJson, { mode: 0o600 });
  console.log(`GOOGLE_SERVICE_ACCOUNT=${file}`);
  console.log(`GOOGLE_ISSUER_ID=${google.issuerId}`);
  console.log(`GOOGLE_WALLET_URL=${google.url}`);
  console.log(`Keys of call-backs: ${google.keysUrl}`);
  console.log(`Everything stored: ${google.url}/`);
  console.log(`Add a card: GET ${google.url}/gp/v/save/{token of a save link}`);
  console.log(`Delete a card: POST ${google.url}/remove/{objectId}`);
}
