import type { ExactlyOne, PushOutcome } from './core/type-words.ts';

export interface AdjustBatchBody {
  /** each as the body of POST /loyalty/adjust */
  adjustments: Adjustment[];
}

export type Adjustment = {
  passId?: string;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  partnerId?: string | null;
  /** what is added to the balance; below zero: taken from it */
  points: number;
  /** why, for readers of the ledger */
  reason: string;
  /** whether lifetimePoints change with the balance; default false */
  countsAsEarned?: boolean;
} & ExactlyOne<{
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string;
  instanceId: string;
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  /** an e-mail address */
  email: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone: string;
}>;

export interface AdjustmentResults {
  results: ({ status: number } & ExactlyOne<{ adjustment: Posting; error: ItemError }>)[];
}

export interface ApiKey {
  keyId: string;
  name: string;
  access: 'full' | 'read';
  passIds: string[] | null;
  /** requests per second; null for the installation's default */
  rateLimit: number | null;
  /** ISO 8601, UTC */
  expiresAt: string | null;
  /** ISO 8601, UTC */
  revokedAt: string | null;
  /** ISO 8601, UTC */
  lastUsedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface ApiKeyChanges {
  name?: string;
  access?: 'full' | 'read';
  /** the only passes it reaches; null for all */
  passIds?: string[] | null;
  /** requests per second; null for the installation's default */
  rateLimit?: number | null;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  expiresAt?: string | null;
}

export interface ApiKeyWithSecret {
  keyId: string;
  name: string;
  access: 'full' | 'read';
  passIds: string[] | null;
  /** requests per second; null for the installation's default */
  rateLimit: number | null;
  /** ISO 8601, UTC */
  expiresAt: string | null;
  /** ISO 8601, UTC */
  revokedAt: string | null;
  /** ISO 8601, UTC */
  lastUsedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** shown only here */
  secret: string;
}

export interface AuditLine {
  auditId: string;
  /** the name of the operation, or of the background work */
  action: string;
  /** who did it: the id of a key, a person or a store, `operator`, or `anyone` who is not signed in */
  actor: string;
  /** the id of what was changed */
  target: string;
  /** what was changed; `before` and `after` have the values that matter */
  detail: Record<string, unknown>;
  requestId: string;
  /** ISO 8601, UTC */
  createdAt: string;
}

export type Award = {
  passId?: string;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  partnerId?: string | null;
  points: number;
  /** why, for readers of the ledger */
  reason?: string | null;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  occurredAt?: string | null;
} & ExactlyOne<{
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string;
  instanceId: string;
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  /** an e-mail address */
  email: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone: string;
}>;

export interface AwardResults {
  results: ({ status: number } & ExactlyOne<{ award: Posting; error: ItemError }>)[];
}

export interface BalancesReport {
  /** whether nothing was written */
  dryRun: boolean;
  lines: number;
  changed: number;
  unchanged: number;
  refused: number;
  results: {
    /** of the file, whose header is line 1 */
    line: number;
    status: 'changed' | 'unchanged' | 'refused';
    instanceId?: string;
    before?: number;
    /** less than the figure where stamps have unlocked rewards */
    after?: number;
    /** what was entered: the figure less `before` */
    points?: number;
    error?: { code: string; error: string };
  }[];
}

export interface CancelOrderBody {
  /** the store that the order was placed in; absent: you keep the orders yourself */
  storeId?: string | null;
  /** the order may be still to come: the cancellation then waits for it */
  early?: boolean;
}

export type CancelledOrder = {
  orderId: string;
  /** the order is not known yet: this counts as soon as it is */
  waiting: boolean;
  refunded: Money | null;
  /** what the order earns after this */
  points: number;
  /** taken from the balance by this call */
  pointsTaken: number;
  instanceId: string | null;
  balance: number | null;
  pendingRewards: number | null;
} & PushOutcome;

export interface CardMailing {
  /** only counts */
  dryRun?: boolean;
  /** `nextCursor` of the call before */
  cursor?: string;
}

/** what a card of the type `generic` is for */
export type CardPurpose =
  | 'membership'
  | 'gym'
  | 'library'
  | 'parking'
  | 'student'
  | 'business'
  | 'season'
  | 'entry'
  | 'reservation'
  | 'transit'
  | 'vehicle'
  | 'carInsurance'
  | 'homeInsurance'
  | 'utility'
  | 'receipt'
  | 'voucher'
  | 'loyalty'
  | 'code'
  | 'other'
  | (string & {});

export interface CardVoid {
  instanceId: string;
  /** shown with the card; erasing the card takes it away */
  reason?: string | null;
}

/** money that was taken, what is left to pay, and what the card holds then */
export type ChargedValue = {
  entryId: string;
  instanceId: string;
  programId: string;
  charged: Money;
  due: Money;
  balance: Money;
} & PushOutcome;

export interface ClonePassBody {
  title?: string;
}

export interface Consent {
  /** of the consent in `join.consents` of the pass */
  key: string;
  /** word for word as they read it */
  text: string;
  agreed: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface CreatedWorkspace {
  workspaceId: string;
  name: string;
  plan: 'entry' | 'pro';
  credits: number;
  /** a full-access key; shown only here */
  apiKey: string;
}

export interface CreditAccount {
  /** free to spend */
  balance: number;
  /** held for pushes under way */
  reserved: number;
  spent: number;
}

export interface CreditEntry {
  seq: number;
  kind: 'grant' | 'correct' | 'reserve' | 'settle' | 'release';
  /** what it adds to the balance */
  amount: number;
  /** what it adds to the credits held for pushes under way */
  reserved: number;
  /** after this entry */
  balance: number;
  externalRef: string | null;
  note: string | null;
  instanceId: string | null;
  messageId: string | null;
  /** the change of a design that went to all its cards */
  rolloutId: string | null;
  /** the request that it was for */
  requestId: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
}

/** a currency of ISO 4217, e.g. EUR */
export type Currency = string;

export interface CurrentKey {
  keyId: string | null;
  personId: string | null;
  role: 'owner' | 'manager' | 'staff' | 'viewer' | null;
  partnerId: string | null;
  name: string;
  access: 'full' | 'read';
  passIds: string[] | null;
  workspace: {
    workspaceId: string;
    name: string;
    plan: 'entry' | 'pro';
    credits: number;
    drafts: number;
  };
  /** requests per second */
  rateLimit: number;
}

export interface Delivery {
  /** the `webhook-id` of its messages, the same over all attempts */
  deliveryId: string;
  webhookId: string;
  eventId: string;
  type: string;
  status: 'waiting' | 'delivered' | 'failed';
  nextAttemptAt: string | null;
  /** the last twenty, the oldest first */
  attempts: {
    /** ISO 8601, UTC */
    at: string;
    /** of the answer; null where there was none */
    status: number | null;
    milliseconds: number;
    /** why there was no answer */
    problem: string | null;
    /** its first 1,000 bytes; null to keys that may only read */
    answer: string | null;
  }[];
  /** when the event was made */
  createdAt: string;
}

export interface DesignPreview {
  /** an SVG document */
  apple: string;
  /** an SVG document */
  google: string;
  /** the front of the web card, and the style sheet that it is shown with */
  web: { html: string; css: string };
  change: {
    /** how many cards would change */
    cards: number;
    /** what the pushes to those that are installed would cost */
    credits: number;
  } | null;
  warnings: {
    code: string;
    /** the property that it is about, such as `colors.label` */
    param: string;
    message: string;
    /** of `text_cut`: what the card calls the text */
    label?: string;
    /** of `translation_incomplete`: the texts that it lacks */
    missing?: string[];
  }[];
}

export interface DesignedPass {
  title?: string;
  type?: 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
  details?: string | null;
  terms?: string | null;
  /** when cards of this pass expire */
  expiry?: NoExpiry | NewFixedExpiry | ExpiryAfterIssue;
  fields?: NewPassField[];
  colors?: {
    /** a colour such as #10324a */
    background?: string | null;
    /** a colour such as #10324a */
    foreground?: string | null;
    /** a colour such as #10324a */
    label?: string | null;
  };
  barcode?: {
    mode?: 'simple' | 'unique' | 'pool' | 'none';
    format?: 'qr' | 'pdf417' | 'aztec' | 'code128' | 'ean13' | 'code39' | 'codabar' | 'itf';
    /** kept and compared in Unicode's NFC form */
    value?: string | null;
  };
  pool?: {
    /** the pool is low, and a `pool.low` event says so, once no more than so many codes are left */
    lowAt?: number;
  };
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  iconUrl?: string | null;
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  logoUrl?: string | null;
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  stripUrl?: string | null;
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  thumbnailUrl?: string | null;
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  backgroundUrl?: string | null;
  /**
   * the `url` that `POST /images` has answered, or the picture itself: `data:image/png;base64,…`, or webp
   * or jpeg
   */
  heroUrl?: string | null;
  /**
   * of the type `generic` alone: the whole card from iOS 27 on. the `url` that `POST /images` has
   * answered, or the picture itself: `data:image/png;base64,…`, or webp or jpeg
   */
  posterUrl?: string | null;
  /**
   * where phones bring the card up. A card has ten: those nearest to the partner at which it was issued,
   * if that has a location, or else the first
   */
  locations?: {
    latitude: number;
    longitude: number;
    relevantText?: string | null;
  }[];
  /** Bluetooth beacons near which iPhones show the card on the lock screen */
  beacons?: PassBeacon[];
  /**
   * when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
   * of iPhones before iOS 18
   */
  dates?: NewPassDate[];
  /**
   * buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
   * of the kind themselves, the others write `title`
   */
  actions?: PassAction[];
  /**
   * offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet
   * and on pages
   */
  modules?: PassModule[];
  walletOptions?: WalletOptionChanges;
  stamps?: PassStampChanges;
  metadata?: Record<string, string | number | boolean | null>;
  /** BCP 47: that of its texts; null: that of the workspace */
  language?: string | null;
  /**
   * its texts in other languages: one that is named replaces what it had, null takes it away, the others
   * stay
   */
  translations?: Record<string, Translation | null>;
  join?: NewJoinForm | null;
  /** the pass that the design would change; without it, that of a new pass is drawn */
  passId?: string;
  /** the language of the person who reads the card; without it, that of the design */
  reader?: string;
  /** a program to draw in the place of that of the pass, on a card that is on its way to the reward */
  program?: {
    mode: 'POINTS' | 'STAMPS' | 'MONEY';
    currency?: Currency;
    reward?: {
      /** what the reward is, e.g. Free coffee */
      title: string;
      /** points that a reward costs, in POINTS */
      cost?: number | null;
    };
    /** stamps that unlock a reward, in STAMPS */
    threshold?: number | null;
    /** what one point is called, and several */
    pointName?: { one: string; other: string };
    /**
     * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
     * the pass
     */
    drawsStamps?: boolean;
  };
}

export interface Device {
  deviceId: string;
  name: string;
  partnerId: string | null;
  paired: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface Diagnosis {
  instanceId: string;
  workspaceId: string;
  findings: {
    level: 'ok' | 'warning' | 'error';
    what: string;
    /** what to do about it */
    advice?: string;
  }[];
}

export interface EarnBatchBody {
  /** each as the body of POST /loyalty/points */
  awards: Award[];
}

export interface Entry {
  entryId: string;
  /** number within the account, without gaps */
  seq: number;
  kind: 'earn' | 'redeem' | 'unlock' | 'cancel' | 'expire' | 'adjust' | 'import' | 'reversal';
  /** what it added to the balance; below zero: took from it */
  points: number;
  /** after it */
  balance: number;
  amount?: MoneyMoved;
  externalRef: string | null;
  reason: string | null;
  limitedBy: 'min_seconds_between' | 'per_day' | 'instance_expired' | null;
  partnerId: string | null;
  orderId: string | null;
  reversalOf: string | null;
  instanceId: string;
  /** who made it: a key, a person, a store, or the name of a job */
  actor: string;
  /** the shared till at which that person was signed in */
  deviceId: string | null;
  /** ISO 8601, UTC */
  occurredAt: string;
  /** ISO 8601, UTC */
  createdAt: string;
  /**
   * in lists that were asked for with `include=holder`: what to call the holder of the card now: name,
   * e-mail address, telephone number or identifier, the first that is known; else absent
   */
  holderName?: string | null;
}

export interface Event {
  eventId: string;
  /** without a gap in the workspace */
  seq: number;
  type: EventType;
  /** ISO 8601, UTC */
  createdAt: string;
  /** of the request that did it, or the name of the background work */
  requestId: string;
  /** who did it: the id of a key, a person or a store, or `operator`, `holder`, `system` */
  actor: string;
  passId: string | null;
  instanceId: string | null;
  /** what it concerns, as the API showed it then; empty once the card was erased */
  data: Record<string, unknown>;
  /** the changed properties, as they were before */
  previous: Record<string, unknown>;
}

export type EventType =
  | 'pass.created'
  | 'pass.published'
  | 'pass.archived'
  | 'pass.updated'
  | 'instance.issued'
  | 'instance.installed'
  | 'instance.removed'
  | 'instance.updated'
  | 'instance.voided'
  | 'instance.reactivated'
  | 'instance.erased'
  | 'points.awarded'
  | 'points.adjusted'
  | 'points.reversed'
  | 'points.expired'
  | 'reward.unlocked'
  | 'reward.redeemed'
  | 'value.loaded'
  | 'value.charged'
  | 'value.refunded'
  | 'value.reversed'
  | 'value.adjusted'
  | 'value.expired'
  | 'program.launched'
  | 'program.paused'
  | 'order.processed'
  | 'order.refunded'
  | 'order.cancelled'
  | 'order.updated'
  | 'push.delivered'
  | 'push.skipped'
  | 'push.failed'
  | 'message.sent'
  | 'credits.low'
  | 'credits.added'
  | 'pool.low'
  | 'invite.sent'
  | 'invite.accepted'
  | 'invite.unsubscribed'
  | 'sweep.finished'
  | 'rollout.finished'
  | 'certificate.expiring'
  | 'webhook.failing'
  | 'webhook.disabled'
  | 'webhook.test'
  | (string & {});

export interface ExpiryAfterIssue {
  kind: 'afterIssue';
  days: number;
}

export interface FieldUpdate {
  instanceId: string;
  fields: Record<string, string | null | { useDefault: true }>;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
}

export interface FixedExpiry {
  kind: 'fixed';
  /** ISO 8601, UTC */
  at: string;
}

export interface GetHolderQuery {
  passId: string;
}

export interface GetOrderQuery {
  storeId?: string;
}

export interface GetPartnerStatementCsvQuery {
  /** a month such as 2026-11, in the time zone of the workspace */
  month: string;
}

export interface GetPartnerStatementQuery {
  /** a month such as 2026-11, in the time zone of the workspace */
  month: string;
}

export interface GetPreviewPngQuery {
  /** whose wallet, default apple */
  platform?: 'apple' | 'google';
  /**
   * an instance of the pass; without it, a card that would be issued now, with the barcode PREVIEW, or a
   * number where its format holds no letters
   */
  instanceId?: string;
}

export interface GetPreviewSvgQuery {
  /** whose wallet, default apple */
  platform?: 'apple' | 'google';
  /**
   * an instance of the pass; without it, a card that would be issued now, with the barcode PREVIEW, or a
   * number where its format holds no letters
   */
  instanceId?: string;
}

export interface GetStatisticsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  passId?: string;
  partnerId?: string;
  /** a day such as 2026-11-03, in the time zone of the workspace */
  from?: string;
  /** a day such as 2026-11-03, in the time zone of the workspace */
  to?: string;
  by?: 'day' | 'week' | 'month' | 'partner';
}

export interface GetTimelineQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface GetVisitorsQuery {
  passId?: string;
  /** a number of days, today among them */
  days?: number;
  /** a number of days, today among them */
  away?: number;
}

export interface Holder {
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string | null;
  name: string | null;
  /** an e-mail address */
  email: string | null;
  /** a telephone number in the form of E.164 */
  phone: string | null;
  /** BCP 47, e.g. pt-BR */
  locale: string | null;
  /**
   * what a store or a former version has given as telephone number of the holder and is none; absent:
   * nothing
   */
  phoneGiven?: string;
  /** the active ones first, then the newest; at most 100 */
  cards: Instance[];
}

export interface ImportBalancesQuery {
  dryRun?: boolean;
}

export interface ImportInstancesBody {
  /** a card each, with the barcode that it carries */
  instances: ImportedInstance[];
}

export interface ImportedInstance {
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  holder?: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier?: string | null;
    name?: string | null;
    /** an e-mail address */
    email?: string | null;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone?: string | null;
    /** BCP 47, e.g. pt-BR */
    locale?: string | null;
  } | null;
  /** whether a wallet link of ours reaches the card; default false */
  addressable?: boolean;
  balance?: number | null;
  value?: Money;
}

export interface Instance {
  instanceId: string;
  passId: string;
  status: 'active' | 'voided';
  barcode: string | null;
  /** whether the holder may have values of their own */
  addressable: boolean;
  holder: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier: string | null;
    name: string | null;
    /** an e-mail address */
    email: string | null;
    /** a telephone number in the form of E.164 */
    phone: string | null;
    /** BCP 47, e.g. pt-BR */
    locale: string | null;
  } | null;
  /**
   * what a store or a former version has given as telephone number of the holder and is none; absent:
   * nothing
   */
  phoneGiven?: string;
  fields: Record<string, string | null>;
  /** ISO 8601, UTC */
  expiresAt: string | null;
  partnerId: string | null;
  metadata: Record<string, string | number | boolean | null>;
  wallets: {
    apple: number;
    google: number;
    web: number;
  };
  loyalty: {
    programId: string;
    mode: 'POINTS' | 'STAMPS' | 'MONEY';
    /** in MONEY in the smallest unit of the currency */
    balance: number;
    amount?: Money;
    pendingRewards: number;
    tier: { key: string; title: string } | null;
  } | null;
  links: {
    add: string;
    apple: string;
    google: string;
    card: string;
    qr: string;
  };
  /** yours, of its issue */
  externalRef: string | null;
  /** when a wallet took it first */
  installedAt: string | null;
  /** the outcome of the last push of the card; a design that goes to all cards is not counted */
  lastPush: {
    /** ISO 8601, UTC */
    at: string;
    result: 'delivered' | 'skipped' | 'failed';
  } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /**
   * when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and
   * pushes, leave it
   */
  updatedAt: string;
  /** ISO 8601, UTC */
  voidedAt: string | null;
  voidReason: string | null;
  /** in lists that were asked for with `include=details`; else absent */
  details?: {
    /** ISO 8601, UTC */
    lastAwardAt: string | null;
    /** the newest answer to each */
    consents: Consent[];
  };
  /** where a card is read whose `expiresAt` has come; else absent */
  expired?: true;
}

