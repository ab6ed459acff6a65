import type { Readable } from 'node:stream';

/** The web cards that are open in browsers, as far as this process serves them. */
export interface OpenWebCards {
  /** How many streams there are. */
  readonly size: number;
  /**
   * The events of a card, for one browser: the card as it is now unless the browser has that version, then each new
   * state. Counts the browser as a wallet for as long as it listens. Raises `overloaded` and `rate_limited`.
   */
  open(request: OpenRequest): Promise<Readable>;
  /** Ends all streams: the browsers come back, to another process. */
  close(): Promise<void>;
}

export interface OpenRequest {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly viewerId: string;
  /** The version that the browser shows; null for none. */
  readonly version: string | null;
  /** The card as it was just read. */
  readonly state: WebCardState;
  /** Whose places it takes. */
  readonly shares: readonly string[];
  /** Given once its client has gone. */
  readonly signal: AbortSignal | undefined;
}

/** Everything that a web card shows, as its page, its events and its offline copy hold it. */
export interface WebCardState {
  /** Equal versions show the same. */
  readonly version: string;
  /** The moment at which the card was read, ISO 8601. */
  readonly at: string;
  /** BCP 47: the language of the page's own words. */
  readonly language: string;
  readonly name: string;
  /** Values of the style sheet's properties, by name. */
  readonly theme: Readonly<Record<string, string>>;
  /** HTML of the card's front, and of what is written below it. */
  readonly face: string;
  readonly about: string;
  /** What can change, each as the sentence that shows its present state, by key. */
  readonly facts: Readonly<Record<string, string>>;
  /** What to say about a change that no fact covers. */
  readonly changed: string;
  /** The moment at which the card changes by itself, ISO 8601; null for never. */
  readonly changesAt: string | null;
}
