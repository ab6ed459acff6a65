import type { Access } from './context.ts';
import { errors } from './errors.ts';
import type { Route } from './kit/http/endpoint.ts';
import { openapiDocument } from './kit/http/reference/openapi.ts';
import { referencePage } from './kit/http/reference/reference-page.ts';

/** What any operation may answer, by who may call it. */
const always = ['invalid_request', 'rate_limited', 'internal_error', 'overloaded', 'request_timeout'];
const withBody = ['request_too_large', 'unsupported_media_type'];
const withKey = ['missing_authorization', 'invalid_api_key', 'workspace_suspended'];

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
  Invitations: 'Mails that offer a card, one by one or to the customers of a store.',
  Images: 'Pictures of passes, as they are served to wallets and browsers.',
  Holder: 'What the link of a card opens.',
  'Web card': 'The card in a browser.',
  'Apple Wallet': "Apple's web service for wallet passes, which devices call.",
  'Google Wallet': 'What Google calls and fetches.',
  'Workspaces and keys': 'The workspace of a key, and the keys of a workspace.',
  Credits: 'What pushes are paid with.',
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

/** The API described by its own routes: an OpenAPI 3.1 document and the page made of it. */
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
    commonErrors,
    statusesOf: ({ endpoint }, code) => statusesElsewhere[`${endpoint.op} ${code}`],
    securityOf: ({ access }) => {
      if (access === 'operator') return 'operator';
      return isKeyless(access) ? null : 'key';
    },
  });
  // As bytes: strings would be copied for each client that takes its time.
  return {
    json: Buffer.from(visibly(JSON.stringify(document))),
    page: Buffer.from(referencePage(document)),
    document,
  };
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
  return [
    ...always,
    ...(endpoint.body === undefined ? [] : withBody),
    ...(endpoint.idempotent === true ? ['external_ref_reused'] : []),
    ...accessErrors(access),
  ];
}

function accessErrors(access: Access): string[] {
  if (isKeyless(access)) return [];
  return access === 'any key' ? withKey : [...withKey, 'insufficient_scope'];
}

function isKeyless(access: Access): boolean {
  return access === 'public' || access === 'signed' || access === 'probe';
}