export interface InstanceChanges {
  holder?: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier?: string | null;
    name?: string | null;
    /** an e-mail address */
    email?: string | null;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone?: string | null;
    /** BCP 47, e.g. pt-BR */
    locale?: string | null;
  };
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  expiresAt?: string | null;
  metadata?: Record<string, string | number | boolean | null>;
  fields?: Record<string, string | null | { useDefault: true }>;
}

export interface InstanceDiagnosis {
  instanceId: string;
  findings: {
    level: 'ok' | 'warning' | 'error';
    /** what it is about, for programs; more are added at any time */
    code:
      | 'card_active'
      | 'card_erased'
      | 'card_voided'
      | 'card_imported'
      | 'pass_not_published'
      | 'service_address'
      | 'certificate'
      | 'held'
      | 'removed'
      | 'not_registered'
      | 'not_added'
      | 'never_opened'
      | 'given_up'
      | 'device_reported'
      | 'credits_missing'
      | 'change_ahead'
      | 'wallet_refuses'
      | 'push_service_unreached'
      | 'device'
      | 'other_certificate'
      | 'device_asks'
      | 'change_held_back'
      | 'push_paced'
      | 'push_retried'
      | 'push_in_hand'
      | 'push_due'
      | 'push_failed'
      | 'push_taken'
      | 'newest_fetched'
      | 'newest_not_pushed'
      | 'newest_not_fetched'
      | 'changes_silent'
      | 'changes_announced'
      | 'value_not_announced'
      | 'google_not_asked'
      | 'google_not_set_up'
      | 'google_not_made'
      | 'google_not_kept'
      | 'google_silent'
      | 'google_limit'
      | 'browsers'
      | 'browsers_silent';
    wallet: 'apple' | 'google' | 'web' | null;
    /** when it happened, or will */
    at: string | null;
    what: string;
    /** what to do about it */
    advice: string | null;
  }[];
}

export interface InstanceEvent {
  eventId: string;
  /** as in the event log, such as `instance.updated`; kinds are added */
  kind: string;
  /** the keys that an update changed */
  changed?: string[];
  wallet?: 'apple' | 'google' | 'web';
  /**
   * why it failed or was skipped: the platform's own word; `notification_quota` on a push that arrived
   * silently
   */
  reason?: string;
  /** what a device has reported */
  message?: string;
  /**
   * who did it, as in the event log; absent where no call was the cause, and in lines of before it was
   * kept
   */
  actor?: string;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface InstanceResults {
  results: ({ status: number } & ExactlyOne<{ instance: KnownInstance; error: ItemError }>)[];
}

export interface Invite {
  inviteId: string;
  passId: string;
  sweepId: string | null;
  status:
    | 'queued'
    | 'sending'
    | 'sent'
    | 'unknown'
    | 'failed'
    | 'suppressed'
    | 'already_holder'
    | 'cancelled';
  /** null once the person was forgotten */
  email: string | null;
  /** why it was not sent, or not yet: the mail server's reply in numbers, or a word */
  problem: string | null;
  /** the card that was made of it */
  instanceId: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  sentAt: string | null;
  /** ISO 8601, UTC */
  acceptedAt: string | null;
}

export interface InvitedPerson {
  personId: string;
  email: string | null;
  name: string;
  role: 'owner' | 'manager' | 'staff' | 'viewer';
  partnerId: string | null;
  /** signs in at shared tills */
  hasPin: boolean;
  /** invited, and not joined yet */
  pending: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
  /** signs the person in, once, where it cannot be mailed; null: it was mailed, or is not yours to give */
  link: string | null;
}

export interface IssueBatchBody {
  /** each as the body of POST /passes/{passId}/instances */
  instances: NewInstance[];
}

/**
 * why an item was refused: an error body without a requestId; with `retryable` the same call again,
 * under the same Idempotency-Key, does the rest; with `problems` it is `invalid_request`
 */
export interface ItemError {
  error: string;
  code: string;
  retryable?: true;
  problems?: Problem[];
}

export interface JoinForm {
  /** whether the page is open, while the pass is published */
  enabled: boolean;
  headline: string | null;
  text: string | null;
  /** which image of the pass stands above the form */
  image:
    | 'iconUrl'
    | 'logoUrl'
    | 'stripUrl'
    | 'thumbnailUrl'
    | 'backgroundUrl'
    | 'heroUrl'
    | 'posterUrl'
    | null;
  /**
   * `email`: a person gets a card only after they have pressed a button in a mail; `none`: a person who
   * names no address gets it at once. An address that is named is proven either way.
   */
  proof: 'none' | 'email';
  /** new cards on a day in the time zone of the workspace; null: no limit */
  limitPerDay: number | null;
  domainAllow: string[];
  fields: {
    /** `name`, `email`, `phone`, or the key of an editable field of the pass */
    key: string;
    required: boolean;
    label: string | null;
  }[];
  consents: {
    key: string;
    text: string;
    required: boolean;
  }[];
  /** the page itself */
  url: string;
}

export type KnownInstance = {
  instanceId: string;
  passId: string;
  status: 'active' | 'voided';
  barcode: string | null;
  /** whether the holder may have values of their own */
  addressable: boolean;
  holder: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier: string | null;
    name: string | null;
    /** an e-mail address */
    email: string | null;
    /** a telephone number in the form of E.164 */
    phone: string | null;
    /** BCP 47, e.g. pt-BR */
    locale: string | null;
  } | null;
  /**
   * what a store or a former version has given as telephone number of the holder and is none; absent:
   * nothing
   */
  phoneGiven?: string;
  fields: Record<string, string | null>;
  /** ISO 8601, UTC */
  expiresAt: string | null;
  partnerId: string | null;
  metadata: Record<string, string | number | boolean | null>;
  wallets: {
    apple: number;
    google: number;
    web: number;
  };
  loyalty: {
    programId: string;
    mode: 'POINTS' | 'STAMPS' | 'MONEY';
    /** in MONEY in the smallest unit of the currency */
    balance: number;
    amount?: Money;
    pendingRewards: number;
    tier: { key: string; title: string } | null;
  } | null;
  links: {
    add: string;
    apple: string;
    google: string;
    card: string;
    qr: string;
  };
  /** yours, of its issue */
  externalRef: string | null;
  /** when a wallet took it first */
  installedAt: string | null;
  /** the outcome of the last push of the card; a design that goes to all cards is not counted */
  lastPush: {
    /** ISO 8601, UTC */
    at: string;
    result: 'delivered' | 'skipped' | 'failed';
  } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /**
   * when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and
   * pushes, leave it
   */
  updatedAt: string;
  /** ISO 8601, UTC */
  voidedAt: string | null;
  voidReason: string | null;
  /** in lists that were asked for with `include=details`; else absent */
  details?: {
    /** ISO 8601, UTC */
    lastAwardAt: string | null;
    /** the newest answer to each */
    consents: Consent[];
  };
  /** where a card is read whose `expiresAt` has come; else absent */
  expired?: true;
} & PushOutcome;

export interface ListAnyPeopleQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListApiKeysQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListAuditQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  actor?: string;
  /** such as earnPoints */
  action?: string;
  target?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListBarcodesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  state?: 'available' | 'assigned';
}

export interface ListConsentsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListCreditEntriesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListDeliveriesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  status?: 'waiting' | 'delivered' | 'failed';
  type?: EventType;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListDevicesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListEntriesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
  instanceId?: string;
  passId?: string;
  programId?: string;
  kind?: 'earn' | 'redeem' | 'unlock' | 'cancel' | 'expire' | 'adjust' | 'import' | 'reversal';
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  /** your number of the order; in a store, its own; kept and compared in Unicode's NFC form */
  orderId?: string;
  partnerId?: string;
  personId?: string;
  deviceId?: string;
  include?: 'holder';
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListEventsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** a kind of event, or several with commas between them */
  type?: string;
  passId?: string;
  instanceId?: string;
  /** the last number that was read; 0 for the first */
  afterSeq?: number;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  /** seconds, with afterSeq; 30 at most */
  wait?: number;
}

