/** What a customer has said about being mailed. */
export type Consent = 'subscribed' | 'pending' | 'not_subscribed' | 'unsubscribed' | 'invalid' | 'redacted';

/** A customer of a simulated store. */
export interface Customer {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly locale: string;
  readonly consent: Consent;
  /** Only a search believes this, where its index lags behind. */
  readonly indexedConsent: Consent;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** How many customers there are, and what is odd about them. "Every" counts from the first: 10 is the 10th, 20th, … */
export interface CustomerPlan {
  readonly count: number;
  /** One of so many agrees to be mailed; 4 of 10 when it does not say, and the others are mixed. */
  readonly consentEvery?: number;
  /** Has the address of the customer before, in capitals. */
  readonly duplicateEvery?: number;
  readonly noEmailEvery?: number;
  /** Has an address that is none. */
  readonly badEmailEvery?: number;
  readonly mailDomain?: string;
}

interface Numbering {
  readonly first: number;
  readonly step: number;
}

type Change = Partial<Omit<Customer, 'id'>>;

const mix: readonly Consent[] = [
  'subscribed',
  'not_subscribed',
  'subscribed',
  'unsubscribed',
  'subscribed',
  'pending',
  'not_subscribed',
  'subscribed',
  'invalid',
  'not_subscribed',
];
const firstNames = [
  'Ada',
  'Émile',
  'Grace',
  'Jürgen',
  'María',
  'Nobuko',
  "O'Neil",
  'Zoë',
  'Łukasz',
  'Ayşe',
  '美咲',
];
const lastNames = [
  'Lovelace',
  'Borel',
  'Hopper',
  'Müller',
  'García Márquez',
  'Itō',
  'Smith',
  'van den Berg',
  '佐藤',
];
const locales = ['en', 'de', 'en', 'fr', 'es', 'ja', 'pt-BR'];
const birth = Date.UTC(2024, 0, 1);
const minuteMs = 60_000;

/**
 * The customers of a simulated store. They are made up from their place in the row when they are asked for, so that a
 * hundred thousand of them take no memory; only those that were changed or removed are remembered.
 */
export class StoreCustomers {
  readonly #plan: CustomerPlan;
  readonly #numbering: Numbering;
  readonly #changes = new Map<number, Change>();
  readonly #removed = new Set<number>();
  #length: number;

  /** The numbers need not follow each other, but they grow. */
  constructor(plan: CustomerPlan, numbering: Numbering) {
    this.#plan = plan;
    this.#numbering = numbering;
    this.#length = plan.count;
  }

  /** How many places the row has, those of removed customers included. */
  get length(): number {
    return this.#length;
  }

  /** How many customers there are. */
  get count(): number {
    return this.#length - this.#removed.size;
  }

  /** Returns null beyond the last customer, and for a removed one. */
  at(index: number): Customer | null {
    if (index < 0 || index >= this.#length || this.#removed.has(index)) return null;
    const customer = this.#makeUp(index);
    const change = this.#changes.get(index);
    if (change === undefined) return customer;
    const changed = { ...customer, ...change };
    return { ...changed, indexedConsent: change.indexedConsent ?? changed.consent };
  }

  /** The customer with this number. */
  find(id: number): Customer | null {
    const index = this.#indexOf(id);
    return index === null ? null : this.at(index);
  }

  /** The first place whose number is greater. */
  placeAfter(id: number): number {
    const { first, step } = this.#numbering;
    return Math.min(this.#length, Math.max(0, Math.floor((id - first) / step) + 1));
  }

  /** Appends customers; returns the number of the first. */
  add(count = 1): number {
    const { first, step } = this.#numbering;
    this.#length += count;
    return first + step * (this.#length - count);
  }

  /** Raises RangeError when there is no such customer. */
  change(id: number, change: Change): void {
    const index = this.#must(id);
    this.#changes.set(index, { ...this.#changes.get(index), ...change });
  }

  /** Raises RangeError when there is no such customer. */
  remove(id: number): void {
    this.#removed.add(this.#must(id));
  }

  #must(id: number): number {
    const index = this.#indexOf(id);
    if (index === null || this.#removed.has(index)) throw new RangeError(`there is no customer ${id}`);
    return index;
  }

  #indexOf(id: number): number | null {
    const { first, step } = this.#numbering;
    const index = (id - first) / step;
    return Number.isInteger(index) && index >= 0 && index < this.#length ? index : null;
  }

  #makeUp(index: number): Customer {
    const { first, step } = this.#numbering;
    const at = new Date(birth + (index * minuteMs) / 2);
    const consent = this.#consentOf(index);
    return {
      id: first + step * index,
      email: this.#emailOf(index),
      firstName: index % 17 === 16 ? null : pick(firstNames, index),
      lastName: index % 13 === 12 ? null : pick(lastNames, index),
      phone: index % 5 === 0 ? `+4930${String(1_000_000 + index)}` : null,
      locale: pick(locales, index),
      consent,
      indexedConsent: consent,
      createdAt: at,
      updatedAt: new Date(at.getTime() + minuteMs),
    };
  }

  #consentOf(index: number): Consent {
    const every = this.#plan.consentEvery;
    if (every === undefined) return pick(mix, index);
    return index % every === 0 ? 'subscribed' : 'not_subscribed';
  }

  #emailOf(index: number): string | null {
    const { duplicateEvery, noEmailEvery, badEmailEvery, mailDomain = 'mail.example' } = this.#plan;
    if (isEvery(noEmailEvery, index)) return null;
    if (isEvery(badEmailEvery, index)) return `customer ${index} at mail`;
    if (isEvery(duplicateEvery, index)) return `CUSTOMER${index - 1}@${mailDomain}`;
    return `customer${index}@${mailDomain}`;
  }
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

function isEvery(every: number | undefined, index: number): boolean {
  return every !== undefined && (index + 1) % every === 0;
}
