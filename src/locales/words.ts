/** What is given out, as pages name it. */
export type Kind = 'card' | 'coupon' | 'ticket' | 'giftCard';

type OfKind = Readonly<Record<Kind, string>>;

/** A noun next to numbers, by the plural forms of the language; `label` stands alone. */
export interface Noun {
  readonly label: string;
  readonly one: string;
  readonly other: string;
  readonly zero?: string;
  readonly two?: string;
  readonly few?: string;
  readonly many?: string;
}

/** What a page says instead of the page that a person wanted: what happened, and what to do. */
export interface Advice {
  readonly title: string;
  readonly text: readonly string[];
}

/**
 * What pages and mails say in their own name, in one language. What is in braces is filled in: `{shop}`, `{title}`,
 * `{name}`, `{email}`, `{time}`, `{workspace}`, `{symbol}`.
 */
export interface Words {
  /** The page that a card is added to a wallet from. */
  readonly card: {
    readonly hello: string;
    readonly ready: OfKind;
    readonly lead: string;
    readonly addToApple: string;
    readonly addToGoogle: string;
    readonly otherPhone: string;
    readonly safariHint: string;
    readonly scanTitle: string;
    readonly scanText: string;
    readonly scanCode: string;
    readonly scanAlone: string;
    readonly thisComputer: string;
    readonly withoutWallet: string;
    readonly keepWebCard: string;
    readonly webHint: string;
    readonly voidedTitle: string;
    readonly voidedText: string;
    readonly expiredTitle: string;
    readonly expiredText: string;
    readonly testTitle: string;
    readonly testText: string;
    /** The description of a barcode for people who cannot see it. */
    readonly code: Readonly<Record<'qr' | 'pdf417' | 'aztec' | 'linear', string>>;
    readonly about: string;
    readonly message: string;
    readonly issuedTo: string;
    readonly validUntil: string;
    readonly expiredOn: string;
    readonly details: string;
    readonly terms: string;
    readonly privacy: string;
  };
  /** What a card says of a loyalty program, besides the shop's own texts. `{points}` is a number with its noun. */
  readonly program: {
    readonly reward: string;
    readonly ready: string;
    readonly expiry: string;
    readonly progress: string;
    readonly expires: string;
    /** What is collected where the shop has no name of its own for it. */
    readonly nouns: Readonly<Record<'STAMPS' | 'POINTS' | 'MONEY', Noun>>;
  };
  /** The web card. */
  readonly webCard: {
    readonly changed: string;
    readonly validAgain: string;
    readonly live: string;
    readonly offline: string;
    readonly connecting: string;
    readonly withoutScript: string;
    readonly keep: string;
    readonly install: string;
    readonly installOnApple: string;
    readonly installOnAndroid: string;
    readonly installOnDesktop: string;
    readonly allow: string;
    readonly stop: string;
    readonly allowed: string;
    readonly stopped: string;
    readonly blocked: string;
    readonly impossible: string;
    readonly share: string;
    readonly savePicture: string;
    readonly otherWallets: string;
    readonly privacy: string;
  };
  /** An invitation: its mail and its pages. */
  readonly invite: {
    readonly waiting: OfKind;
    readonly hello: string;
    readonly helloUnnamed: string;
    readonly invites: string;
    readonly ways: string;
    readonly take: OfKind;
    readonly why: string;
    readonly noMore: string;
    readonly claimLead: string;
    readonly haveTitle: string;
    readonly haveLead: string;
    readonly open: string;
    readonly endTitle: string;
    readonly endText: string;
    readonly end: string;
    readonly endedTitle: string;
    readonly endedText: string;
  };
  /** The page on which people enrol, its mail and its poster. */
  readonly join: {
    readonly get: OfKind;
    readonly lead: string;
    readonly leadBare: string;
    readonly name: string;
    readonly email: string;
    readonly phone: string;
    readonly optional: string;
    /** At the field that a form was sent back for. */
    readonly problems: {
      readonly required: string;
      readonly email: string;
      readonly phone: string;
      readonly other: string;
      readonly consent: string;
    };
    readonly wait: string;
    readonly privacy: string;
    readonly sentTitle: string;
    readonly sentText: string;
    readonly sentHint: string;
    readonly proveTitle: string;
    readonly proveText: string;
    readonly prove: string;
    readonly subject: string;
    readonly hello: string;
    readonly helloUnnamed: string;
    readonly asked: string;
    readonly notYou: string;
    readonly once: string;
    readonly scan: string;
    readonly ways: string;
  };
  /** Pages that replace others. */
  readonly error: {
    readonly reference: string;
    readonly failed: Advice;
    readonly ourFault: Advice;
    readonly tooBusy: Advice;
    readonly notOffered: Advice;
    readonly noPage: Advice;
    readonly noWallet: Advice;
    readonly walletSilent: Advice;
    readonly suspended: Advice;
    readonly notOpen: Advice;
    readonly incomplete: Advice;
    readonly usedLink: Advice;
    readonly allGone: Advice;
    readonly brokenLink: Advice;
    readonly tooSlow: Advice;
    readonly wrongPassword: Advice;
    readonly providerSilent: Advice;
    readonly signInAgain: Advice;
    readonly signedOut: Advice;
    readonly usedSignIn: Advice;
    readonly tooOften: Advice;
    readonly weakPassword: Advice;
    readonly otherSite: Advice;
    readonly notAtTill: Advice;
  };
  readonly people: PeopleWords;
}