export interface ListHoldersQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
  /** an e-mail address */
  email?: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone?: string;
  /**
   * what words of a name, an address, a number or a code begin with, in whatever case, words in any
   * order; or the last digits of a telephone number, at least four
   */
  q?: string;
}

export interface ListInstancesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  /**
   * what words of a name, an address, a number or a code begin with, in whatever case, words in any
   * order; or the last digits of a telephone number, at least four
   */
  q?: string;
  status?: 'active' | 'voided';
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
  /** an e-mail address */
  email?: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone?: string;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  installed?: boolean;
  partnerId?: string;
  include?: 'details';
}

export interface ListInvitesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  status?:
    | 'queued'
    | 'sending'
    | 'sent'
    | 'unknown'
    | 'failed'
    | 'suppressed'
    | 'already_holder'
    | 'cancelled';
  /** an e-mail address; in lower case, it is the person; kept and compared in Unicode's NFC form */
  email?: string;
}

export interface ListMessagesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListOrdersQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  passId?: string;
  storeId?: string;
  instanceId?: string;
  /**
   * the number that customers know it by, in any case, with its # or without; an order without one is
   * found by its orderId alone
   */
  number?: string;
  status?: 'pending' | 'processed' | 'cancelled';
  waiting?: boolean;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListPartnersQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  /**
   * the partner's number in your own system; no other partner of the workspace has it; kept and compared
   * in Unicode's NFC form
   */
  externalId?: string;
}

export interface ListPassesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  status?: 'draft' | 'published' | 'archived';
}

export interface ListPeopleQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListPrivacyRequestsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListProgramsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
  status?: 'not_launched' | 'active' | 'paused';
}

export interface ListRequestsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** such as 409 */
  status?: number;
  /** such as external_ref_reused */
  code?: string;
  /** such as earnPoints */
  op?: string;
  keyId?: string;
  instanceId?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListRewardsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  passId?: string;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
  instanceId?: string;
  /** kept and compared in Unicode's NFC form */
  barcode?: string;
  /** an e-mail address */
  email?: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone?: string;
}

export interface ListStoresQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListSweepResultsQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
}

export interface ListWebhooksQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListWorkspacesQuery {
  /** 1 to 100, default 25 */
  limit?: number;
  /** nextCursor of the page before */
  cursor?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdAfter?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  createdBefore?: string;
}

export interface ListedOrder {
  orderId: string;
  /** what customers know it by, such as `#1003`; null: by its `orderId` */
  number: string | null;
  storeId: string | null;
  passId: string | null;
  instanceId: string | null;
  /** `pending`: it has no card, since it is not known yet, or not paid */
  status: 'pending' | 'processed' | 'cancelled';
  /** it has no card: what is known of it counts as soon as it has one */
  waiting: boolean;
  cancelled: boolean;
  total: Money | null;
  refunded: Money | null;
  /** what it earns after all that is known of it */
  points: number;
  /**
   * why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was
   * made; `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`:
   * less money than the rule wants, or than a point takes
   */
  limitedBy:
    | 'per_day'
    | 'min_seconds_between'
    | 'instance_expired'
    | 'cancelled'
    | 'empty_order'
    | 'below_minimum'
    | null;
  /** the earn rule that it was processed with; refunds go by it */
  earn: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit: number;
    currency: Currency | null;
    rates: Record<string, string>;
    /** points for each order; 1 in STAMPS by default */
    perOrder: number;
    minOrder: Money | null;
  } | null;
  /** how many times the tier of the card counted what it earns; 1 without */
  multiplier: number;
  partnerId: string | null;
  /** ISO 8601, UTC */
  placedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  /** whose card it is: the holder's name, or else e-mail address, telephone or customer number */
  holderName: string | null;
}

/** money that was put on a card, and what it holds then */
export type LoadedValue = {
  entryId: string;
  instanceId: string;
  programId: string;
  loaded: Money;
  balance: Money;
} & PushOutcome;

export interface LookUpInstanceQuery {
  /** kept and compared in Unicode's NFC form */
  barcode?: string;
  instanceId?: string;
  passId?: string;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
}

export interface LoyaltyHolder {
  identifier: string;
  instanceId: string;
  passId: string;
  programId: string;
  mode: 'POINTS' | 'STAMPS' | 'MONEY';
  /**
   * below zero: points that were spent before their earn was undone; in MONEY in the smallest unit of the
   * currency
   */
  balance: number;
  amount?: Money;
  tier: { key: string; title: string } | null;
  /** all that was ever earned, without what was undone; corrections leave it alone */
  lifetimePoints: number;
  pendingRewards: number;
  threshold: number | null;
  cost: number | null;
  nextExpiry: {
    points: number;
    /** ISO 8601, UTC */
    at: string;
  } | null;
}

export interface Message {
  messageId: string;
  passId: string;
  /** null for messages of before texts were kept */
  text: string | null;
  audience: {
    /** true, as without it: in any wallet; or the kind of wallet that holds the card */
    installed?: true | 'apple' | 'google' | 'web';
    /** what the card shows in each of these fields, its own value or that of the pass; null: nothing */
    fields?: Record<string, string | null>;
    /**
     * key of the tier of its program that the holder is in; where that has none, what the card shows in the
     * field `tier`
     */
    tier?: string;
    balance?: { from?: number; to?: number };
    lastSeen?: {
      /** a wallet fetched the card, or its page was opened, since then */
      after?: string;
      /** and that has not happened since then */
      before?: string;
    };
    partnerId?: string;
    /** the card has earned nothing for so many days, and is older than that */
    awayDays?: number;
    /** a reward is unlocked, or the balance is enough for the first one */
    rewardWaiting?: true;
    /** key of a consent of the join page that the holder has agreed to, and not taken back */
    consent?: string;
  } | null;
  /**
   * `planned` waits for `sendAt`; `cancelled` was taken back before; `unsent` could not be sent then, for
   * `unsentReason`
   */
  state: 'planned' | 'running' | 'finished' | 'cancelled' | 'unsent';
  /** code of the error; `too_late`: its end had come before it could go out */
  unsentReason: string | null;
  /** cards that it was paid for */
  recipients: number;
  /** of them, those for which a wallet was notified */
  delivered: number;
  /** those whose wallets have failed for good; their credits came back */
  failed: number;
  /** those that were removed, or matched no more, before their turn; their credits came back */
  skipped: number;
  /** those whose wallets are still to be notified */
  waiting: number;
  /** when it went out; when it was made, as long as it has not */
  createdAt: string;
  /** null: it was sent at once */
  sendAt: string | null;
  /** when its text leaves the cards */
  endsAt: string | null;
  /** when its text began to leave them, at its end or taken back */
  endedAt: string | null;
  /** when the last card had its turn; some may still wait */
  finishedAt: string | null;
}

export interface MessageCost {
  /** installed cards that it would go to now */
  recipients: number;
  /** credits that it would cost */
  credits: number;
  /**
   * messages to all cards that Google Wallet would announce now, of three in 24 hours; the next ones
   * arrive without a sound. A card whose own changes were announced has fewer. null: no card of the pass
   * is there
   */
  announcementsLeft: number | null;
}

export interface MessageUpdate {
  text?: string;
  audience?: {
    /** true, as without it: in any wallet; or the kind of wallet that holds the card */
    installed?: true | 'apple' | 'google' | 'web';
    /** what the card shows in each of these fields, its own value or that of the pass; null: nothing */
    fields?: Record<string, string | null>;
    /**
     * key of the tier of its program that the holder is in; where that has none, what the card shows in the
     * field `tier`
     */
    tier?: string;
    balance?: { from?: number; to?: number };
    lastSeen?: {
      /** a wallet fetched the card, or its page was opened, since then */
      after?: string;
      /** and that has not happened since then */
      before?: string;
    };
    partnerId?: string;
    /** the card has earned nothing for so many days, and is older than that */
    awayDays?: number;
    /** a reward is unlocked, or the balance is enough for the first one */
    rewardWaiting?: true;
    /** key of a consent of the join page that the holder has agreed to, and not taken back */
    consent?: string;
  } | null;
  /** when it goes out, at most ten years ahead; without it, at once */
  sendAt?: string;
  /** when its text leaves the cards, by an update of each card; without it, with the next message */
  endsAt?: string | null;
}

/** an amount of money, e.g. `{"amount":"12.50","currency":"EUR"}` */
export interface Money {
  /** a decimal number such as 12.50 */
  amount: string;
  currency: Currency;
}

export interface MoneyMoved {
  /** a decimal number such as 12.50; below zero: taken */
  amount: string;
  currency: Currency;
}

export interface NewApiKey {
  name: string;
  access: 'full' | 'read';
  /** the only passes it reaches; null for all */
  passIds?: string[] | null;
  /** requests per second; null for the installation's default */
  rateLimit?: number | null;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  expiresAt?: string | null;
}

export interface NewAppleIdentity {
  certificate?: string;
  intermediate?: string;
  /** a PKCS#12 file with certificate and key, in base64 */
  p12?: string;
  /** of the PKCS#12 file */
  passphrase?: string;
}

export interface NewCredits {
  /** a negative amount corrects: it takes back what is free, and no more */
  amount: number;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef: string;
  note?: string;
}

export interface NewCustomStore {
  platform: 'custom';
  /** the host of the store, with `:port` if needed */
  domain: string;
  /** 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown */
  webhookSecret: string;
  passId?: string | null;
  consent?: { metaKey: string; metaValue: string } | { attestedBy: string } | null;
  /** whether an order that is edited after it was paid earns by its newest total */
  followsEdits?: boolean;
}

export interface NewDevice {
  /** what the staff call it */
  name: string;
  /** the partner that all awards and redeems at it are for */
  partnerId?: string | null;
}

export interface NewFixedExpiry {
  kind: 'fixed';
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  at: string;
}

export interface NewGoogleIdentity {
  serviceAccount: string;
  /** as Google writes it */
  issuerId: string;
}

export interface NewInstance {
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  holder?: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier?: string | null;
    name?: string | null;
    /** an e-mail address */
    email?: string | null;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone?: string | null;
    /** BCP 47, e.g. pt-BR */
    locale?: string | null;
  } | null;
  fields?: Record<string, string | null>;
  /** kept and compared in Unicode's NFC form */
  barcode?: string | null;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  expiresAt?: string | null;
  partnerId?: string | null;
  metadata?: Record<string, string | number | boolean | null>;
  value?: Money;
  /**
   * the card that the holder has takes over the details of the holder and the fields that are sent, and
   * nothing else
   */
  onExisting?: 'update';
}

export interface NewInvite {
  /** an e-mail address; in lower case, it is the person; kept and compared in Unicode's NFC form */
  email: string;
  /** whom the mail greets, and the holder of the card */
  name?: string | null;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string | null;
  /** the language of the mail and of the card, BCP 47; else the workspace's */
  locale?: string | null;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
}

export interface NewJoinForm {
  /** whether the page is open, while the pass is published */
  enabled: boolean;
  fields?: {
    /** `name`, `email`, `phone`, or the key of an editable field of the pass */
    key: string;
    required?: boolean;
    label?: string | null;
  }[];
  headline?: string | null;
  text?: string | null;
  /** which image of the pass stands above the form */
  image?:
    | 'iconUrl'
    | 'logoUrl'
    | 'stripUrl'
    | 'thumbnailUrl'
    | 'backgroundUrl'
    | 'heroUrl'
    | 'posterUrl'
    | null;
  consents?: {
    key: string;
    text: string;
    required: boolean;
  }[];
  /**
   * `email`: a person gets a card only after they have pressed a button in a mail; `none`: a person who
   * names no address gets it at once. An address that is named is proven either way.
   */
  proof?: 'none' | 'email';
  /** new cards on a day in the time zone of the workspace; null: no limit */
  limitPerDay?: number | null;
  domainAllow?: string[];
}

export interface NewMessage {
  text: string;
  audience?: {
    /** true, as without it: in any wallet; or the kind of wallet that holds the card */
    installed?: true | 'apple' | 'google' | 'web';
    /** what the card shows in each of these fields, its own value or that of the pass; null: nothing */
    fields?: Record<string, string | null>;
    /**
     * key of the tier of its program that the holder is in; where that has none, what the card shows in the
     * field `tier`
     */
    tier?: string;
    balance?: { from?: number; to?: number };
    lastSeen?: {
      /** a wallet fetched the card, or its page was opened, since then */
      after?: string;
      /** and that has not happened since then */
      before?: string;
    };
    partnerId?: string;
    /** the card has earned nothing for so many days, and is older than that */
    awayDays?: number;
    /** a reward is unlocked, or the balance is enough for the first one */
    rewardWaiting?: true;
    /** key of a consent of the join page that the holder has agreed to, and not taken back */
    consent?: string;
  };
  /** when it goes out, at most ten years ahead; without it, at once */
  sendAt?: string;
  /** when its text leaves the cards, by an update of each card; without it, with the next message */
  endsAt?: string;
  /** only answers how many cards it would go to, and what it would cost */
  dryRun?: boolean;
}

