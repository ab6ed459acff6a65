import { randomBytes, type X509Certificate } from 'node:crypto';
import { contentTypeFaults, type Fault, statusFault } from './phone-answers.ts';
import { type CardIdentity, type CardOnPhone, keyOf, PhoneCard } from './phone-card.ts';
import { PhoneNetwork } from './phone-network.ts';
import { readPassFile } from './phone-pass.ts';
import { PhoneTopic } from './phone-topic.ts';
import { cardsOf, fetchCard, updateCards, type Wallet } from './phone-updates.ts';

export interface PhoneOptions {
  /** Stands before each line of the log. */
  readonly name?: string;
  /** Random unless given, as a new device has it; so is the push token. */
  readonly deviceLibraryIdentifier?: string;
  readonly pushToken?: string;
  /** What its requests are authorized by: `ApplePass`, unless it is a wallet on Android that has a word of its own. */
  readonly scheme?: string;
  /** The service may know this device already, so that a first registration may be answered with 200. */
  readonly mayBeKnown?: boolean;
  /** The CA that the chain of every pass must end at; null checks it up to the intermediate only. */
  readonly root: X509Certificate | null;
  /** Gets what happens, a line each, in words for people and without secrets. */
  readonly log?: (line: string) => void;
  /** Where a URL of links and passes is reached from here. */
  readonly reach?: (url: string) => string;
  readonly now?: () => Date;
  /** false takes passes unseen: for benchmarks. */
  readonly verify?: boolean;
  /** What it is set to, the first choice first; English by default. */
  readonly languages?: readonly string[];
  /** For how long after a change iOS forgives what may be a race: 300 s. */
  readonly graceMs?: number;
  /** true slows down when there are too many pushes, as iOS does. */
  readonly throttles?: boolean;
  /** Milliseconds between the attempts of a request. */
  readonly retryPausesMs?: readonly number[];
  /** Waits so long; by a timer unless given. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** Something that a service did wrong, as it was reported to its log. */
export interface Complaint extends Fault {
  readonly at: Date;
}

/** A text on the lock screen. */
export interface LockScreenNote {
  readonly serialNumber: string;
  readonly text: string;
  readonly at: Date;
}

/** A link does not lead to a pass file. `status` is that of the answer; null when none came. */
export class LinkUnusable extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/**
 * An iPhone as a service sees it: it adds cards, verifies them strictly and registers; when it is pushed it asks for
 * changes, fetches them and works out what the lock screen says; and it complains to the service's log as iOS does.
 * Thousands fit into one process: without work under way there is no timer, and a card is little more than its JSON.
 */
export class Phone {
  readonly complaints: Complaint[] = [];
  readonly notifications: LockScreenNote[] = [];
  readonly #options: PhoneOptions;
  readonly #network: PhoneNetwork;
  readonly #cards = new Map<string, PhoneCard>();
  readonly #removedAt = new Map<string, number>();
  /** By pass type. */
  readonly #topics = new Map<string, PhoneTopic>();
  /** What waits for the network: APNs keeps one push of each pass type. */
  readonly #missed = new Set<PhoneTopic>();
  readonly #wallet: Wallet;
  #device: string;
  #pushToken: string;
  #mayBeKnown: boolean;

