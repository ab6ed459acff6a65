import { createHash, createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Config, readConfig } from '../src/config.ts';
import { CertificateProblem } from '../src/wallet/apple/certificates/certificate-fields.ts';
import { type FakeApns, startFakeApns } from './fakes/apns.ts';
import type { Authority } from './fakes/authority.ts';
import { LinkUnusable, Phone } from './fakes/phone.ts';
import { PassRefused } from './fakes/phone-pass.ts';
import { drawCard } from './simulate-card-drawing.ts';
import { runSimulation, SimulationProblem, say, wholeNumber } from './simulate-terms.ts';

/** The options of the command line, as text. */
export interface SimulatePhoneOptions {
  readonly link: string;
  readonly apnsPort: string;
  readonly poll?: string;
  readonly device?: string;
  readonly remove?: boolean;
}

const secondsWithoutPushes = 10;

/**
 * Adds the card of a link to a simulated iPhone and prints what happens to it, until it is interrupted. It gets
 * pushes from a simulated push service of its own, or polls.
 */
export function simulatePhone(options: SimulatePhoneOptions): Promise<void> {
  return runSimulation(
    () => simulate(options),
    (error) => explain(error, options),
  );
}

async function simulate(options: SimulatePhoneOptions): Promise<void> {
  const link = readLink(options.link);
  const device = readDevice(options.device);
  const port = wholeNumber(options.apnsPort, '--apns-port', 0, 65_535);
  const pollSeconds = options.poll === undefined ? null : wholeNumber(options.poll, '--poll', 1, 86_400);
  if (options.remove && options.device === undefined) {
    throw new SimulationProblem(
      '--remove needs --device, the identifier that the simulation printed at its end',
    );
  }
  const config = readConfig();
  const phone = makePhone(link, device, options.device !== undefined, config);
  if (options.remove) {
    await addCard(phone, link);
    await phone.remove();
    return;
  }
  const apns = pollSeconds === null ? await listen(phone, config, port) : null;
  try {
    await addCard(phone, link);
    show(phone);
    await watch(phone, apns === null ? (pollSeconds ?? secondsWithoutPushes) : null);
  } finally {
    await apns?.close();
  }
  console.log(
    'Stopped. The service still counts this device; to take the card off it:\n' +
      `  punchcard simulate phone --link ${link} --device ${device} --remove`,
  );
}

/** The same device has the same push token in every run. */
function makePhone(link: string, device: string, mayBeKnown: boolean, config: Config): Phone {
  const { origin } = new URL(link);
  return new Phone({
    deviceLibraryIdentifier: device,
    pushToken: createHash('sha256').update(`simulated phone ${device}`).digest('hex'),
    mayBeKnown,
    root: developmentRoot(config),
    log: say,
    // Where the link leads, the rest of its service is as well, whatever its public address.
    reach: (url) => origin + new URL(url).pathname + new URL(url).search,
  });
}

/** Passes of a service with other certificates are checked up to the intermediate only. */
function developmentRoot(config: Config): X509Certificate | null {
  const file = join(developmentFolder(config), 'root.pem');
  return config.apple.cert === null && existsSync(file) ? new X509Certificate(readFileSync(file)) : null;
}

function developmentFolder({ dataDir }: Config): string {
  return join(dataDir, 'apple-development');
}

/** A push service that passes on what is for this phone; null when there can be none. */
async function listen(phone: Phone, config: Config, port: number): Promise<FakeApns | null> {
  const pushes = await startPushes(developmentFolder(config), port);
  if (pushes.apns === null) {
    say(`no pushes: ${pushes.reason}; asks every ${secondsWithoutPushes} s instead`);
    return null;
  }
  pushes.apns.onPush(({ token, topic }) => {
    if (token !== phone.pushToken) say('a push for another device came by');
    else void showingChanges(phone, () => phone.pushed(topic));
  });
  say(`waits for pushes at ${pushes.apns.url}`);
  return pushes.apns;
}

async function addCard(phone: Phone, link: string): Promise<void> {
  const { identity, isRegistered } = await phone.add(link);
  if (identity.webServiceURL === null) {
    throw new SimulationProblem(
      'The card names no web service, so it can never change: PUBLIC_URL of its service must be an https address or this machine',
    );
  }
  if (!isRegistered) {
    throw new SimulationProblem(
      `The service did not register the phone at ${identity.webServiceURL}: see the lines above and its log`,
    );
  }
}

