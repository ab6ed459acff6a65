import { readFileSync } from 'node:fs';
import { wantsRecentSignIn } from '../access/permits.ts';
import type { Access } from '../context.ts';
import { errorContext, errors } from '../errors.ts';
import { type DocsSite, docsSite } from '../kit/docs/docs-site.ts';
import { guideOf } from '../kit/docs/guide.ts';
import type { TypeWords } from '../kit/docs/type-words.ts';
import type { Route } from '../kit/http/endpoints/endpoint.ts';
import { type OpenApiDocument, openapiDocument } from '../kit/http/reference/openapi.ts';

/** What any operation may answer, by who may call it. */
const always = ['invalid_request', 'rate_limited', 'internal_error', 'overloaded', 'request_timeout'];
const withBody = ['request_too_large', 'unsupported_media_type'];
const withKey = [
  'missing_authorization',
  'invalid_api_key',
  'invalid_session',
  'workspace_suspended',
  'role_required',
];

/** The one code with two statuses: to Process Order, an inactive pass is none. */
const statusesElsewhere: Readonly<Record<string, readonly number[]>> = {
  'processOrder pass_not_found': [404, 400],
};

const tagDescriptions = {
  Passes: 'Designs that cards share, and the pools of barcodes that cards take their codes from.',
  Instances: 'Cards: each is the pass of one holder.',
  Delivery: 'What reaches the wallets of holders.',
  Loyalty: 'Programs that cards collect points or stamps in, and their ledger.',
  Orders: 'Orders of a shop, which earn by the rule of a program.',
  Partners: 'Shops, branches and campaigns that cards and points are attributed to.',
  Stores: 'Online stores whose orders earn by themselves.',
  Webhooks: 'URLs of yours that events are posted to, and the outcome of each there.',
  Join: 'Pages on which people enrol by themselves, their poster, and what they have agreed to.',
  Invitations: 'Mails that offer a card, one by one or to the customers of a store.',
  Images: 'Pictures of passes, as they are served to wallets and browsers.',
  Holder: 'What the link of a card opens.',
  'Web card': 'The card in a browser.',
  'Apple Wallet': "Apple's web service for wallet passes, which devices call.",
  'Google Wallet': 'What Google calls and fetches.',
  'Workspaces and keys': 'The workspace of a key, and the keys of a workspace.',
  Wallets: 'By what Apple and Google know a workspace: certificates and accounts of its own.',
  People:
    'Who may sign in to a workspace, what they may do there, and the sessions of the people who are signed in.',
  Credits: 'What pushes are paid with.',
  Events: 'What has happened in the workspace, in its order, for 30 days.',
  Statistics: 'What has happened, counted by day, week, month or partner.',
  Requests: 'The outcomes of requests, and who changed what, for people who are given the id of a request.',
  Operator: 'What only the one who runs the installation may do.',
  Service: 'Health, figures, and this description.',
};

/** Refusals that come before any operation is known. */
export const beforeRouting: ReadonlySet<string> = new Set([
  'route_not_found',
  'method_not_allowed',
  'uri_too_long',
  'expectation_failed',
  'not_implemented',
  'headers_too_large',
]);

