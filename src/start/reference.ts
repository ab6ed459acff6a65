import { wantsRecentSignIn } from '../access/permits.ts';
import type { Access } from '../context.ts';
import { errorContext, errors } from '../errors.ts';
import type { Route } from '../kit/http/endpoints/endpoint.ts';
import { openapiDocument } from '../kit/http/reference/openapi.ts';

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
  Value: 'Money on gift cards: loaded, charged, refunded, moved.',
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

/** The API described by its own routes: an OpenAPI 3.1 document. */
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
  return { json: Buffer.from(visibly(JSON.stringify(document))), document };
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