export interface NewMoneyProgram {
  passId: string;
  mode: 'MONEY';
  currency?: Currency;
  /** what a card may hold in MONEY, in the currency of the program; null: any amount */
  maxBalance?: Money | null;
  /** what one point is called, and several */
  pointName?: { one: string; other: string };
  expiry?: {
    /** how long points last; null for ever */
    months?: number | null;
  };
  limits?: {
    perDay?: number | null;
    minSecondsBetween?: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward?: number | null;
    /**
     * the same for people of a role, in the place of `perAward`; a role that is not named stays, null takes
     * it away
     */
    perAwardByRole?: {
      owner?: number | null;
      manager?: number | null;
      staff?: number | null;
      viewer?: number | null;
    };
  };
}

export interface NewOrder {
  passId: string;
  /** your number of the order; in a store, its own; kept and compared in Unicode's NFC form */
  orderId: string;
  /**
   * what customers know it by, such as #1003, where that is not its orderId; kept and compared in
   * Unicode's NFC form
   */
  number?: string | null;
  /** the store that the order was placed in; absent: you keep the orders yourself */
  storeId?: string | null;
  /** at least an id, an e-mail address, or a telephone number with its country */
  customer: {
    /** the holder's identifier; kept and compared in Unicode's NFC form */
    id?: string | null;
    /** an e-mail address; kept and compared in Unicode's NFC form */
    email?: string | null;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone?: string | null;
    name?: string | null;
  };
  total: Money;
  items?:
    | {
        id?: string;
        sku?: string | null;
        name?: string | null;
        quantity?: number;
        total?: Money;
      }[]
    | null;
  partnerId?: string | null;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  occurredAt?: string | null;
}

export interface NewOwner {
  /** E-mail address */
  email: string;
  name: string;
}

export interface NewPartner {
  name: string;
  /**
   * the partner's number in your own system; no other partner of the workspace has it; kept and compared
   * in Unicode's NFC form
   */
  externalId?: string | null;
  /** where it is: cards issued at it have the ten places of their pass that are nearest to it */
  location?: { latitude: number; longitude: number } | null;
  metadata?: Record<string, string | number | boolean | null>;
}

export interface NewPass {
  title: string;
  type: 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
  details?: string | null;
  terms?: string | null;
  /** when cards of this pass expire */
  expiry?: NoExpiry | NewFixedExpiry | ExpiryAfterIssue;
  fields?: NewPassField[];
  colors?: {
    /** a colour such as #10324a */
    background?: string | null;
    /** a colour such as #10324a */
    foreground?: string | null;
    /** a colour such as #10324a */
    label?: string | null;
  };
  barcode?: {
    mode?: 'simple' | 'unique' | 'pool' | 'none';
    format?: 'qr' | 'pdf417' | 'aztec' | 'code128' | 'ean13' | 'code39' | 'codabar' | 'itf';
    /** kept and compared in Unicode's NFC form */
    value?: string | null;
  };
  pool?: {
    /** the pool is low, and a `pool.low` event says so, once no more than so many codes are left */
    lowAt?: number;
  };
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  iconUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  logoUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  stripUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  thumbnailUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  backgroundUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  heroUrl?: string | null;
  /**
   * of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG,
   * JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
   * answered in the same workspace
   */
  posterUrl?: string | null;
  /**
   * where phones bring the card up. A card has ten: those nearest to the partner at which it was issued,
   * if that has a location, or else the first
   */
  locations?: {
    latitude: number;
    longitude: number;
    relevantText?: string | null;
  }[];
  /** Bluetooth beacons near which iPhones show the card on the lock screen */
  beacons?: PassBeacon[];
  /**
   * when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
   * of iPhones before iOS 18
   */
  dates?: NewPassDate[];
  /**
   * buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
   * of the kind themselves, the others write `title`
   */
  actions?: PassAction[];
  /**
   * offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet
   * and on pages
   */
  modules?: PassModule[];
  walletOptions?: WalletOptionChanges;
  stamps?: PassStampChanges;
  metadata?: Record<string, string | number | boolean | null>;
  /** BCP 47: that of its texts; null: that of the workspace */
  language?: string | null;
  /**
   * its texts in other languages: one that is named replaces what it had, null takes it away, the others
   * stay
   */
  translations?: Record<string, Translation | null>;
  join?: NewJoinForm | null;
}

export interface NewPassDate {
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  start?: string;
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  end?: string | null;
  /** in the place of `start`: a field with the format `dateTime` or `relative`, whose value is it */
  field?: string;
}

export interface NewPassField {
  /** a small letter, then small letters, digits and _, at most 40 together */
  key: string;
  label: string;
  section: 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';
  /** what holders without a value of their own see */
  value?: string | null;
  /** whether holders may have a value of their own */
  editable?: boolean;
  /** shown on change; %@ is replaced by the new value */
  changeMessage?: string | null;
  /** whether it is shown only until a program is launched, such as a text about the reward */
  untilProgram?: boolean;
  /**
   * what its values are: wallets write them in the language of the holder. `number` 12.5, `percent` 12.5
   * (of a hundred), `currency` 12.50, `date` 2027-03-01, `time` 18:30, `dateTime` and `relative` (such as
   * "in 3 days") 2027-03-01T18:30:00Z; `link` https://example.com, `phone`, `email` and `address` open
   * where they are touched. Absent: text
   */
  format?:
    | 'text'
    | 'number'
    | 'currency'
    | 'percent'
    | 'date'
    | 'time'
    | 'dateTime'
    | 'relative'
    | 'link'
    | 'phone'
    | 'email'
    | 'address';
  currency?: Currency;
  /** its alignment in Apple Wallet; not in the sections `primary` and `back` */
  align?: 'left' | 'center' | 'right';
}

export interface NewPerson {
  /** E-mail address */
  email: string;
  name: string;
  role: 'owner' | 'manager' | 'staff' | 'viewer';
  /** of staff: the only partner that their awards and redeems are for; null for any */
  partnerId?: string | null;
  /** four to eight digits, for shared tills; not for viewers */
  pin?: string;
}

export type NewPointsProgram = {
  passId: string;
  mode: 'POINTS';
  currency?: unknown;
  maxBalance?: unknown;
  /** all tiers, in the place of those before; an empty list takes them away */
  tiers?: {
    /** a name such as gold */
    key: string;
    /** what the card shows in the field `tier`, where its pass has one */
    title: string;
    /** the lifetime points that it begins at */
    from: number;
    /** what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default */
    multiplier?: number;
  }[];
  threshold?: unknown;
  earn?: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit?: number;
    currency?: Currency;
    /**
     * what one unit of another currency is worth in this one; a rate that is not named stays, null takes it
     * away
     */
    rates?: Record<string, string | null>;
    /** points for each order; 1 in STAMPS by default */
    perOrder?: number;
    minOrder?: Money | null;
  };
  expiry?: {
    /** how long points last; null for ever */
    months?: number | null;
  };
  limits?: {
    perDay?: number | null;
    minSecondsBetween?: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward?: number | null;
    /**
     * the same for people of a role, in the place of `perAward`; a role that is not named stays, null takes
     * it away
     */
    perAwardByRole?: {
      owner?: number | null;
      manager?: number | null;
      staff?: number | null;
      viewer?: number | null;
    };
  };
  refundPolicy?: 'debt' | 'within_balance';
  /**
   * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
   * the pass
   */
  drawsStamps?: boolean;
  /** what one point is called, and several */
  pointName?: { one: string; other: string };
} & ExactlyOne<{
  reward: {
    /** what the reward is, e.g. Free coffee */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number;
  };
  /** all rewards of a program in POINTS, at least one, in the place of those before; the first is `reward` */
  rewards: {
    /** which of the rewards it is; absent: a new one */
    rewardId?: string;
    /** what the reward is, e.g. Free coffee */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number;
    status?: 'active' | 'hidden';
  }[];
}>;

export type NewProgram = NewPointsProgram | NewStampsProgram | NewMoneyProgram;

export interface NewRefund {
  /** your number of the refund; kept and compared in Unicode's NFC form */
  refundId: string;
  amount: Money;
  /** the store that the order was placed in; absent: you keep the orders yourself */
  storeId?: string | null;
}

export interface NewShopifyStore {
  platform: 'shopify';
  /** the host of the store, with `:port` if needed */
  domain: string;
  credentials: ShopifyCredentials;
  /** 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown */
  webhookSecret: string;
  passId?: string | null;
  /** Shopify itself says which customers may be mailed */
  consent?: unknown;
  /** whether an order that is edited after it was paid earns by its newest total */
  followsEdits?: boolean;
}

export interface NewStampsProgram {
  passId: string;
  mode: 'STAMPS';
  currency?: unknown;
  reward: {
    /** what the reward is, e.g. Free coffee */
    title: string;
    cost?: unknown;
  };
  maxBalance?: unknown;
  /** all rewards of a program in POINTS, at least one, in the place of those before; the first is `reward` */
  rewards?: {
    /** which of the rewards it is; absent: a new one */
    rewardId?: string;
    /** what the reward is, e.g. Free coffee */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number;
    status?: 'active' | 'hidden';
  }[];
  /** all tiers, in the place of those before; an empty list takes them away */
  tiers?: {
    /** a name such as gold */
    key: string;
    /** what the card shows in the field `tier`, where its pass has one */
    title: string;
    /** the lifetime points that it begins at */
    from: number;
    /** what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default */
    multiplier?: number;
  }[];
  /** stamps that unlock a reward, in STAMPS */
  threshold: number;
  earn?: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit?: number;
    currency?: Currency;
    /**
     * what one unit of another currency is worth in this one; a rate that is not named stays, null takes it
     * away
     */
    rates?: Record<string, string | null>;
    /** points for each order; 1 in STAMPS by default */
    perOrder?: number;
    minOrder?: Money | null;
  };
  expiry?: {
    /** how long points last; null for ever */
    months?: number | null;
  };
  limits?: {
    perDay?: number | null;
    minSecondsBetween?: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward?: number | null;
    /**
     * the same for people of a role, in the place of `perAward`; a role that is not named stays, null takes
     * it away
     */
    perAwardByRole?: {
      owner?: number | null;
      manager?: number | null;
      staff?: number | null;
      viewer?: number | null;
    };
  };
  refundPolicy?: 'debt' | 'within_balance';
  /**
   * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
   * the pass
   */
  drawsStamps?: boolean;
  /** what one point is called, and several */
  pointName?: { one: string; other: string };
}

export type NewStore = NewShopifyStore | NewWooCommerceStore | NewCustomStore;

export interface NewWebhook {
  /** where events are posted to: https, at a host that everyone on the Internet can reach */
  url: string;
  /** `*` for all, kinds of events, or `points.*` for those that begin alike */
  types: string[];
  /** only events of these passes; null for all */
  passIds?: string[] | null;
  /** what it is for */
  description?: string | null;
  payload?: 'full' | 'thin';
}

export interface NewWooCommerceStore {
  platform: 'woocommerce';
  /** the host of the store, with `:port` if needed */
  domain: string;
  credentials: WooCommerceCredentials;
  /** 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown */
  webhookSecret: string;
  passId?: string | null;
  consent?: { metaKey: string; metaValue: string } | { attestedBy: string } | null;
  /** whether an order that is edited after it was paid earns by its newest total */
  followsEdits?: boolean;
}

export interface NewWorkspace {
  name: string;
  plan?: 'entry' | 'pro';
  credits?: number;
}

export interface NewlyMadeDevice {
  deviceId: string;
  name: string;
  partnerId: string | null;
  paired: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
  /** such as 7KQ4-MX2P: pairs the till, once, within 15 minutes; to be typed, or shown as a QR code */
  code: string;
}

export interface NfcKey {
  /** in PEM */
  publicKey: string;
  /** PKCS#8 in PEM */
  privateKey: string;
}

export interface NfcReaders {
  /**
   * a P-256 key from the maker of the readers, as PEM or in base64; null: a new one is made here. Absent:
   * the key stays, and the first is made here
   */
  publicKey?: string | null;
  /** the issuers at Google whose readers may ask for cards: each has its key there. Absent: they stay */
  redemptionIssuers?: string[];
}

export interface NoExpiry {
  kind: 'none';
}

/**
 * apple: iPhones refuse new cards, whose certificate is for development, or has expired. google:
 * neither the workspace nor the operator has an account at Google Wallet. address: phones ask for no
 * changes, since the public address is not https. mail: the operator has set no mail server, and no
 * mail leaves.
 */
export interface Obstacles {
  apple: 'development' | 'expired' | null;
  google: 'no_account' | null;
  address: 'not_https' | null;
  mail: 'no_server' | null;
}

