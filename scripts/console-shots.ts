/** A page of the console as docs/CONSOLE.md shows it. */
export interface Shot {
  /** Of the picture, and of nothing else. */
  readonly name: string;
  /** Its address, as in `pages.ts`. */
  readonly path: string;
  readonly title: string;
  readonly says: string;
}

const shot = (name: string, path: string, title: string, says: string): Shot => ({ name, path, title, says });

/** Every page there is, in the order of the navigation. */
export const shots: readonly Shot[] = [
  shot(
    'home',
    '/console',
    'Home',
    'How the last 30 days went, what needs a person, and the next step of a new workspace.',
  ),
  shot(
    'start',
    '/console/start',
    'The first card',
    'Business, look, reward and poster in four steps, with the card in each wallet next to them; the colours come from the logo.',
  ),
  shot(
    'start-look',
    '/console/start?step=look',
    'The first card: look',
    'Kind of place, name, logo and colours.',
  ),
  shot(
    'start-reward',
    '/console/start?step=reward',
    'The first card: reward',
    'What customers collect, and for what.',
  ),
  shot(
    'ready',
    '/console/start/:passId',
    'Open for customers',
    'A card that is open, and the first day: poster, till, customers to bring, team.',
  ),
  shot('passes', '/console/passes', 'Passes', 'All designs as the cards that they are.'),
  shot('new-pass', '/console/passes/new', 'New pass', 'Templates to begin with, for each kind of card.'),
  shot(
    'design',
    '/console/passes/:passId/design',
    'Design',
    'The card in Apple Wallet, Google Wallet and on the web, drawn as the designer types; errors are shown at their fields.',
  ),
  shot(
    'program',
    '/console/passes/:passId/program',
    'Program',
    'What cards collect and for what reward, as a sentence next to the card, which follows what is typed. Folded below: several rewards in their order, tiers, limits, currencies and rates, what points are called, expiry and refunds. Saving says first how many cards change, and how many people have a reward by it. Gift cards may hold money instead: its currency, the most that a card holds, and when it expires.',
  ),
  shot(
    'pool',
    '/console/passes/:passId/pool',
    'Codes',
    'Barcodes of another system, from a file, and when they run out.',
  ),
  shot(
    'join',
    '/console/passes/:passId/join',
    'Join page',
    'The page on which people take a card by themselves, and its poster.',
  ),
  shot(
    'messages',
    '/console/passes/:passId/messages',
    'Messages',
    'News for all holders or for some; what it costs before, what came of it after.',
  ),
  shot(
    'invites',
    '/console/passes/:passId/invites',
    'Invites',
    "One person, or a store's customers who have agreed to it, counted before a mail leaves.",
  ),
  shot(
    'cards',
    '/console/cards',
    'Customers',
    'All people who have one, found by a name, an address or a code.',
  ),
  shot(
    'import',
    '/console/cards/import',
    'Import cards',
    'Cards of another system from a CSV file, with their codes and balances.',
  ),
  shot(
    'card',
    '/console/cards/:instanceId',
    'A card',
    'What it has, stamps as dots, and its history of points and all else by day; award (A), redeem (R), undo, correct. A gift card shows its money: charge (C), load (L), refund the whole or a part.',
  ),
  shot(
    'entries',
    '/console/cards/entries',
    'Points',
    'What was given, used and corrected on the cards of a pass, by kind and time.',
  ),
  shot('orders', '/console/orders', 'Orders', 'What shops have sent, and what it earned.'),
  shot(
    'order',
    '/console/orders/:orderId',
    'An order',
    'How its points were earned, and what refunds took back.',
  ),
  shot(
    'stores',
    '/console/stores',
    'Stores',
    'Online shops whose orders earn by themselves, and whether they do.',
  ),
  shot(
    'connect',
    '/console/stores/connect',
    'Connect a store',
    'Three steps, explained for a person who has never done it.',
  ),
  shot(
    'store',
    '/console/stores/:storeId',
    'A store',
    'Whether it answers, what it is set to, what its customers have asked for.',
  ),
  shot('partners', '/console/partners', 'Partners', 'Branches and other shops that award and redeem.'),
  shot(
    'partner',
    '/console/partners/:partnerId',
    'A partner',
    'What it gave and took in a month, to settle by.',
  ),
  shot('keys', '/console/developers', 'API keys', 'Who may call the API, and for what.'),
  shot('webhooks', '/console/developers/webhooks', 'Webhooks', 'Where events are sent, and which.'),
  shot(
    'webhook',
    '/console/developers/webhooks/:webhookId',
    'A webhook',
    'How its deliveries go; a test, another secret, everything since a day again.',
  ),
  shot(
    'delivery',
    '/console/developers/webhooks/:webhookId/deliveries/:deliveryId',
    'A delivery',
    'What was sent, and what the receiver answered, attempt by attempt.',
  ),
  shot('events', '/console/developers/events', 'Events', 'Everything that happened, as machines receive it.'),
  shot('requests', '/console/developers/requests', 'Requests', 'Who called the API, and how it answered.'),
  shot(
    'request',
    '/console/developers/requests/:requestId',
    'A request',
    'What came of one: entries, events, deliveries and pushes.',
  ),
  shot(
    'workspace',
    '/console/settings',
    'Workspace',
    'What it is called, where its days begin, what it counts in.',
  ),
  shot('people', '/console/settings/people', 'People', 'Who works here, and what they may do.'),
  shot('tills', '/console/settings/tills', 'Tills', 'Shared devices that staff scan at, paired with a code.'),
  shot(
    'wallets',
    '/console/settings/wallets',
    'Wallets',
    'With which accounts of Apple and Google cards are issued.',
  ),
  shot(
    'apple',
    '/console/settings/wallets/apple',
    'Apple Wallet',
    'From the signing request to a pass on the own phone, step by step.',
  ),
  shot(
    'google',
    '/console/settings/wallets/google',
    'Google Wallet',
    'From the issuer account to a first card.',
  ),
  shot('credits', '/console/settings/credits', 'Credits', 'What is left, and what used them.'),
  shot('audit', '/console/settings/audit', 'Audit log', 'Who changed what, and when.'),
  shot(
    'account',
    '/console/settings/account',
    'Your account',
    'Password, passkeys, and where one is signed in.',
  ),
  shot('operator', '/console/operator', 'Operator: workspaces', 'All workspaces of an installation.'),
  shot(
    'tenant',
    '/console/operator/workspaces/:workspaceId',
    'Operator: a workspace',
    'Its plan, its credits, and how it is.',
  ),
  shot(
    'service',
    '/console/operator/service',
    'Operator: the service',
    'Certificates, queues, and what is wrong.',
  ),
];

/** Where the picture of a page is, from docs/. */
export function pictureOf({ name }: Shot): string {
  return `pictures/console/${name}.webp`;
}