/** What pages and mails say to people who work with the service. */
export interface PeopleWords {
  readonly signIn: {
    readonly title: string;
    readonly lead: string;
    readonly email: string;
    readonly password: string;
    readonly submit: string;
    readonly withProvider: string;
    readonly withPasskey: string;
    readonly sentTitle: string;
    readonly sentText: string;
    readonly noMail: string;
    readonly linkTitle: string;
    readonly linkText: string;
  };
  readonly account: {
    readonly title: string;
    readonly workspaces: string;
    readonly roles: Readonly<Record<'owner' | 'manager' | 'staff' | 'viewer', string>>;
    readonly suspended: string;
    readonly invitations: string;
    readonly join: string;
    readonly joinOne: string;
    readonly decline: string;
    readonly declineOne: string;
    readonly password: string;
    readonly passwordText: string;
    readonly newPassword: string;
    readonly setPassword: string;
    readonly passwordSet: string;
    readonly passwordSetText: string;
    readonly toConsole: string;
    readonly signOut: string;
  };
  readonly passkeys: {
    readonly title: string;
    readonly text: string;
    readonly remove: string;
    readonly removeOne: string;
    readonly name: string;
    readonly add: string;
    readonly insecure: string;
    readonly elsewhere: string;
    readonly tooOld: string;
    readonly failed: string;
    readonly notDone: string;
    readonly known: string;
    readonly tooOften: string;
    readonly signInAgain: string;
    readonly signedOut: string;
  };
  readonly mail: {
    readonly linkSubject: string;
    readonly linkText: string;
    readonly linkHint: string;
    readonly invitedSubject: string;
    readonly hello: string;
    readonly invitedText: string;
    readonly invitedHint: string;
    readonly signIn: string;
    readonly confirmSubject: string;
    readonly confirmText: string;
    readonly confirmHint: string;
    readonly confirm: string;
    readonly changedSubject: string;
    readonly changedText: string;
    readonly changedHint: string;
    readonly webhookSubject: string;
    readonly webhookStopped: string;
    readonly webhookGone: string;
    readonly webhookSilent: string;
    readonly webhookRepair: string;
    readonly reference: string;
  };
  /** The page of the service itself. */
  readonly home: {
    readonly lead: string;
    readonly forHolders: string;
    readonly scanner: string;
    readonly forDevelopers: string;
    readonly reference: string;
    readonly referenceText: string;
    readonly openApi: string;
    readonly openApiText: string;
    readonly health: string;
    readonly healthText: string;
    readonly readiness: string;
    readonly readinessText: string;
  };
}
