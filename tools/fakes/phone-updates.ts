import {
  bodyFaults,
  contentTypeFaults,
  type Fault,
  type Listing,
  readListing,
  statusFault,
} from './phone-answers.ts';
import { keyOf, type PhoneCard } from './phone-card.ts';
import { fieldChanges, lockScreenText, otherChanges } from './phone-lock-screen.ts';
import { isBusy, type PhoneNetwork, type PhoneReply } from './phone-network.ts';
import { type PassContent, PassRefused } from './phone-pass.ts';
import type { PhoneTopic } from './phone-topic.ts';

/** What of a phone its updates work with. */
export interface Wallet {
  readonly network: PhoneNetwork;
  /** By `keyOf`. */
  readonly cards: ReadonlyMap<string, PhoneCard>;
  /** When a card was removed, in milliseconds. */
  readonly removedAt: ReadonlyMap<string, number>;
  readonly graceMs: number;
  device(): string;
  now(): number;
  say(line: string): void;
  complain(topic: PhoneTopic, fault: Fault): Promise<void>;
  /** The lock screen lights up. */
  notify(card: PhoneCard, text: string): void;
  /** Verifies a pass file. Raises `PassRefused`. */
  read(file: Buffer): PassContent;
}

/** As in iOS: a service may not have noticed yet that a card is gone. */
const removalGraceMs = 3_600_000;

/**
 * Asks what has changed of a pass type, and fetches it. False when not all of it got through; the rest is left for
 * the next time.
 */
export async function updateCards(wallet: Wallet, topic: PhoneTopic): Promise<boolean> {
  const cards = cardsOf(wallet, topic);
  const suspects = new Set(cards.filter((card) => topic.tag !== null && mustDiffer(wallet, card)));
  const listed = await askForChanges(wallet, topic);
  for (const card of listed === null ? [] : cards) card.isAheadOfTag = false;
  for (const serialNumber of listed ?? []) await note(wallet, topic, serialNumber);
  for (const serialNumber of topic.outdated) {
    const card = wallet.cards.get(keyOf(topic.passTypeIdentifier, serialNumber));
    const isListed = listed?.includes(serialNumber) === true;
    const isDone =
      card === undefined || (await fetchCard(wallet, topic, card, isListed && suspects.has(card)));
    if (isDone) topic.outdated.delete(serialNumber);
  }
  return listed !== null && topic.outdated.size === 0;
}

/** The cards of a pass type. */
export function cardsOf(wallet: Pick<Wallet, 'cards'>, { passTypeIdentifier }: PhoneTopic): PhoneCard[] {
  return [...wallet.cards.values()].filter((card) => card.identity.passTypeIdentifier === passTypeIdentifier);
}

/**
 * Fetches a card unless it is unchanged. True when it is now as new as the service has it, or never will be;
 * `mustDiffer` when the service has announced another version.
 */
export async function fetchCard(
  wallet: Wallet,
  topic: PhoneTopic,
  card: PhoneCard,
  mustDiffer: boolean,
): Promise<boolean> {
  const { serialNumber } = card.identity;
  const since = card.lastModified;
  const reply = await wallet.network.send(`fetching ${serialNumber}`, {
    method: 'GET',
    url: `${topic.webServiceURL}/v1/passes/${card.path}`,
    headers: { ...card.authorization, ...(since !== null && { 'if-modified-since': since }) },
  });
  if (reply === null) return false;
  for (const fault of takeAnswer(wallet, topic, card, reply, mustDiffer)) await wallet.complain(topic, fault);
  return !isBusy(reply.status);
}

/** Whether a list that names this card promises another version of it. */
function mustDiffer({ now, graceMs }: Wallet, card: PhoneCard): boolean {
  return !card.isAheadOfTag && now() - card.changedAt > graceMs;
}

/** null when there was no list. */
async function askForChanges(wallet: Wallet, topic: PhoneTopic): Promise<Listing['serialNumbers']> {
  const { passTypeIdentifier, webServiceURL, tag, isPushed } = topic;
  topic.isPushed = false;
  const query = tag === null ? '' : `?passesUpdatedSince=${encodeURIComponent(tag)}`;
  const path = `${encodeURIComponent(wallet.device())}/registrations/${encodeURIComponent(passTypeIdentifier)}${query}`;
  const url = `${webServiceURL}/v1/devices/${path}`;
  const reply = await wallet.network.send('asking for changes', { method: 'GET', url });
  if (reply === null) return null;
  const { serialNumbers, tag: newTag, faults } = readListing(reply, tag);
  for (const fault of faults) await wallet.complain(topic, fault);
  if (serialNumbers === null) return null;
  const question = `asked for changes${tag === null ? '' : ` since '${tag}'`}`;
  if (serialNumbers.length > 0) {
    wallet.say(`${question}: ${serialNumbers.length}, the tag is '${newTag ?? tag}'`);
  } else if (isPushed) {
    wallet.say(`${question}: none`);
    await complainOfPush(wallet, topic);
  }
  if (newTag !== null && newTag !== tag) {
    topic.tag = newTag;
    topic.taggedAt = wallet.now();
  }
  return serialNumbers;
}

