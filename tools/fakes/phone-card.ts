import type { JsonObject } from '../validator/json-reader.ts';
import { fieldsOf } from './phone-lock-screen.ts';
import { type PassContent, parsePass } from './phone-pass.ts';

/** What a phone needs to ask for a card's updates. */
export type CardIdentity = Pick<
  PassContent,
  'passTypeIdentifier' | 'serialNumber' | 'webServiceURL' | 'authenticationToken'
>;

/** A card in the wallet of a phone, as others see it. */
export interface CardOnPhone {
  readonly identity: CardIdentity;
  /** The service has confirmed that this device gets its updates. */
  readonly isRegistered: boolean;
  /** As received; null when the pass came without. */
  readonly lastModified: string | null;
  /** The current pass.json. */
  readonly pass: JsonObject;
  readonly isVoided: boolean;
  /** The value of a field; null when the card shows no such field. */
  shows(fieldKey: string): string | null;
}

/** A card in the wallet of a phone. */
export class PhoneCard implements CardOnPhone {
  identity: CardIdentity;
  /** null for a card whose contents this phone has not seen yet. */
  content: PassContent | null = null;
  lastModified: string | null;
  isRegistered = false;
  /** When the contents last changed, in milliseconds. */
  changedAt: number;
  /** The copy came by another way than a list of changes, so the next list may name it without being wrong. */
  isAheadOfTag = true;

  readonly #scheme: string;

  constructor(identity: CardIdentity, lastModified: string | null, now: number, scheme = 'ApplePass') {
    this.#scheme = scheme;
    this.identity = identity;
    this.lastModified = lastModified;
    this.changedAt = now;
  }

  take(content: PassContent, lastModified: string | null, now: number): void {
    this.identity = content;
    this.content = content;
    this.lastModified = lastModified;
    this.changedAt = now;
  }

  get pass(): JsonObject {
    return this.content === null ? {} : parsePass(this.content);
  }

  get isVoided(): boolean {
    return this.pass.voided === true;
  }

  shows(fieldKey: string): string | null {
    return fieldsOf(this.pass).find(({ key }) => key === fieldKey)?.value ?? null;
  }

  get key(): string {
    return keyOf(this.identity.passTypeIdentifier, this.identity.serialNumber);
  }

  /** The end of the URLs that are about this card: its pass type and its serial number. */
  get path(): string {
    const { passTypeIdentifier, serialNumber } = this.identity;
    return `${encodeURIComponent(passTypeIdentifier)}/${encodeURIComponent(serialNumber)}`;
  }

  get authorization(): { readonly authorization: string } {
    return { authorization: `${this.#scheme} ${this.identity.authenticationToken}` };
  }
}

/** Identifies a card: pass type and serial number. */
export function keyOf(passTypeIdentifier: string, serialNumber: string): string {
  return `${passTypeIdentifier} ${serialNumber}`;
}