  constructor(options: PhoneOptions) {
    this.#options = options;
    this.#device = options.deviceLibraryIdentifier ?? newDevice();
    this.#pushToken = options.pushToken ?? newPushToken();
    this.#mayBeKnown = options.mayBeKnown ?? false;
    this.#network = new PhoneNetwork({
      log: (line) => this.#say(line),
      reach: options.reach ?? ((url) => url),
      retryPausesMs: options.retryPausesMs ?? [1_000, 5_000, 25_000],
      pause: options.pause ?? null,
    });
    this.#wallet = this.#walletForUpdates();
  }

  get deviceLibraryIdentifier(): string {
    return this.#device;
  }

  get pushToken(): string {
    return this.#pushToken;
  }

  get cards(): CardOnPhone[] {
    return [...this.#cards.values()];
  }

  /** The card with this serial number; without one, the only card. Throws when it is not there. */
  card(serialNumber?: string): CardOnPhone {
    return this.#find(serialNumber);
  }

  /** What a field of the card shows; null when there is no such field. */
  shows(fieldKey: string, serialNumber?: string): string | null {
    return this.#find(serialNumber).shows(fieldKey);
  }

  /** Whether the card is void. */
  voided(serialNumber?: string): boolean {
    return this.#find(serialNumber).isVoided;
  }

  /**
   * Adds the card of a link (`https://host/p/TOKEN`) or of a pass file, and registers for its updates. Rejects with
   * `LinkUnusable` or `PassRefused`, whose messages say why; a registration that fails is a complaint.
   */
  async add(pass: string | Buffer): Promise<CardOnPhone> {
    const { file, lastModified } = typeof pass === 'string' ? await this.#download(pass) : justAFile(pass);
    const content = this.#wallet.read(file);
    const card = this.#place(content, lastModified);
    card.take(content, lastModified, this.#now());
    this.#say(`added the card ${content.serialNumber} of ${content.passTypeIdentifier}`);
    await this.#register(card);
    return card;
  }

  /** Takes a card that the service has registered already, without a request: a phone out of a backup. */
  restore(identity: CardIdentity, lastModified: string | null = null): void {
    this.#place(identity, lastModified).isRegistered = true;
  }

  /** What a device does on a push. While it is offline, APNs keeps the push. */
  async pushed(passTypeIdentifier: string): Promise<void> {
    const topic = this.#topics.get(passTypeIdentifier);
    if (topic === undefined) {
      this.#say(`push received for ${passTypeIdentifier}, of which no card is here: ignored`);
      return;
    }
    topic.isPushed = true;
    if (this.#network.isOffline) this.#missed.add(topic);
    else await this.#answerPush(topic);
  }

  /** Asks for the changes of every pass type without having been pushed, as a device does once a day. */
  async poll(): Promise<void> {
    for (const topic of this.#topics.values()) await this.#lookAgain(topic);
  }

  /** Fetches one card, as when its holder pulls it down. */
  async refresh(serialNumber?: string): Promise<void> {
    const card = this.#find(serialNumber);
    const topic = this.#topics.get(card.identity.passTypeIdentifier);
    if (topic === undefined) return;
    const { changedAt } = card;
    await fetchCard(this.#wallet, topic, card, false);
    card.isAheadOfTag ||= card.changedAt !== changedAt;
  }

  /** Removes a card and its registration. */
  async remove(serialNumber?: string): Promise<void> {
    const card = this.#find(serialNumber);
    const { passTypeIdentifier } = card.identity;
    const topic = this.#topics.get(passTypeIdentifier);
    this.#cards.delete(card.key);
    this.#removedAt.set(card.key, this.#now());
    this.#say(`removed the card ${card.identity.serialNumber}`);
    if (topic === undefined) return;
    if (cardsOf(this.#wallet, topic).length === 0) this.#topics.delete(passTypeIdentifier);
    if (card.isRegistered) await this.#unregister(card, topic);
  }

  /** Gets another identifier, as a device may at any time, and registers every card under it. */
  async changeDeviceId(identifier = newDevice()): Promise<void> {
    this.#device = identifier;
    this.#mayBeKnown = false;
    for (const topic of this.#topics.values()) topic.tag = null;
    for (const card of this.#cards.values()) card.isRegistered = false;
    for (const card of this.#cards.values()) await this.#register(card);
  }

  /** Gets another push token, and registers every card with it. */
  async changePushToken(pushToken = newPushToken()): Promise<void> {
    this.#pushToken = pushToken;
    for (const card of this.#cards.values()) await this.#register(card);
  }

  /** Loses the network, in the middle of whatever it does. */
  offline(): void {
    this.#network.goOffline();
    this.#say('offline');
  }

  /** Comes back, and looks at what it has missed. */
  async online(): Promise<void> {
    this.#network.goOnline();
    this.#say('online');
    const missed = [...this.#missed];
    this.#missed.clear();
    for (const topic of missed) await (topic.isPushed ? this.#answerPush(topic) : this.#lookAgain(topic));
  }

  async #download(link: string): Promise<{ file: Buffer; lastModified: string | null }> {
    const url = `${link.replace(/\/$/, '')}/apple.pkpass`;
    const reply = await this.#network.sendOnce({ method: 'GET', url }).catch((error: Error) => {
      throw new LinkUnusable(error.message, null);
    });
    if (reply.status !== 200)
      throw new LinkUnusable(`the link was answered with ${reply.status}`, reply.status);
    const [fault] = contentTypeFaults('the file of the link', reply, 'application/vnd.apple.pkpass');
    if (fault !== undefined) throw new LinkUnusable(fault.text, reply.status);
    return { file: reply.body, lastModified: reply.headers['last-modified'] ?? null };
  }

  #place(identity: CardIdentity, lastModified: string | null): PhoneCard {
    const { passTypeIdentifier, serialNumber, webServiceURL } = identity;
    const key = keyOf(passTypeIdentifier, serialNumber);
    const card =
      this.#cards.get(key) ?? new PhoneCard(identity, lastModified, this.#now(), this.#options.scheme);
    this.#cards.set(key, card);
    if (webServiceURL !== null && !this.#topics.has(passTypeIdentifier)) {
      this.#topics.set(passTypeIdentifier, new PhoneTopic(passTypeIdentifier, webServiceURL));
    }
    return card;
  }

  async #register(card: PhoneCard): Promise<void> {
    const topic = this.#topics.get(card.identity.passTypeIdentifier);
    if (topic === undefined) {
      this.#say('the card names no web service: it will never change');
      return;
    }
    const url = this.#registrationUrl(card, topic);
    const body = { pushToken: this.#pushToken };
    const request = { method: 'POST', url, headers: card.authorization, body } as const;
    const reply = await this.#network.send('registering', request);
    if (reply === null) return;
    const expected = card.isRegistered ? 200 : 201;
    card.isRegistered = reply.status === 200 || reply.status === 201;
    if (reply.status === expected || (reply.status === 200 && this.#mayBeKnown)) {
      this.#say(`registered for updates (${reply.status})`);
    } else {
      await this.#complain(topic, statusFault('a registration', reply, String(expected)));
    }
  }

  async #unregister(card: PhoneCard, topic: PhoneTopic): Promise<void> {
    const url = this.#registrationUrl(card, topic);
    const request = { method: 'DELETE', url, headers: card.authorization } as const;
    const reply = await this.#network.send('unregistering', request);
    if (reply?.status === 200) this.#say('no longer registered for updates (200)');
    else if (reply) await this.#complain(topic, statusFault('the end of a registration', reply, '200'));
  }

  #registrationUrl(card: PhoneCard, { webServiceURL }: PhoneTopic): string {
    return `${webServiceURL}/v1/devices/${encodeURIComponent(this.#device)}/registrations/${card.path}`;
  }

  async #answerPush(topic: PhoneTopic): Promise<void> {
    const { passTypeIdentifier } = topic;
    this.#say(`push received for ${passTypeIdentifier}`);
    const slowDown = this.#options.throttles ? topic.countPush(this.#now()) : null;
    if (slowDown !== null) {
      const text = `too many pushes too fast for ${passTypeIdentifier}: ${slowDown}`;
      await this.#complain(topic, { kind: 'too-many-pushes', text });
    }
    await this.#lookAgain(topic);
  }

  #lookAgain(topic: PhoneTopic): Promise<void> {
    const look = async () => {
      const isDone = await updateCards(this.#wallet, topic);
      if (!isDone && this.#network.isOffline) this.#missed.add(topic);
    };
    return topic.lookAgain(look, (ms) => this.#network.wait(ms));
  }

  async #complain({ passTypeIdentifier, webServiceURL }: PhoneTopic, fault: Fault): Promise<void> {
    const at = new Date(this.#now());
    this.complaints.push({ ...fault, at });
    this.#say(`complains: ${fault.text}`);
    const line = `[${at.toISOString()}] Web service error for ${passTypeIdentifier} (${webServiceURL}): ${fault.text}`;
    const request = { method: 'POST', url: `${webServiceURL}/v1/log`, body: { logs: [line] } } as const;
    const reply = await this.#network.sendOnce(request).catch(() => null);
    if (reply?.status !== 200) this.#say('the complaint could not be delivered');
  }

  #notify({ identity: { serialNumber } }: PhoneCard, text: string): void {
    this.notifications.push({ serialNumber, text, at: new Date(this.#now()) });
    this.#say(`lock screen says "${text}"`);
  }

  #find(serialNumber?: string): PhoneCard {
    const cards = [...this.#cards.values()];
    const found =
      serialNumber === undefined
        ? cards.length === 1 && cards[0]
        : cards.find(({ identity }) => identity.serialNumber === serialNumber);
    if (!found) throw new Error(`the phone has ${cards.length} cards: ${serialNumber ?? 'name one of them'}`);
    return found;
  }

  #walletForUpdates(): Wallet {
    const { verify = true, root, languages, graceMs = 300_000 } = this.#options;
    return {
      network: this.#network,
      cards: this.#cards,
      removedAt: this.#removedAt,
      graceMs,
      device: () => this.#device,
      now: () => this.#now(),
      say: (line) => this.#say(line),
      complain: (topic, fault) => this.#complain(topic, fault),
      notify: (card, text) => this.#notify(card, text),
      read: (file) =>
        readPassFile(file, { verify, root, now: new Date(this.#now()), ...(languages && { languages }) }),
    };
  }

  #now(): number {
    return this.#options.now?.().getTime() ?? Date.now();
  }

  #say(line: string): void {
    const { name, log } = this.#options;
    log?.(name === undefined ? line : `${name}: ${line}`);
  }
}

function newDevice(): string {
  return randomBytes(16).toString('hex');
}

function newPushToken(): string {
  return randomBytes(32).toString('hex');
}

function justAFile(file: Buffer): { file: Buffer; lastModified: null } {
  return { file, lastModified: null };
}
