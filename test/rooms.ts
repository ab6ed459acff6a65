/** The rooms that hold the product, from the ground up: their folders, and what each holds. */
export const rooms = {
  locales: 'the texts of pages and mails, in eleven languages',
  events: 'the event log, and the timelines of cards',
  credits: 'the credits of a workspace: counted, spent, bought',
  workspaces: 'the row of a workspace, its shape, and what is derived from it',
  people: 'accounts of people, their memberships, passkeys and identities at providers',
  access: 'who may call, and how often: keys, sessions, tills, admission',
  mail: 'mails to people: their limits, and the names they greet by',
  pushes: 'the push ledger: which wallets a change must reach, and the outcome of each push',
  'wallet-credentials': 'certificates and service accounts of workspaces',
  passes: 'designs, their images, pools of codes, programs and partners',
  administration: 'workspaces and keys as they and their operator manage them',
  webhooks: 'webhooks of workspaces, and the deliveries to them',
  ledger: 'where points are counted: accounts, entries, lots, rewards, audits',
  cards: 'cards and their holders',
  loyalty: 'awards, redemptions, reversals, imports, statements',
  statistics: 'counts by pass, partner and day',
  lifecycle: 'the life of a card: issued, changed, taken over, reactivated',
  rendering: 'pictures and pages of a card: pass files, previews, pages',
  delivery: 'how wallets learn of a change and fetch it: `apple/`, `google/`, `web/`',
  diagnosis: 'why a card is not up to date on a device, in sentences',
  stores: 'stores that are connected, their credentials and webhooks',
  orders: 'orders and refunds, from the API and from stores',
  invitations: 'invitations, and sweeps of the customers of a store',
  enrolment: 'the pages where people get a card by themselves, the proof of an address, posters',
  erasure: 'erasing a person, deleting a pass',
  'sign-in': 'how people are invited and sign in, with the pages of that',
  'request-log': 'the request log, the audit log to read, the trace of a request id',
  'web-apps': 'serves console and scanner: their pages and bundles',
  api: 'HTTP in: the endpoints, in files by subject',
} as const;

/** From the ground up: a file imports from its own layer and those before it. */
export const layers = [
  layer(
    'kit',
    'what any service needs, without a word of this product: HTTP, database, limits, mail, processes',
  ),
  layer(
    'wallet and connectors',
    'translation into what wallets read, and from what platforms of stores say; in `*.client.ts` the network',
    /^src\/(wallet|connectors)\//,
    ['wallet/', 'connectors/'],
  ),
  layer(
    'ground of the rooms',
    'how an operation runs: endpoints, batches, claims, the order of locks, queues; every setting, every error',
    /^src\/(engine\/.*|(config|context|errors)\.ts$)/,
    ['engine/', 'config.ts', 'context.ts', 'errors.ts'],
  ),
  ...Object.entries(rooms).map(([room, holds]) => layer(room, holds)),
  layer(
    'contents pages',
    'the contents: a line for each endpoint, and for each job of the background work',
    /^src\/(routes|jobs)\.ts$/,
    ['routes.ts', 'jobs.ts'],
  ),
  layer(
    'wiring',
    'the service is built once, and wired; `start/` holds what only the start needs',
    /^src\/(app\.ts$|start\/)/,
    ['app.ts', 'start/'],
  ),
  layer('commands', 'the commands of `punchcard`'),
  layer('command line', 'the command line', /^src\/main\.ts$/, ['main.ts']),
];

/** Files that may import each other, and how documents show them. */
function layer(
  name: string,
  holds: string,
  paths = new RegExp(`^src/${name}/`),
  shown: readonly string[] = [`${name}/`],
) {
  return { name, holds, paths, shown };
}

/** The place of a file among the layers; -1 where it has none. */
export function layerOf(path: string): number {
  return layers.findIndex(({ paths }) => paths.test(path));
}

/** The room of a file; null outside of rooms. */
export function roomOf(path: string): string | null {
  const folder = /^src\/([\w-]+)\//.exec(path)?.[1] ?? '';
  return Object.hasOwn(rooms, folder) ? folder : null;
}