export interface Order {
  orderId: string;
  /** what customers know it by, such as `#1003`; null: by its `orderId` */
  number: string | null;
  storeId: string | null;
  passId: string | null;
  instanceId: string | null;
  /** `pending`: it has no card, since it is not known yet, or not paid */
  status: 'pending' | 'processed' | 'cancelled';
  /** it has no card: what is known of it counts as soon as it has one */
  waiting: boolean;
  cancelled: boolean;
  total: Money | null;
  refunded: Money | null;
  /** what it earns after all that is known of it */
  points: number;
  /**
   * why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was
   * made; `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`:
   * less money than the rule wants, or than a point takes
   */
  limitedBy:
    | 'per_day'
    | 'min_seconds_between'
    | 'instance_expired'
    | 'cancelled'
    | 'empty_order'
    | 'below_minimum'
    | null;
  /** the earn rule that it was processed with; refunds go by it */
  earn: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit: number;
    currency: Currency | null;
    rates: Record<string, string>;
    /** points for each order; 1 in STAMPS by default */
    perOrder: number;
    minOrder: Money | null;
  } | null;
  /** how many times the tier of the card counted what it earns; 1 without */
  multiplier: number;
  partnerId: string | null;
  /** ISO 8601, UTC */
  placedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  /** whose card it is: the holder's name, or else e-mail address, telephone or customer number */
  holderName: string | null;
  items:
    | {
        id?: string;
        sku?: string | null;
        name?: string | null;
        quantity?: number;
        total?: Money;
      }[]
    | null;
  refunds: {
    refundId: string;
    amount: Money;
    /** ISO 8601, UTC */
    createdAt: string;
  }[];
}

export interface Partner {
  partnerId: string;
  name: string;
  /**
   * the partner's number in your own system; no other partner of the workspace has it; kept and compared
   * in Unicode's NFC form
   */
  externalId: string | null;
  /** where it is: cards issued at it have the ten places of their pass that are nearest to it */
  location: { latitude: number; longitude: number } | null;
  metadata: Record<string, string | number | boolean | null>;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
}

export interface PartnerChanges {
  name?: string;
  /**
   * the partner's number in your own system; no other partner of the workspace has it; kept and compared
   * in Unicode's NFC form
   */
  externalId?: string | null;
  /** where it is: cards issued at it have the ten places of their pass that are nearest to it */
  location?: { latitude: number; longitude: number } | null;
  metadata?: Record<string, string | number | boolean | null>;
}

export interface PartnerStatement {
  partnerId: string;
  name: string;
  month: string;
  timezone: string;
  /** ISO 8601, UTC */
  from: string;
  /** ISO 8601, UTC: the first moment of the next month */
  to: string;
  /** a line per pass with cards or entries; programId is null where the pass has no program */
  programs: {
    programId: string | null;
    passId: string;
    /** of the pass */
    title: string;
    cardsIssued: number;
    /** earns of at least one point */
    awards: number;
    pointsIssued: number;
    redemptions: number;
    pointsRedeemed: number;
    /** redemptions less those that were undone in the month, of whatever month they were */
    rewardsRedeemed: number;
    /** earns and redemptions that were undone in the month; of an order, each time that it lost points */
    reversals: number;
    /** taken away again by undoing earns, and by refunds and cancellations of orders */
    pointsReversed: number;
    /** given back by undoing redemptions */
    pointsReturned: number;
    /** by hand; below zero when more was taken than given */
    pointsAdjusted: number;
  }[];
  totals: {
    cardsIssued: number;
    /** earns of at least one point */
    awards: number;
    pointsIssued: number;
    redemptions: number;
    pointsRedeemed: number;
    /** redemptions less those that were undone in the month, of whatever month they were */
    rewardsRedeemed: number;
    /** earns and redemptions that were undone in the month; of an order, each time that it lost points */
    reversals: number;
    /** taken away again by undoing earns, and by refunds and cancellations of orders */
    pointsReversed: number;
    /** given back by undoing redemptions */
    pointsReturned: number;
    /** by hand; below zero when more was taken than given */
    pointsAdjusted: number;
  };
}

export interface Pass {
  passId: string;
  status: 'draft' | 'published' | 'archived';
  title: string;
  type: 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
  details: string | null;
  terms: string | null;
  /** when cards of this pass expire */
  expiry: NoExpiry | FixedExpiry | ExpiryAfterIssue;
  fields: PassField[];
  colors: {
    /** a colour such as #10324a */
    background: string | null;
    /** a colour such as #10324a */
    foreground: string | null;
    /** a colour such as #10324a */
    label: string | null;
  };
  barcode: {
    mode: 'simple' | 'unique' | 'pool' | 'none';
    format: 'qr' | 'pdf417' | 'aztec' | 'code128' | 'ean13' | 'code39' | 'codabar' | 'itf';
    /** kept and compared in Unicode's NFC form */
    value: string | null;
  };
  pool: {
    total: number;
    available: number;
    assigned: number;
    /** the pool is low, and a `pool.low` event says so, once no more than so many codes are left */
    lowAt: number;
    /** since when it is low */
    lowSince: string | null;
  };
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  iconUrl: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  logoUrl: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  stripUrl: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  thumbnailUrl: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  backgroundUrl: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  heroUrl: string | null;
  /**
   * of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG,
   * JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
   * answered in the same workspace
   */
  posterUrl: string | null;
  /**
   * where phones bring the card up. A card has ten: those nearest to the partner at which it was issued,
   * if that has a location, or else the first
   */
  locations: {
    latitude: number;
    longitude: number;
    relevantText?: string | null;
  }[];
  /** Bluetooth beacons near which iPhones show the card on the lock screen */
  beacons: PassBeacon[];
  /**
   * when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
   * of iPhones before iOS 18
   */
  dates: PassDate[];
  /**
   * buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
   * of the kind themselves, the others write `title`
   */
  actions: PassAction[];
  /**
   * offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet
   * and on pages
   */
  modules: PassModule[];
  walletOptions: WalletOptions;
  stamps: PassStamps;
  metadata: Record<string, string | number | boolean | null>;
  /** BCP 47: that of its texts; null: that of the workspace */
  language: string | null;
  /** its texts in other languages */
  translations: Record<string, Translation>;
  join: JoinForm | null;
  images: {
    iconUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    logoUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    stripUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    thumbnailUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    backgroundUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    heroUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
    posterUrl?: {
      /** where the image is served from; it changes when the image does */
      url: string;
      width: number;
      height: number;
    };
  };
  programId: string | null;
  counts: {
    issued: number;
    installed: number;
    voided: number;
  };
  /** how far the newest change of the design, or message, has come to the installed cards */
  rollout: {
    kind: 'design' | 'message';
    state: 'running' | 'finished';
    /** installed cards when it began */
    cards: number;
    /** cards whose push is on its way */
    done: number;
    /** cards that no credit was left for: a top-up delivers them */
    skipped: number;
    /** ISO 8601, UTC */
    startedAt: string;
    /** ISO 8601, UTC */
    finishedAt: string | null;
  } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  warnings?: {
    code: string;
    message: string;
    /** of `translation_incomplete` */
    language?: string;
    /** the texts that a translation lacks: `fields.tier.label` */
    missing?: string[];
  }[];
  /** in lists: how many places there are besides the ten of `locations` */
  moreLocations?: number;
}

export interface PassAction {
  kind:
    | 'shop'
    | 'order'
    | 'offers'
    | 'benefits'
    | 'topUp'
    | 'call'
    | 'appointment'
    | 'schedule'
    | 'stay'
    | 'car'
    | 'flight'
    | 'music'
    | 'trailer';
  title: string;
  /** an address of the web such as https://example.com/menu, or with `call` a telephone number */
  to: string;
}

export interface PassBeacon {
  /** the proximity UUID that it sends */
  uuid: string;
  major?: number;
  minor?: number;
  relevantText?: string | null;
}

export interface PassChanges {
  title?: string;
  type?: 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
  details?: string | null;
  terms?: string | null;
  /** when cards of this pass expire */
  expiry?: NoExpiry | NewFixedExpiry | ExpiryAfterIssue;
  fields?: NewPassField[];
  colors?: {
    /** a colour such as #10324a */
    background?: string | null;
    /** a colour such as #10324a */
    foreground?: string | null;
    /** a colour such as #10324a */
    label?: string | null;
  };
  barcode?: {
    mode?: 'simple' | 'unique' | 'pool' | 'none';
    format?: 'qr' | 'pdf417' | 'aztec' | 'code128' | 'ean13' | 'code39' | 'codabar' | 'itf';
    /** kept and compared in Unicode's NFC form */
    value?: string | null;
  };
  pool?: {
    /** the pool is low, and a `pool.low` event says so, once no more than so many codes are left */
    lowAt?: number;
  };
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  iconUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  logoUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  stripUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  thumbnailUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  backgroundUrl?: string | null;
  /**
   * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
   * Or the `url` that `POST /images` has answered in the same workspace
   */
  heroUrl?: string | null;
  /**
   * of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG,
   * JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
   * answered in the same workspace
   */
  posterUrl?: string | null;
  /**
   * where phones bring the card up. A card has ten: those nearest to the partner at which it was issued,
   * if that has a location, or else the first
   */
  locations?: {
    latitude: number;
    longitude: number;
    relevantText?: string | null;
  }[];
  /** Bluetooth beacons near which iPhones show the card on the lock screen */
  beacons?: PassBeacon[];
  /**
   * when the card matters: wallets bring it up then. The first is that of an event ticket at Google, and
   * of iPhones before iOS 18
   */
  dates?: NewPassDate[];
  /**
   * buttons of the card, the most important first: `kind` is what they are for. iPhones write the words
   * of the kind themselves, the others write `title`
   */
  actions?: PassAction[];
  /**
   * offers and links below the card, in their order: modules at Google, links on the back in Apple Wallet
   * and on pages
   */
  modules?: PassModule[];
  walletOptions?: WalletOptionChanges;
  stamps?: PassStampChanges;
  metadata?: Record<string, string | number | boolean | null>;
  /** BCP 47: that of its texts; null: that of the workspace */
  language?: string | null;
  /**
   * its texts in other languages: one that is named replaces what it had, null takes it away, the others
   * stay
   */
  translations?: Record<string, Translation | null>;
  join?: NewJoinForm | null;
  status?: 'draft' | 'published' | 'archived';
}

export interface PassDate {
  /** ISO 8601, UTC */
  start?: string;
  /** ISO 8601, UTC */
  end?: string | null;
  /** in the place of `start`: a field with the format `dateTime` or `relative`, whose value is it */
  field?: string;
}

export interface PassField {
  /** a small letter, then small letters, digits and _, at most 40 together */
  key: string;
  label: string;
  /** what holders without a value of their own see */
  value: string | null;
  section: 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';
  /** whether holders may have a value of their own */
  editable: boolean;
  /** shown on change; %@ is replaced by the new value */
  changeMessage: string | null;
  /** whether it is shown only until a program is launched, such as a text about the reward */
  untilProgram?: boolean;
  /**
   * what its values are: wallets write them in the language of the holder. `number` 12.5, `percent` 12.5
   * (of a hundred), `currency` 12.50, `date` 2027-03-01, `time` 18:30, `dateTime` and `relative` (such as
   * "in 3 days") 2027-03-01T18:30:00Z; `link` https://example.com, `phone`, `email` and `address` open
   * where they are touched. Absent: text
   */
  format?:
    | 'text'
    | 'number'
    | 'currency'
    | 'percent'
    | 'date'
    | 'time'
    | 'dateTime'
    | 'relative'
    | 'link'
    | 'phone'
    | 'email'
    | 'address';
  currency?: Currency;
  /** its alignment in Apple Wallet; not in the sections `primary` and `back` */
  align?: 'left' | 'center' | 'right';
}

export interface PassModule {
  header: string;
  body?: string | null;
  /** an https address such as https://example.com/offers */
  url: string;
}

/** how cards of a program in STAMPS draw them: one that is absent stays */
export interface PassStampChanges {
  /** what is behind them: a plain ground, or the strip or hero image of the pass */
  over?: 'plain' | 'image';
  icon?: StampIcon | null;
  /** of the stamps; null: that of the texts of the card */
  color?: string | null;
  /** of what a stamp shows; null: one that can be seen on it */
  markColor?: string | null;
}

/** how cards of a program in STAMPS draw them */
export interface PassStamps {
  /** what is behind them: a plain ground, or the strip or hero image of the pass */
  over: 'plain' | 'image';
  icon: StampIcon | null;
  /** of the stamps; null: that of the texts of the card */
  color: string | null;
  /** of what a stamp shows; null: one that can be seen on it */
  markColor: string | null;
}

