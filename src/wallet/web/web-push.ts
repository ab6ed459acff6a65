/** Web Push (RFC 8030) to browsers that hold an installed web card. */
export interface WebPush {
  /** What a browser subscribes with: the application server key of RFC 8292, an uncompressed point as base64url. */
  readonly publicKey: string;
  /** Whether endpoints of this address may be kept and pushed to. */
  allows(endpoint: string): boolean;
  /** Sends one empty push: the browser wakes the card's service worker, which asks for the newest state. Never throws. */
  push(endpoint: string): Promise<WebPushResult>;
}

/** What became of a push. */
export type WebPushResult =
  | { readonly kind: 'accepted' }
  /** The subscription has ended. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** The push service will never take pushes to this subscription from us. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The push service does not accept who we say we are: our clock or our contact may be wrong, or the subscription. */
  | { readonly kind: 'unauthorized'; readonly reason: string }
  /** Not now; `afterMs` is how long the push service asks to wait, null where it does not say. */
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number | null };