/** The API described by its own routes: an OpenAPI 3.1 document, and the pages made of it and of the guides. */
export function describeApi(routes: readonly Route<never, Access>[], publicUrl: string) {
  const document = openapiDocument({
    routes,
    serverUrl: `${publicUrl}/v1`,
    info: {
      title: 'Punchcard',
      version: '1',
      description:
        'Issues wallet passes and runs the loyalty programs on them. Clients branch on the `code` of an error, never on its text; codes never change meaning and are only added to.',
      contact: { name: 'Who runs this installation', url: publicUrl },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tagDescriptions,
    errorTable: errors,
    errorContext,
    commonErrors,
    statusesOf: ({ endpoint }, code) => statusesElsewhere[`${endpoint.op} ${code}`],
    securityOf: ({ access }) => {
      if (access === 'operator') return 'operator';
      return isKeyless(access) || access === 'session' ? null : 'key';
    },
  });
  // As bytes: strings would be copied for each client that takes its time.
  return {
    json: Buffer.from(visibly(JSON.stringify(document))),
    document,
    docs: describeInPages(document),
  };
}

/** The guides in the order of reading; docs/guides has a file for each, and nothing else from there is served. */
const guides = [
  'first-card',
  'till',
  'clients',
  'retries',
  'following-events',
  'live-with-apple',
  'live-with-google',
];

function describeInPages(document: OpenApiDocument): DocsSite {
  return docsSite({
    document,
    guides: guides.map((name) =>
      guideOf(name, readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')),
    ),
    words,
    clients,
    retryOf,
    beforeRouting,
  });
}

/** The client libraries of sdk/, by the language of the examples. */
const clients = {
  TypeScript: { from: 'punchcard-client', className: 'Punchcard', variable: 'punchcard' },
  Python: { from: 'punchcard', className: 'Punchcard', variable: 'client' },
};

/** How texts of the API are called on its pages. */
export const words: TypeWords = {
  idPrefixes: {
    passId: 'pass',
    instanceId: 'inst',
    programId: 'prog',
    partnerId: 'part',
    entryId: 'entry',
    storeId: 'store',
    workspaceId: 'ws',
    keyId: 'key',
    personId: 'person',
    sessionId: 'session',
    passkeyId: 'passkey',
    deviceId: 'device',
    inviteId: 'invite',
    sweepId: 'sweep',
    eventId: 'evt',
  },
  patterns: {
    '^#[0-9a-fA-F]{6}$': 'color, `#rrggbb`',
    '^[a-z][a-z0-9_]{0,39}$': '1 to 40 lower-case letters, digits and `_`, the first a letter',
    '^([1-9][0-9]?|100)$': 'whole number, 1 to 100',
    '^[a-z_]{1,64}$': 'small letters and `_`',
    '^[0-9]{4,8}$': '4 to 8 digits',
    '^[0-9]{1,30}$': '1 to 30 digits',
    '^(?:\\*\\.)?[a-z0-9](?:[a-z0-9\\-]{0,62}\\.)*[a-z0-9\\-]{0,62}[a-z0-9](?::[0-9]{1,5})?$':
      'host, such as `shop.example.com` or `*.example.com`',
    '^[A-Za-z]{1,64}$': 'letters',
    '^[a-z]+\\.[a-z]+(,[a-z]+\\.[a-z]+)*$': 'kinds of events, such as `points.awarded,reward.redeemed`',
    '^(0|[1-9][0-9]{0,14})$': 'whole number',
    '^([0-9]|[12][0-9]|30)$': 'whole number, 0 to 30',
    '^[1-5][0-9][0-9]$': 'HTTP status, such as `409`',
    '^(0|[1-9][0-9]{0,2})$': 'whole number, 0 to 999',
    '^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,4})?$': 'amount as text, such as `12.50`',
    '^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,12})?$': 'rate as text, such as `0.0064`',
    '^(?=.*[1-9])(0|[1-9][0-9]{0,9})(\\.[0-9]{1,12})?$': 'rate above 0 as text, such as `0.0064`',
    '^(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\\.[0-9]+)?(?:Z|[+\\-](?:[01][0-9]|2[0-3]):[0-5][0-9])$':
      'date and time with its offset, such as `2026-11-23T12:00:00Z`',
    '^2[0-9]{3}-(?:0[1-9]|1[0-2])$': 'month, such as `2026-11`',
    '^2[0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$': 'day, such as `2026-11-25`',
    '^[A-Z]{2}$': 'country, such as `DE`',
    '^[A-Za-z]{2,3}([\\-_][A-Za-z0-9]{2,8}){0,3}$': 'language, such as `pt-BR`',
    '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'language, such as `pt-BR`',
    '^[A-Za-z0-9_+\\/\\-]+$': 'time zone, such as `Europe/Lisbon`',
    '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$': 'UUID in lower case',
    '^(?:(?:[0-9A-Fa-f]{2}){8,100}|[A-Za-z0-9:._~+\\/=%\\-]{0,999}[G-Zg-z:._~+\\/=%\\-][A-Za-z0-9:._~+\\/=%\\-]{0,999})$':
      '16 to 200 hexadecimal digits, or up to 1,024 characters of another push service',
    '^[\\x20-\\x7e]{16,255}$': '16 to 255 printable ASCII characters',
    '^[\\x21-\\x7e]+$': 'printable ASCII without spaces',
    '^[\\x21-\\x39\\x3b-\\x7e]+$': 'printable ASCII without spaces and `:`',
    '^[A-Za-z0-9_\\-]+$': 'base64url',
    '^[A-Za-z0-9+\\/=\\x0d\\x0a]+$': 'base64',
    '^[A-Za-z0-9._\\-]+$': '1 to 64 letters, digits, `.`, `_` and `-`',
  },
};

/** Codes that something else than another request ends. */
const retries: Readonly<Record<string, string>> = {
  internal_error: 'Only with `retryable: true` in the body.',
  insufficient_credits: 'After a top-up.',
  pool_exhausted: 'After an upload of barcodes.',
  workspace_suspended: 'After the operator has lifted the suspension.',
  sweep_running: 'After the sweep has ended.',
  sweep_failed: 'When the store can be read again.',
  request_timeout: 'Yes, at once.',
};

function retryOf(code: string, status: number): string {
  const known = retries[code];
  if (known !== undefined) return known;
  if (status === 429 || status === 503) return 'Yes, after the seconds in `Retry-After`.';
  return 'No: change the request, or what it is about, first.';
}

/** JSON whose white space and control characters can be seen: patterns name some of them. */
function visibly(json: string): string {
  return json.replaceAll(
    /[\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f\u3000\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Every code that an operation can answer. */
export function errorsOf(route: Route<never, Access>): ReadonlySet<string> {
  return new Set([...route.endpoint.errors, ...commonErrors(route)]);
}

function commonErrors({ endpoint, access }: Route<never, Access>): string[] {
  // What takes nothing has one effect.
  const { params, body } = endpoint;
  const hasEffects = params !== undefined || body !== undefined;
  return [
    ...always,
    ...(endpoint.body === undefined ? [] : withBody),
    ...(endpoint.idempotent === true && hasEffects ? ['external_ref_reused'] : []),
    ...accessErrors(access),
  ];
}

function accessErrors(access: Access): string[] {
  if (isKeyless(access)) return [];
  if (access === 'session') return ['invalid_session'];
  return [
    ...withKey,
    ...(access === 'any key' ? [] : ['insufficient_scope']),
    ...(wantsRecentSignIn(access) ? ['recent_sign_in_required'] : []),
  ];
}

function isKeyless(access: Access): boolean {
  return access === 'public' || access === 'signed' || access === 'probe';
}