async function complainOfPush(wallet: Wallet, topic: PhoneTopic): Promise<void> {
  if (wallet.now() - topic.taggedAt <= wallet.graceMs) return;
  const text = `spurious push: there was no serial number since '${topic.tag ?? 'the registration'}'`;
  await wallet.complain(topic, { kind: 'spurious-push', text });
}

async function note(wallet: Wallet, topic: PhoneTopic, serialNumber: string): Promise<void> {
  const key = keyOf(topic.passTypeIdentifier, serialNumber);
  const removedAt = wallet.removedAt.get(key);
  if (wallet.cards.get(key)?.isRegistered) {
    topic.outdated.add(serialNumber);
  } else if (removedAt === undefined || wallet.now() - removedAt > removalGraceMs) {
    const text = `an update to ${serialNumber} was requested, which is not registered on this device`;
    await wallet.complain(topic, { kind: 'serial-unregistered', text });
  }
}

/** Takes the answer to the request for a card; what was wrong with it. */
function takeAnswer(
  wallet: Wallet,
  topic: PhoneTopic,
  card: PhoneCard,
  reply: PhoneReply,
  mustDiffer: boolean,
): Fault[] {
  const { serialNumber } = card.identity;
  if (reply.status === 200) return takeFile(wallet, topic, card, reply, mustDiffer);
  if (reply.status === 304 && card.lastModified !== null) {
    wallet.say(`fetched ${serialNumber}: not modified`);
    return [...bodyFaults(reply), ...(mustDiffer ? [unchanged(serialNumber)] : [])];
  }
  const expected = card.lastModified === null ? '200' : '200 or 304';
  return [statusFault(`the request for ${serialNumber}`, reply, expected)];
}

function takeFile(
  wallet: Wallet,
  topic: PhoneTopic,
  card: PhoneCard,
  reply: PhoneReply,
  mustDiffer: boolean,
): Fault[] {
  const { serialNumber, authenticationToken } = card.identity;
  const faults = fileFaults(serialNumber, reply);
  const content = readUpdate(wallet, card, reply.body);
  if ('kind' in content) return [...faults, content];
  const sentCondition = card.lastModified !== null;
  const lastModified = reply.headers['last-modified'] ?? null;
  if (content.fingerprint === card.content?.fingerprint) {
    card.lastModified = lastModified;
    wallet.say(`fetched ${serialNumber}: the same again`);
    if (sentCondition) return [...faults, ignoredCondition(serialNumber)];
    return mustDiffer ? [...faults, unchanged(serialNumber)] : faults;
  }
  topic.webServiceURL = content.webServiceURL ?? topic.webServiceURL;
  replace(wallet, card, content, lastModified);
  if (content.authenticationToken === authenticationToken) return faults;
  const text = `the update of ${serialNumber} has another authenticationToken: older copies are locked out`;
  return [...faults, { kind: 'token-changed', text }];
}

function fileFaults(serialNumber: string, reply: PhoneReply): Fault[] {
  const faults = contentTypeFaults(`the pass ${serialNumber}`, reply, 'application/vnd.apple.pkpass');
  if (reply.headers['last-modified'] !== undefined) return faults;
  return [
    ...faults,
    { kind: 'last-modified-missing', text: `the pass ${serialNumber} came without Last-Modified` },
  ];
}

/** The pass, or why the phone keeps the one that it has. */
function readUpdate(wallet: Wallet, card: PhoneCard, file: Buffer): PassContent | Fault {
  const { serialNumber } = card.identity;
  try {
    const content = wallet.read(file);
    if (keyOf(content.passTypeIdentifier, content.serialNumber) === card.key) return content;
    const found = `${content.serialNumber} of ${content.passTypeIdentifier}`;
    return { kind: 'serial-changed', text: `the update of ${serialNumber} is another pass, ${found}` };
  } catch (error) {
    if (!(error instanceof PassRefused)) throw error;
    return { kind: 'pass-invalid', text: `the update of ${serialNumber} is refused: ${error.message}` };
  }
}

function replace(wallet: Wallet, card: PhoneCard, content: PassContent, lastModified: string | null): void {
  const before = card.content === null ? null : card.pass;
  card.take(content, lastModified, wallet.now());
  wallet.say(`fetched ${content.serialNumber}: a new version`);
  if (before === null) return;
  const after = card.pass;
  const changes = fieldChanges(before, after);
  for (const { key, label, from, to } of changes) {
    wallet.say(`field "${label || key}": ${from ?? 'nothing'} → ${to ?? 'nothing'}`);
  }
  const others = otherChanges(before, after);
  if (others.includes('voided')) wallet.say(card.isVoided ? 'the card is void' : 'the card is valid again');
  const rest = others.filter((name) => name !== 'voided');
  if (rest.length > 0) wallet.say(`also changed: ${rest.join(', ')}`);
  if (changes.length + others.length === 0) wallet.say('images or translations have changed');
  const text = lockScreenText(after, changes);
  if (text !== null) wallet.notify(card, text);
  else wallet.say('the lock screen says nothing');
}

function unchanged(serialNumber: string): Fault {
  const text = `an update to ${serialNumber} was requested, but the pass is unchanged`;
  return { kind: 'pass-unchanged', text };
}

function ignoredCondition(serialNumber: string): Fault {
  const text = `If-Modified-Since was ignored for ${serialNumber}: the whole unchanged pass came again`;
  return { kind: 'if-modified-since-ignored', text };
}