export interface Person {
  personId: string;
  email: string | null;
  name: string;
  role: 'owner' | 'manager' | 'staff' | 'viewer';
  partnerId: string | null;
  /** signs in at shared tills */
  hasPin: boolean;
  /** invited, and not joined yet */
  pending: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface PersonChanges {
  /** E-mail address */
  email?: string;
  name?: string;
  role?: 'owner' | 'manager' | 'staff' | 'viewer';
  /** of staff: the only partner that their awards and redeems are for; null for any */
  partnerId?: string | null;
  /** four to eight digits, for shared tills; not for viewers */
  pin?: string | null;
}

export interface PersonLink {
  /** signs the person in, once, where it cannot be mailed; null: it was mailed, or is not yours to give */
  link: string | null;
}

export interface PoolBarcode {
  barcode: string;
  state: 'available' | 'assigned';
  instanceId: string | null;
  /** ISO 8601, UTC */
  assignedAt: string | null;
}

/** an entry, and the account after it */
export type Posting = {
  entryId: string;
  instanceId: string;
  programId: string;
  /** what was added to the balance; below zero: taken from it */
  points: number;
  balance: number;
  lifetimePoints: number;
  threshold: number | null;
  cost: number | null;
  pendingRewards: number;
  limitedBy?: 'min_seconds_between' | 'per_day';
} & PushOutcome;

export type Preview = {
  passId?: string;
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier?: string;
  instanceId?: string;
  /** kept and compared in Unicode's NFC form */
  barcode?: string;
  /** an e-mail address */
  email?: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone?: string;
} & ExactlyOne<{ points: number; total: Money }>;

/** the account as it would be; nulls where no card was named */
export interface PreviewedPosting {
  /** what would be added */
  points: number;
  limitedBy?: 'min_seconds_between' | 'per_day' | 'instance_expired';
  balance: number | null;
  pendingRewards: number | null;
  rewardsUnlocked: number | null;
}

export interface PrivacyRequest {
  requestId: string;
  topic: 'data_request' | 'customer_redact' | 'shop_redact';
  /** the store's number of the customer */
  customerId: string | null;
  /** the store's numbers of the orders */
  orderIds: string[];
  /** cards of the customer, or that were erased */
  instanceIds: string[];
  /** ISO 8601, UTC */
  receivedAt: string;
  doneAt: string | null;
}

/** one thing that is wrong with a request */
export interface Problem {
  /**
   * what is wrong: `fields[0].key` in the body, `line 12` in a table, the name of a parameter or header;
   * empty for the whole of it
   */
  path: string;
  /** the part of the request; absent for the body */
  part?: 'query' | 'path' | 'header';
  /** what it breaks; take one that you do not know for `other` */
  rule:
    | 'required'
    | 'type'
    | 'unknown'
    | 'enum'
    | 'reserved'
    | 'blank'
    | 'pattern'
    | 'check_digit'
    | 'format'
    | 'min_length'
    | 'max_length'
    | 'min_items'
    | 'max_items'
    | 'min_properties'
    | 'max_properties'
    | 'min_value'
    | 'max_value'
    | 'more_than'
    | 'less_than'
    | 'multiple_of'
    | 'max_decimals'
    | 'future'
    | 'past'
    | 'max_days_ago'
    | 'unique'
    | 'excluded'
    | 'reference'
    | 'fixed'
    | 'syntax'
    | 'other';
  /** what the rule asks for: a number, the name of a format, or the list of what is possible */
  limit?: number | string | (string | number | boolean | null)[];
  /** what to fix, without the path, to be shown at a field. May be reworded: never match on it */
  message: string;
}

export type ProcessedOrder = {
  orderId: string;
  instanceId: string;
  /** whether the card was issued for this order */
  issued: boolean;
  pointsAwarded: number;
  /**
   * why it earns nothing: a limit of the program; `instance_expired`: the card had expired when it was
   * made; `cancelled`; `empty_order`: there is no money, or none that was not refunded; `below_minimum`:
   * less money than the rule wants, or than a point takes
   */
  limitedBy?:
    | 'per_day'
    | 'min_seconds_between'
    | 'instance_expired'
    | 'cancelled'
    | 'empty_order'
    | 'below_minimum';
  balance: number;
  pendingRewards: number;
  links: {
    add: string;
    apple: string;
    google: string;
    card: string;
    qr: string;
  };
} & PushOutcome;

export interface Program {
  programId: string;
  passId: string;
  mode: 'POINTS' | 'STAMPS' | 'MONEY';
  status: 'not_launched' | 'active' | 'paused';
  /** of the money of the cards, in MONEY; else null */
  currency: Currency | null;
  /** what a card may hold in MONEY, in the currency of the program; null: any amount */
  maxBalance: Money | null;
  reward: {
    /** what the reward is, e.g. Free coffee; empty in MONEY */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number | null;
  };
  /** in POINTS; the first is `reward`, which the cards show */
  rewards: {
    rewardId: string;
    title: string;
    cost: number;
    status: 'active' | 'hidden';
  }[];
  /** stamps that unlock a reward, in STAMPS */
  threshold: number | null;
  /** the lowest first */
  tiers: {
    /** a name such as gold */
    key: string;
    /** what the card shows in the field `tier`, where its pass has one */
    title: string;
    /** the lifetime points that it begins at */
    from: number;
    /** what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default */
    multiplier: number;
  }[];
  /**
   * what an order earns. One in another currency than `currency` is counted by its rate. `currency` is
   * null in what a former version has written: any counts, one for one
   */
  earn: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit: number;
    currency: Currency | null;
    rates: Record<string, string>;
    /** points for each order; 1 in STAMPS by default */
    perOrder: number;
    minOrder: Money | null;
  };
  expiry: {
    /** how long points last; null for ever */
    months: number | null;
  };
  /** what a card may earn in a day, how often, and what an award may give */
  limits: {
    perDay: number | null;
    minSecondsBetween: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward: number | null;
    /** the same for people of a role, in the place of `perAward` */
    perAwardByRole: {
      owner?: number;
      manager?: number;
      staff?: number;
      viewer?: number;
    };
  };
  refundPolicy: 'debt' | 'within_balance';
  /** what one point is called, and several */
  pointName: { one: string; other: string };
  /**
   * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
   * the pass
   */
  drawsStamps: boolean;
  /** ISO 8601, UTC */
  launchedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
}

export interface ProgramChanges {
  /** what a card may hold in MONEY, in the currency of the program; null: any amount */
  maxBalance?: Money | null;
  /** all rewards of a program in POINTS, at least one, in the place of those before; the first is `reward` */
  rewards?: {
    /** which of the rewards it is; absent: a new one */
    rewardId?: string;
    /** what the reward is, e.g. Free coffee */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number;
    status?: 'active' | 'hidden';
  }[];
  /** all tiers, in the place of those before; an empty list takes them away */
  tiers?: {
    /** a name such as gold */
    key: string;
    /** what the card shows in the field `tier`, where its pass has one */
    title: string;
    /** the lifetime points that it begins at */
    from: number;
    /** what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default */
    multiplier?: number;
  }[];
  /** stamps that unlock a reward, in STAMPS */
  threshold?: number | null;
  earn?: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit?: number;
    currency?: Currency;
    /**
     * what one unit of another currency is worth in this one; a rate that is not named stays, null takes it
     * away
     */
    rates?: Record<string, string | null>;
    /** points for each order; 1 in STAMPS by default */
    perOrder?: number;
    minOrder?: Money | null;
  };
  expiry?: {
    /** how long points last; null for ever */
    months?: number | null;
  };
  limits?: {
    perDay?: number | null;
    minSecondsBetween?: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward?: number | null;
    /**
     * the same for people of a role, in the place of `perAward`; a role that is not named stays, null takes
     * it away
     */
    perAwardByRole?: {
      owner?: number | null;
      manager?: number | null;
      staff?: number | null;
      viewer?: number | null;
    };
  };
  refundPolicy?: 'debt' | 'within_balance';
  /**
   * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
   * the pass
   */
  drawsStamps?: boolean;
  reward?: {
    /** what the reward is, e.g. Free coffee */
    title?: string;
    /** points that a reward costs, in POINTS */
    cost?: number | null;
  };
  pointName?: { one?: string; other?: string };
  status?: 'active' | 'paused';
}

export interface ProgramPreview {
  /** how many cards would show something else */
  cards: number;
  /** what the pushes to those that are installed would cost */
  credits: number;
  /**
   * how many cards would have a reward by it: in STAMPS one is unlocked, in POINTS the balance is enough
   * for one
   */
  rewardedCards: number;
  /** how many rewards these are */
  rewards: number;
}

export interface ProgramSummary {
  programId: string;
  issued: number;
  redeemed: number;
  expired: number;
  reversed: number;
  adjusted: number;
  /** the sum of all balances */
  outstanding: number;
  /** two independent counts of what is outstanding */
  trialBalance: {
    /** issued + adjusted − redeemed − expired − reversed */
    entries: number;
    balances: number;
    /** 0: the ledger and the balances agree */
    difference: number;
  };
  /** when the whole ledger of the workspace was last recounted, and how much was wrong */
  lastAudit: {
    /** ISO 8601, UTC */
    at: string;
    findings: number;
  } | null;
}

export interface ProgramWithHistory {
  programId: string;
  passId: string;
  mode: 'POINTS' | 'STAMPS' | 'MONEY';
  status: 'not_launched' | 'active' | 'paused';
  /** of the money of the cards, in MONEY; else null */
  currency: Currency | null;
  /** what a card may hold in MONEY, in the currency of the program; null: any amount */
  maxBalance: Money | null;
  reward: {
    /** what the reward is, e.g. Free coffee; empty in MONEY */
    title: string;
    /** points that a reward costs, in POINTS */
    cost: number | null;
  };
  /** in POINTS; the first is `reward`, which the cards show */
  rewards: {
    rewardId: string;
    title: string;
    cost: number;
    status: 'active' | 'hidden';
  }[];
  /** stamps that unlock a reward, in STAMPS */
  threshold: number | null;
  /** the lowest first */
  tiers: {
    /** a name such as gold */
    key: string;
    /** what the card shows in the field `tier`, where its pass has one */
    title: string;
    /** the lifetime points that it begins at */
    from: number;
    /** what its holders earn counts so many times, rounded down; at most 3 decimals, 1 by default */
    multiplier: number;
  }[];
  /**
   * what an order earns. One in another currency than `currency` is counted by its rate. `currency` is
   * null in what a former version has written: any counts, one for one
   */
  earn: {
    /** points for each unit of the currency, with at most 3 decimals; 1 in POINTS by default */
    perCurrencyUnit: number;
    currency: Currency | null;
    rates: Record<string, string>;
    /** points for each order; 1 in STAMPS by default */
    perOrder: number;
    minOrder: Money | null;
  };
  expiry: {
    /** how long points last; null for ever */
    months: number | null;
  };
  /** what a card may earn in a day, how often, and what an award may give */
  limits: {
    perDay: number | null;
    minSecondsBetween: number | null;
    /** the most that one award may give, before what a tier makes of it; more is refused */
    perAward: number | null;
    /** the same for people of a role, in the place of `perAward` */
    perAwardByRole: {
      owner?: number;
      manager?: number;
      staff?: number;
      viewer?: number;
    };
  };
  refundPolicy: 'debt' | 'within_balance';
  /** what one point is called, and several */
  pointName: { one: string; other: string };
  /**
   * whether cards in STAMPS draw their stamps as a picture, in the place of the strip and hero images of
   * the pass
   */
  drawsStamps: boolean;
  /** ISO 8601, UTC */
  launchedAt: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  /** the newest states, newest first, and which key brought it there */
  history: {
    status: 'not_launched' | 'active' | 'paused';
    /** ISO 8601, UTC */
    at: string;
    actor: string;
  }[];
  warnings?: {
    code: string;
    message: string;
    /** of `translation_incomplete` */
    language?: string;
    /** the texts that a translation lacks: `fields.tier.label` */
    missing?: string[];
  }[];
}

export interface RecoverWebhookBody {
  /** ISO 8601 with a time zone, e.g. 2027-01-31T23:59:59Z */
  since: string;
}

export interface RecoveredEvents {
  /** events that are sent again */
  recovered: number;
  /** where there are more: call again with it; null when all were looked at */
  nextSince: string | null;
}

export interface RedeemableReward {
  rewardId: string;
  title: string;
  /** points that it takes; null in STAMPS */
  cost: number | null;
  /** in STAMPS; null in POINTS */
  unlockedAt: string | null;
}

export type Redemption = {
  passId?: string;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  partnerId?: string | null;
  /** which reward; absent: the first of the program, or the one that was unlocked first */
  rewardId?: string;
  /** why, for readers of the ledger */
  reason?: string | null;
} & ExactlyOne<{
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string;
  instanceId: string;
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  /** an e-mail address */
  email: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone: string;
}>;

export type RedemptionPosting = {
  entryId: string;
  instanceId: string;
  programId: string;
  rewardId: string;
  rewardTitle: string;
  /** points taken; 0 in STAMPS, which unlocking the reward has taken */
  spent: number;
  balance: number;
  pendingRewards: number;
} & PushOutcome;

export type RefundedOrder = {
  orderId: string;
  /** the order is not known yet: this counts as soon as it is */
  waiting: boolean;
  refunded: Money | null;
  /** what the order earns after this */
  points: number;
  /** taken from the balance by this call */
  pointsTaken: number;
  instanceId: string | null;
  balance: number | null;
  pendingRewards: number | null;
  refundId: string;
} & PushOutcome;

/** money that was given back, and what is left of the charge to give back */
export type RefundedValue = {
  entryId: string;
  instanceId: string;
  programId: string;
  refunded: Money;
  refundable: Money;
  refundOf: string;
  balance: Money;
} & PushOutcome;

export interface Request {
  requestId: string;
  method: string | null;
  /**
   * of the operation, with ids in place; what may be secret or personal stays a name in braces. null:
   * there is no such path
   */
  path: string | null;
  /** the name of the operation */
  op: string | null;
  /** of the answer; 499: the client went away before it */
  status: number;
  /** of the refusal */
  code: string | null;
  /** of the refusal, without what names a person */
  message: string | null;
  keyId: string | null;
  /** the pass that path or body name */
  passId: string | null;
  /** the card that path, body or answer name, if it is one */
  instanceId: string | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** from the request to the end of its answer */
  ms: number;
}

