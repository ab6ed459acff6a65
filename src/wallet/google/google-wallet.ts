import type { RootKey } from './callback.ts';
import type { GoogleCardType, GoogleResource } from './card.ts';

/** Google's Wallet API. Its answers are values: it raises only what `beforeRequest` raises. */
export interface GoogleWallet {
  /** Makes the class what `json` says; members that `json` does not name stay. */
  putClass(type: GoogleCardType, json: GoogleResource, how: PutOptions): Promise<GoogleResult>;
  /** The same for an object. `missing`: its class does not exist. */
  putObject(type: GoogleCardType, json: GoogleResource, how: PutOptions): Promise<GoogleResult>;
  /** Adds a message to the back of all cards of a class. `missing`: the class does not exist. */
  addMessage(type: GoogleCardType, classId: string, message: GoogleMessage): Promise<GoogleResult>;
  /** The same for one card. `missing`: the object does not exist. */
  addObjectMessage(type: GoogleCardType, objectId: string, message: GoogleMessage): Promise<GoogleResult>;
  /**
   * The keys that call-backs are verified with: fetched within the last hour, or before when Google does not answer;
   * none has expired. `fresh` fetches them again, at most every ten seconds, for any client can send a call-back. Raises
   * KeysUnavailable when there are none.
   */
  callbackKeys(fresh?: boolean): Promise<RootKey[]>;
}

export interface PutOptions {
  /** What the caller believes: true spares a request where it is so, and costs one where it is not. */
  readonly exists: boolean;
  /** Whether phones shall announce the change; generic passes and new resources have no such thing. */
  readonly notify: boolean;
}

export interface GoogleMessage {
  readonly header: string;
  readonly body: string;
  /** The caller's name for it. Google does not keep it unique: a repetition shows the message twice. */
  readonly id: string;
  /** Whether phones shall announce it: at most three times in 24 hours and card, changes included. */
  readonly notify: boolean;
}

export type GoogleResult =
  | { readonly kind: 'done' }
  /** The notifications of this card are used up for now, and nothing was changed: repeat it silently. */
  | { readonly kind: 'quota' }
  /** Not now: the network, a time-out, 429, 5xx. It may have been done all the same. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number }
  /** The account, its key or its rights: nothing will succeed until the operator mends it. */
  | { readonly kind: 'misconfigured'; readonly reason: string }
  /** The class or object that it needs does not exist at Google. */
  | { readonly kind: 'missing'; readonly reason: string }
  /** Google does not want this, now or later. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Google's keys were never fetched, or all have expired, and cannot be fetched now. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}