/** Polls at this interval, or not at all, until the process is asked to end. */
async function watch(phone: Phone, pollSeconds: number | null): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { signal } = stopping;
  // A timer keeps the process alive; without one the push service does.
  const ms = pollSeconds === null ? 86_400_000 : pollSeconds * 1_000;
  while (!signal.aborted) {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    if (pollSeconds !== null && !signal.aborted) await showingChanges(phone, () => phone.poll());
  }
  phone.offline();
}

/** Draws the card again if it has changed. */
async function showingChanges(phone: Phone, work: () => Promise<void>): Promise<void> {
  const before = phone.cards[0]?.pass;
  await work();
  if (before !== undefined && !isDeepStrictEqual(before, phone.card().pass)) show(phone);
}

function show(phone: Phone): void {
  console.log(drawCard(phone.card().pass));
}

/** The link of a card's page; accepts that of its file too. */
function readLink(text: string): string {
  const link = text.replace(/(\/apple\.pkpass)?\/?$/, '');
  if (URL.canParse(link) && /^https?:$/.test(new URL(link).protocol) && /\/p\/[^/]+$/.test(link)) return link;
  throw new SimulationProblem(
    '--link must be the link of a card, such as http://localhost:3000/p/…; the API gives it as links.add',
  );
}

function readDevice(text: string | undefined): string {
  if (text === undefined) return randomBytes(16).toString('hex');
  if (/^[A-Za-z0-9-]{8,64}$/.test(text)) return text;
  throw new SimulationProblem('--device must have 8 to 64 letters, digits or -');
}

/** In one line what to do; null when only a developer can. */
function explain(error: unknown, { link }: SimulatePhoneOptions): string | null {
  if (error instanceof LinkUnusable) return explainLink(error, new URL(link).origin);
  if (!(error instanceof PassRefused)) return null;
  if (!error.rules.includes('root-mismatch')) return `The phone refuses the card. ${error.message}`;
  return (
    'The card was not signed with the development certificates in DATA_DIR. Set DATA_DIR to the folder of its ' +
    'service, or to an empty one when it has certificates of its own'
  );
}

function explainLink({ status, message }: LinkUnusable, origin: string): string {
  if (status === null)
    return `No service at ${origin} (${message}). Start it, or check the address in --link`;
  if (status === 404 || status === 410) {
    return 'The link opens no card: it is incomplete, of another service, or its card was erased. Take links.add of a card from the API';
  }
  if (status === 200) return `${origin} is no Punchcard (${message}). Check the address in --link`;
  return `The service at ${origin} gives no card now (${message}). Its log says why`;
}

/** The simulated push service, or why there is none. */
type Pushes = { readonly apns: FakeApns } | { readonly apns: null; readonly reason: string };

/**
 * Starts Apple's push service on this machine, with a certificate of the development CA in `folder`: services with
 * certificates of that CA trust it. Rejects with `CertificateProblem` when the folder is damaged.
 */
export async function startPushes(folder: string, port: number): Promise<Pushes> {
  if (!existsSync(folder)) {
    return {
      apns: null,
      reason: `there are no development certificates in ${folder}, and no service trusts others`,
    };
  }
  const { authority, root } = await readAuthority(folder);
  try {
    const clientAuthorities = [authority.certificate, root];
    return { apns: await startFakeApns({ authority, clientAuthorities, port }) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') return { apns: null, reason: `port ${port} is in use` };
    if (code === 'EACCES') return { apns: null, reason: `this account may not listen on port ${port}` };
    throw error;
  }
}

async function readAuthority(folder: string): Promise<{ authority: Authority; root: X509Certificate }> {
  const read = (name: string) => readFile(join(folder, name));
  try {
    const certificate = new X509Certificate(await read('wwdr.pem'));
    const privateKey = createPrivateKey(await read('wwdr.key'));
    return { authority: { certificate, privateKey }, root: new X509Certificate(await read('root.pem')) };
  } catch {
    throw new CertificateProblem(
      `The development certificates in ${folder} cannot be read. Run this as the account of the service, or set DATA_DIR to its folder.`,
    );
  }
}