export interface Reversal {
  /** why, for readers of the ledger */
  reason?: string | null;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
}

export type ReversalPosting = {
  entryId: string;
  instanceId: string;
  programId: string;
  /** what was added to the balance; below zero: taken from it */
  points: number;
  balance: number;
  lifetimePoints: number;
  threshold: number | null;
  cost: number | null;
  pendingRewards: number;
  reversalOf: string;
} & PushOutcome;

export interface RotateApiKeyBody {
  /** how long the old secret still works; default 0 */
  overlapSeconds?: number;
}

export interface SentCards {
  /** people whose mail is on its way, or would be */
  mailed: number;
  /** cards without an e-mail address that can be used */
  noAddress: number;
  /** people who want no mail, or whose address is dead */
  suppressed: number;
  /** people who were mailed before, for this pass */
  sentBefore: number;
  /** cards whose address another card has */
  duplicate: number;
  /** null: there are no more cards */
  nextCursor: string | null;
}

export interface SentMessage {
  messageId: string;
  /** cards that it goes to */
  recipients: number;
  /** credits reserved for them */
  credits: number;
}

export interface SentTest {
  eventId: string;
  /** of the delivery that shows, in a moment, what was answered */
  deliveryId: string;
}

/** kept encrypted, and never shown */
export interface ShopifyCredentials {
  /** the access token of an app that may read customers and orders, e.g. shpat_… */
  accessToken: string;
}

export interface SigningRequest {
  /** a certificate signing request (PKCS#10) in PEM */
  csr: string;
}

/** what a stamp shows; null: a check */
export type StampIcon =
  | 'check'
  | 'star'
  | 'heart'
  | 'gift'
  | 'cup'
  | 'sandwich'
  | 'burger'
  | 'pizza'
  | 'iceCream'
  | 'scissors'
  | 'flower'
  | 'paw'
  | 'dumbbell'
  | 'car'
  | (string & {});

export interface StartSweepBody {
  storeId?: string;
  /** counts the outcome for each customer, and invites none of them */
  dryRun?: boolean;
  /** the most customers that are invited */
  limit?: number;
}

export interface Statistics {
  by: 'day' | 'week' | 'month' | 'partner';
  passId: string | null;
  partnerId: string | null;
  timezone: string;
  /** the first day; of weeks and months, the first of the first one */
  from: string;
  /** the last day; of weeks and months, the last of the last one */
  to: string;
  /**
   * false while something that has happened is yet to be counted: after an upgrade, or a great many
   * changes
   */
  isWhole: boolean;
  /** periods, the first one first; or a page of partners, the newest first */
  data: {
    /** the first day of the period; null for a partner */
    day: string | null;
    partnerId: string | null;
    /** its name */
    partner: string | null;
    /** ISO 8601, UTC */
    from: string;
    /** ISO 8601, UTC: the end of the period, which is not part of it */
    to: string;
    /**
     * cards with an award or a redemption in the period, each once; null for partners: one card may be
     * active at several
     */
    activeHolders: number | null;
    /** cards */
    issued: number;
    /** how often a wallet has taken a card */
    installed: number;
    /** how often a wallet has given one up */
    removed: number;
    /** cards; one that was voided twice counts twice */
    voided: number;
    /** voided cards */
    reactivated: number;
    /** cards whose person was erased; what is erased is void, and not counted there */
    erased: number;
    /** those of nothing, by a limit, among them */
    awards: number;
    /** by stamps */
    rewardsUnlocked: number;
    /** unlocked, and turned back since their stamps were undone */
    rewardsCancelled: number;
    /** also those whose redemption was undone since */
    rewardsRedeemed: number;
    /** awards and redemptions that were undone, in part or as a whole */
    reversals: number;
    /** all that was added to balances */
    pointsIn: number;
    /** all that was taken from balances */
    pointsOut: number;
    /** by awards */
    pointsEarned: number;
    /** by redemptions */
    pointsRedeemed: number;
    /** stamps that became a reward */
    pointsUnlocked: number;
    /** stamps of rewards that were turned back */
    pointsCancelled: number;
    /** less what was given back because its award was undone */
    pointsExpired: number;
    /** by hand and by imports; below zero: more was taken than given */
    pointsAdjusted: number;
    /** taken away again, of awards */
    pointsReversed: number;
    /** given back, of redemptions */
    pointsReturned: number;
  }[];
  nextCursor: string | null;
  /** from the first day to the last */
  totals: {
    /** cards */
    issued: number;
    /** how often a wallet has taken a card */
    installed: number;
    /** how often a wallet has given one up */
    removed: number;
    /** cards; one that was voided twice counts twice */
    voided: number;
    /** voided cards */
    reactivated: number;
    /** cards whose person was erased; what is erased is void, and not counted there */
    erased: number;
    /** those of nothing, by a limit, among them */
    awards: number;
    /** by stamps */
    rewardsUnlocked: number;
    /** unlocked, and turned back since their stamps were undone */
    rewardsCancelled: number;
    /** also those whose redemption was undone since */
    rewardsRedeemed: number;
    /** awards and redemptions that were undone, in part or as a whole */
    reversals: number;
    /** all that was added to balances */
    pointsIn: number;
    /** all that was taken from balances */
    pointsOut: number;
    /** by awards */
    pointsEarned: number;
    /** by redemptions */
    pointsRedeemed: number;
    /** stamps that became a reward */
    pointsUnlocked: number;
    /** stamps of rewards that were turned back */
    pointsCancelled: number;
    /** less what was given back because its award was undone */
    pointsExpired: number;
    /** by hand and by imports; below zero: more was taken than given */
    pointsAdjusted: number;
    /** taken away again, of awards */
    pointsReversed: number;
    /** given back, of redemptions */
    pointsReturned: number;
  };
  outstanding: {
    /** the sum of all balances, now */
    points: number;
    /**
     * points by the days since they were credited, as of the last nightly audit: those that were credited
     * last are taken for those that are left, and debts are left out; null before the first audit
     */
    ages: {
      /** ISO 8601, UTC */
      at: string;
      days: {
        from: number;
        /** null: whatever is older */
        below: number | null;
        points: number;
      }[];
    } | null;
  } | null;
  /**
   * of a pass: the lists that show what each figure counts. Ask them with createdAfter and createdBefore,
   * which are from and to of a period; events are kept for 30 days
   */
  lists: Record<string, string[]> | null;
}

export interface Store {
  storeId: string;
  platform: 'shopify' | 'woocommerce' | 'custom';
  domain: string;
  passId: string | null;
  consent:
    | { metaKey: string; metaValue: string }
    | {
        attestedBy: string;
        /** ISO 8601, UTC */
        recordedAt: string;
        recordedBy: string;
      }
    | null;
  /** whether an order that is edited after it was paid earns by its newest total */
  followsEdits: boolean;
  status: 'connected' | 'disconnected';
  /** where the platform sends its webhooks */
  webhookUrl: string;
  /** what it should send, by the platform's names */
  webhookTopics: string[];
  /** whether the customers can be swept */
  customersReadable: boolean;
  /** when its orders were last read through */
  reconciledAt: string | null;
  /** what a member has to look at */
  problem: { code: string; message: string } | null;
  /** webhooks that are yet to be processed */
  waitingWebhooks: number;
  /** those of the last 30 days that could not be read, or were refused for as long */
  givenUpWebhooks: number;
  /** ISO 8601, UTC */
  connectedAt: string;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
}

export interface StoreChanges {
  /** of a key that may read customers and orders; kept encrypted, and never shown */
  credentials?: ShopifyCredentials | WooCommerceCredentials;
  /** 16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown */
  webhookSecret?: string;
  passId?: string | null;
  consent?: { metaKey: string; metaValue: string } | { attestedBy: string } | null;
  /** whether an order that is edited after it was paid earns by its newest total */
  followsEdits?: boolean;
}

export type StoreTest =
  | {
      ok: true;
      shop: { name: string } | null;
      message: string;
    }
  | {
      ok: false;
      reason: string;
      message: string;
    };

export interface Sweep {
  sweepId: string;
  passId: string;
  storeId: string;
  dryRun: boolean;
  limit: number | null;
  /** ISO 8601, UTC */
  startedAt: string;
  /** ISO 8601, UTC */
  finishedAt: string | null;
  state: {
    /** false as soon as it has ended, for whatever reason */
    running: boolean;
    status: 'running' | 'completed' | 'failed' | 'cancelled';
    /** customers that were looked at: the sum of the nine outcomes */
    found: number;
    invited: number;
    /** who have a card of the pass */
    alreadyHolder: number;
    /** whose address was invited to the pass before */
    alreadyInvited: number;
    /** who have not agreed to be written to */
    noConsent: number;
    /** customers whose consent is not known: they are not written to either */
    consentUnknown: number;
    /** without an e-mail address */
    noContact: number;
    /** with an address that no mail reaches */
    invalidContact: number;
    /** who want no mail, or whose address is dead */
    suppressed: number;
    /** whose address another customer of the sweep has */
    duplicateContact: number;
    /** mails that were handed over */
    sent: number;
    /** mails that failed, or whose outcome is unknown */
    sendFailed: number;
    /** mails that are still to be sent */
    waiting: number;
    /** where in the store's list of customers it goes on */
    cursor: string | null;
    /** why it has failed, or what it is waiting for to pass */
    reason: string | null;
  };
}

export interface SweepItem {
  /** the customer's number in the store */
  customerId: string;
  outcome:
    | 'invited'
    | 'already_holder'
    | 'already_invited'
    | 'no_consent'
    | 'consent_unknown'
    | 'no_contact'
    | 'invalid_contact'
    | 'suppressed'
    | 'duplicate_contact';
  inviteId: string | null;
  /** the status of the invitation */
  inviteStatus: string | null;
  /** ISO 8601, UTC */
  decidedAt: string;
}

export interface Trace {
  requestId: string;
  requests: Request[];
  audit: AuditLine[];
  /** of the points ledger */
  entries: Entry[];
  events: Event[];
  /** of these events, to webhooks */
  deliveries: Delivery[];
  /** of the cards that it has changed, to wallets: their outcomes, and what a card waits for now */
  pushes: {
    instanceId: string;
    status: 'waiting' | 'skipped' | 'delivered' | 'failed';
    /** ISO 8601, UTC */
    at: string;
  }[];
}

/** money that went from one card to another, and what both hold then */
export interface TransferredValue {
  programId: string;
  transferred: Money;
  from: {
    entryId: string;
    instanceId: string;
    balance: Money;
  } & PushOutcome;
  to: {
    entryId: string;
    instanceId: string;
    balance: Money;
  } & PushOutcome;
}

export interface Translation {
  title?: string;
  details?: string;
  terms?: string;
  /** by the key of the field */
  fields?: Record<
    string,
    {
      label?: string;
      value?: string;
      changeMessage?: string;
    }
  >;
  /** the relevantText of each location, in their order */
  locations?: (string | null)[];
  /** the same of each beacon */
  beacons?: (string | null)[];
  /** titles by the kind of the action */
  actions?: {
    shop?: string;
    order?: string;
    offers?: string;
    benefits?: string;
    topUp?: string;
    call?: string;
    appointment?: string;
    schedule?: string;
    stay?: string;
    car?: string;
    flight?: string;
    music?: string;
    trailer?: string;
  };
  /**
   * in the place of the images that the pass has in these slots, on cards of holders who read the
   * language
   */
  images?: {
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    iconUrl?: string;
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    logoUrl?: string;
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    stripUrl?: string;
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    thumbnailUrl?: string;
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    backgroundUrl?: string;
    /**
     * https, 2,048 characters at most; a PNG, JPEG or WebP of 20 MB at most. It is fetched once and stored.
     * Or the `url` that `POST /images` has answered in the same workspace
     */
    heroUrl?: string;
    /**
     * of the type `generic` alone: the whole card from iOS 27 on. https, 2,048 characters at most; a PNG,
     * JPEG or WebP of 20 MB at most. It is fetched once and stored. Or the `url` that `POST /images` has
     * answered in the same workspace
     */
    posterUrl?: string;
  };
  /** header and body of each module, in their order */
  modules?: ({ header?: string; body?: string } | null)[];
  /** what the cards say of its program */
  program?: {
    rewardTitle?: string;
    pointName?: { one: string; other: string };
    /** titles by the key of the tier */
    tiers?: Record<string, string>;
  };
}

export interface UpdateFieldsBatchBody {
  /** each as the body of PATCH /instances/{instanceId}/fields, with the instanceId */
  updates: FieldUpdate[];
}

export interface UpdateFieldsBody {
  fields: Record<string, string | null | { useDefault: true }>;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
}

export interface UpdateResults {
  results: ({ status: number } & ExactlyOne<{ instance: UpdatedInstance; error: ItemError }>)[];
}

export type UpdatedInstance = {
  instanceId: string;
  passId: string;
  status: 'active' | 'voided';
  barcode: string | null;
  /** whether the holder may have values of their own */
  addressable: boolean;
  holder: {
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier: string | null;
    name: string | null;
    /** an e-mail address */
    email: string | null;
    /** a telephone number in the form of E.164 */
    phone: string | null;
    /** BCP 47, e.g. pt-BR */
    locale: string | null;
  } | null;
  /**
   * what a store or a former version has given as telephone number of the holder and is none; absent:
   * nothing
   */
  phoneGiven?: string;
  fields: Record<string, string | null>;
  /** ISO 8601, UTC */
  expiresAt: string | null;
  partnerId: string | null;
  metadata: Record<string, string | number | boolean | null>;
  wallets: {
    apple: number;
    google: number;
    web: number;
  };
  loyalty: {
    programId: string;
    mode: 'POINTS' | 'STAMPS' | 'MONEY';
    /** in MONEY in the smallest unit of the currency */
    balance: number;
    amount?: Money;
    pendingRewards: number;
    tier: { key: string; title: string } | null;
  } | null;
  links: {
    add: string;
    apple: string;
    google: string;
    card: string;
    qr: string;
  };
  /** yours, of its issue */
  externalRef: string | null;
  /** when a wallet took it first */
  installedAt: string | null;
  /** the outcome of the last push of the card; a design that goes to all cards is not counted */
  lastPush: {
    /** ISO 8601, UTC */
    at: string;
    result: 'delivered' | 'skipped' | 'failed';
  } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /**
   * when its holder, fields, expiry, metadata, status or points last changed; wallets that take it, and
   * pushes, leave it
   */
  updatedAt: string;
  /** ISO 8601, UTC */
  voidedAt: string | null;
  voidReason: string | null;
  /** in lists that were asked for with `include=details`; else absent */
  details?: {
    /** ISO 8601, UTC */
    lastAwardAt: string | null;
    /** the newest answer to each */
    consents: Consent[];
  };
  /** where a card is read whose `expiresAt` has come; else absent */
  expired?: true;
} & PushOutcome;

export interface UploadBarcodesBody {
  barcodes: string[];
}

export interface UploadReport {
  received: number;
  added: number;
  /** rejected as duplicate_in_upload, already_in_pool, already_issued */
  duplicates: number;
  rejected: {
    /** of the file, or the place in `barcodes`; counted from 1 */
    line: number;
    /** as it was sent, at most 255 characters of it */
    value: string;
    reason:
      | 'empty'
      | 'too_long'
      | 'unprintable'
      | 'too_many_cells'
      | 'damaged'
      | 'duplicate_in_upload'
      | 'already_in_pool'
      | 'already_issued';
  }[];
  pool: {
    total: number;
    available: number;
    assigned: number;
    /** the pool is low, and a `pool.low` event says so, once no more than so many codes are left */
    lowAt: number;
    /** since when it is low */
    lowSince: string | null;
  };
}

export interface UploadedImage {
  /** for the image parameters of passes in this workspace; browsers cannot open it */
  url: string;
  /** in pixels, as it is to be shown */
  width: number;
  /** in pixels, as it is to be shown */
  height: number;
  /** ISO 8601, UTC */
  expiresAt: string;
}

export type ValueCharge = {
  passId?: string;
  amount: Money;
  /** the order that it pays for, or was sold by, as you name it; kept and compared in Unicode's NFC form */
  orderId?: string | null;
  /** why, for readers of the ledger */
  reason?: string | null;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  partnerId?: string | null;
  /** charge what is there where the card holds less; `due` is the rest */
  partial?: boolean;
} & ExactlyOne<{
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string;
  instanceId: string;
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  /** an e-mail address */
  email: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone: string;
}>;

export type ValueLoad = {
  passId?: string;
  amount: Money;
  /** the order that it pays for, or was sold by, as you name it; kept and compared in Unicode's NFC form */
  orderId?: string | null;
  /** why, for readers of the ledger */
  reason?: string | null;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
  partnerId?: string | null;
} & ExactlyOne<{
  /**
   * the holder's number in your own system; one active card per pass and identifier; kept and compared in
   * Unicode's NFC form
   */
  identifier: string;
  instanceId: string;
  /** kept and compared in Unicode's NFC form */
  barcode: string;
  /** an e-mail address */
  email: string;
  /**
   * a telephone number, however it is written; one without its country is of the country of the
   * workspace. It is kept and answered in the form of E.164
   */
  phone: string;
}>;

export type ValueRefund = {
  amount?: Money;
  /** yours, of this refund: a repeat answers the original result; kept and compared in Unicode's NFC form */
  refundId: string;
  /** why, for readers of the ledger */
  reason?: string | null;
} & ExactlyOne<{
  /** of the charge */
  entryId: string;
  /** the order that one charge of the workspace has paid for; kept and compared in Unicode's NFC form */
  orderId: string;
}>;

export interface ValueTransfer {
  passId?: string;
  from: {} & ExactlyOne<{
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier: string;
    instanceId: string;
    /** kept and compared in Unicode's NFC form */
    barcode: string;
    /** an e-mail address */
    email: string;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone: string;
  }>;
  to: {} & ExactlyOne<{
    /**
     * the holder's number in your own system; one active card per pass and identifier; kept and compared in
     * Unicode's NFC form
     */
    identifier: string;
    instanceId: string;
    /** kept and compared in Unicode's NFC form */
    barcode: string;
    /** an e-mail address */
    email: string;
    /**
     * a telephone number, however it is written; one without its country is of the country of the
     * workspace. It is kept and answered in the form of E.164
     */
    phone: string;
  }>;
  amount?: Money;
  /** why, for readers of the ledger */
  reason?: string | null;
  /** Your reference of this effect: a repeat answers the original result. */
  externalRef?: string;
}

export interface Visitors {
  passId: string | null;
  timezone: string;
  /** the first day */
  from: string;
  /** the last day, which is not over */
  to: string;
  /** as of statistics */
  isWhole: boolean;
  /** cards that were awarded or redeemed in these days, each once */
  came: number;
  /** those of them that never were before */
  new: number;
  /** the others */
  returning: number;
  away: {
    /** the day */
    since: string;
    /** that were awarded or redeemed before that day, and on no day since; voided and erased ones among them */
    cards: number;
  };
  /** cards on which a reward waits; 10000: that many or more */
  rewarded: number;
}

export interface VoidBatchBody {
  /** each as the body of POST /instances/{instanceId}/void, with the instanceId */
  voids: CardVoid[];
}

export interface VoidInstanceBody {
  /** shown with the card; erasing the card takes it away */
  reason?: string | null;
}

/** one that is absent stays, null leaves it to the wallets again */
export interface WalletOptionChanges {
  /** whether holders may hand the card on */
  sharing?: boolean | null;
  /** whether Android allows pictures of the screen */
  screenshots?: boolean | null;
  /**
   * whether Android asks to unlock the phone before it shows the card, and an iPhone before it hands it
   * to a reader
   */
  unlock?: boolean | null;
  /** whether a sheen moves over the card on Android, which a picture of it has not */
  shimmer?: boolean | null;
  /** whether Google reminds holders before the card expires. It does by itself but for `generic` */
  expiryNotice?: boolean | null;
  /** cards of one holder with the same name are shown together */
  group?: string | null;
  purpose?: CardPurpose | null;
  /** the shop's apps in the App Store, by their numbers there: iPhones offer the first one */
  appStoreIds?: number[] | null;
  /** what that app is opened with; needs `appStoreIds` */
  appUrl?: string | null;
  /** the shop's app at Google Play, such as com.example.shop */
  androidApp?: string | null;
  /** an SF Symbol in the place of the logo from iOS 27 on, such as cup.and.saucer.fill */
  logoSymbol?: string | null;
  /**
   * what readers get when the phone is held to them: the code of the card, or the identifier of its
   * holder; needs `PUT /workspace/wallets/nfc`
   */
  nfc?: 'code' | 'identifier' | null;
}

/** what wallets are to do differently from what they do by themselves */
export interface WalletOptions {
  /** whether holders may hand the card on */
  sharing?: boolean;
  /** whether Android allows pictures of the screen */
  screenshots?: boolean;
  /**
   * whether Android asks to unlock the phone before it shows the card, and an iPhone before it hands it
   * to a reader
   */
  unlock?: boolean;
  /** whether a sheen moves over the card on Android, which a picture of it has not */
  shimmer?: boolean;
  /** whether Google reminds holders before the card expires. It does by itself but for `generic` */
  expiryNotice?: boolean;
  /** cards of one holder with the same name are shown together */
  group?: string;
  purpose?: CardPurpose;
  /** the shop's apps in the App Store, by their numbers there: iPhones offer the first one */
  appStoreIds?: number[];
  /** what that app is opened with; needs `appStoreIds` */
  appUrl?: string;
  /** the shop's app at Google Play, such as com.example.shop */
  androidApp?: string;
  /** an SF Symbol in the place of the logo from iOS 27 on, such as cup.and.saucer.fill */
  logoSymbol?: string;
  /**
   * what readers get when the phone is held to them: the code of the card, or the identifier of its
   * holder; needs `PUT /workspace/wallets/nfc`
   */
  nfc?: 'code' | 'identifier';
}

export interface Wallets {
  /** the certificate that signs new passes, and pushes their changes */
  apple: {
    /** whether it is the workspace's own, and not that of the installation */
    own: boolean;
    passTypeIdentifier: string;
    teamIdentifier: string;
    /** ISO 8601, UTC */
    expiresAt: string;
    /** whether readers may take the passes that it signs by NFC */
    nfc: boolean;
    /** certificates that the workspace had, and that cards in wallets are still signed with */
    earlier: {
      passTypeIdentifier: string;
      /** ISO 8601, UTC */
      expiresAt: string;
    }[];
  };
  /**
   * whose new cards at Google Wallet are; null: neither the workspace nor the operator has an account
   * there
   */
  google: {
    /** whether it is the workspace's own, and not that of the installation */
    own: boolean;
    issuerId: string;
    /** the address of the workspace's own */
    serviceAccount: string | null;
    /** issuers that the workspace had, and that cards of it are still of */
    earlier: { issuerId: string }[];
  } | null;
  /** the readers that take cards by NFC; null: none does */
  nfc: {
    /** P-256, as SubjectPublicKeyInfo in base64 */
    publicKey: string;
    /** whether `POST /workspace/wallets/nfc/key` shows its private key, or the maker of the readers has that */
    keptHere: boolean;
    redemptionIssuers: string[];
  } | null;
}

export interface Webhook {
  webhookId: string;
  url: string;
  types: string[];
  passIds: string[] | null;
  description: string | null;
  payload: 'full' | 'thin';
  status: 'active' | 'paused' | 'disabled';
  /** what a member has to look at */
  problem: { code: 'failing' | 'gone' | 'no_success'; message: string } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  /** the outcomes of the deliveries of the last 24 hours, of 10,000 at most */
  lastDay: {
    delivered: number;
    failed: number;
    waiting: number;
  };
}

export interface WebhookChanges {
  /** where events are posted to: https, at a host that everyone on the Internet can reach */
  url?: string;
  /** `*` for all, kinds of events, or `points.*` for those that begin alike */
  types?: string[];
  /** only events of these passes; null for all */
  passIds?: string[] | null;
  /** what it is for */
  description?: string | null;
  payload?: 'full' | 'thin';
  status?: 'active' | 'paused';
}

export interface WebhookWithSecret {
  webhookId: string;
  url: string;
  types: string[];
  passIds: string[] | null;
  description: string | null;
  payload: 'full' | 'thin';
  status: 'active' | 'paused' | 'disabled';
  /** what a member has to look at */
  problem: { code: 'failing' | 'gone' | 'no_success'; message: string } | null;
  /** ISO 8601, UTC */
  createdAt: string;
  /** ISO 8601, UTC */
  updatedAt: string;
  /** verifies what is posted: shown once, and kept encrypted */
  secret: string;
}

export interface WithdrawCancellationQuery {
  storeId?: string;
}

/** of a key that may read; kept encrypted, and never shown */
export interface WooCommerceCredentials {
  consumerKey: string;
  consumerSecret: string;
}

export interface Workspace {
  workspaceId: string;
  name: string;
  /** IANA name, e.g. Europe/Berlin */
  timezone: string;
  locale: string;
  currency: Currency;
  /**
   * ISO 3166-1, e.g. DE: how telephone numbers without a country are read; null: by the time zone or the
   * locale, where these name a country
   */
  country: string | null;
  defaults: {
    colors?: {
      /** a colour such as #10324a */
      background?: string | null;
      /** a colour such as #10324a */
      foreground?: string | null;
      /** a colour such as #10324a */
      label?: string | null;
    };
    terms?: string | null;
  };
  plan: 'entry' | 'pro';
  credits: number;
  drafts: number;
  suspended: boolean;
  /** ISO 8601, UTC */
  createdAt: string;
}

export interface WorkspaceChanges {
  name?: string;
  /** IANA name, e.g. Europe/Berlin */
  timezone?: string;
  locale?: string;
  currency?: Currency;
  /**
   * ISO 3166-1, e.g. DE: how telephone numbers without a country are read; null: by the time zone or the
   * locale, where these name a country
   */
  country?: string | null;
  defaults?: {
    colors?: {
      /** a colour such as #10324a */
      background?: string | null;
      /** a colour such as #10324a */
      foreground?: string | null;
      /** a colour such as #10324a */
      label?: string | null;
    };
    terms?: string | null;
  };
}

export interface WorkspaceChangesByOperator {
  name?: string;
  plan?: 'entry' | 'pro';
  suspended?: boolean;
}
