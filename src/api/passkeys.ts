import { readFileSync } from 'node:fs';
import type { PublicCtx, SessionCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { listPasskeysOf } from '../people/passkeys.sql.ts';
import * as shapes from '../sign-in/passkey.schema.ts';
import * as verbs from '../sign-in/passkeys.ts';
import { refuseTill } from '../sign-in/refuse-till.ts';

const tag = 'People';
const PasskeyPath = closed({ passkeyId: Id });
const forNobodyElse = { 'cache-control': 'no-store' };

export const getSignInOptions = endpoint({
  op: 'getSignInOptions',
  tag,
  summary: 'What a browser signs in with a passkey with',
  description: 'What the passkey signs goes to POST /sessions, within five minutes and once.',
  answers: { 200: shapes.SignInOptions },
  handle: async (ctx: PublicCtx) => answer(200, await verbs.signInOptions(ctx), forNobodyElse),
});

export const getPasskeyOptions = endpoint({
  op: 'getPasskeyOptions',
  tag,
  summary: 'What a browser makes a passkey of',
  description:
    'Within ten minutes of signing in; who has no other way to sign in yet may add a first one at any time. What the browser makes goes to POST /passkeys, by the same session, within five minutes and once.',
  answers: { 200: shapes.PasskeyOptions },
  errors: ['recent_sign_in_required', 'role_required'],
  handle: async (ctx: SessionCtx) => answer(200, await verbs.passkeyOptions(ctx), forNobodyElse),
});

export const createPasskey = endpoint({
  op: 'createPasskey',
  tag,
  summary: 'Add a passkey',
  description:
    'It signs you in wherever you have it, without a mail or a password. It asks you for a finger, a face or a PIN each time.',
  body: shapes.NewPasskey,
  example: {
    name: 'Telephone',
    id: 'rJw1kMTCjHvwTTj9hKpzWg',
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZQ',
  },
  answers: { 201: shapes.Passkey },
  errors: ['recent_sign_in_required', 'role_required'],
  handle: async (ctx: SessionCtx, { body, headers }) =>
    answer(201, shapes.presentPasskey(await verbs.createPasskey(ctx, body, headers['accept-language']))),
});

export const listPasskeys = endpoint({
  op: 'listPasskeys',
  tag,
  summary: 'List your passkeys',
  description: 'Newest first.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Passkey) },
  errors: ['role_required'],
  async handle(ctx: SessionCtx, { query }) {
    refuseTill(ctx.session);
    const { personId } = ctx.session;
    const page = pageMade(ctx, `listPasskeys/${personId}`, query);
    const rows = await listPasskeysOf(ctx.app.database.db, personId, page);
    return answer(200, page.of(rows, 'passkeyId', shapes.presentPasskey));
  },
});

export const updatePasskey = endpoint({
  op: 'updatePasskey',
  tag,
  summary: 'Call a passkey something else',
  description: 'Its name is for you alone.',
  params: PasskeyPath,
  body: shapes.PasskeyChanges,
  example: { name: 'Old telephone' },
  answers: { 200: shapes.Passkey },
  errors: ['passkey_not_found', 'role_required'],
  handle: async (ctx: SessionCtx, { params, body }) =>
    answer(200, shapes.presentPasskey(await verbs.updatePasskey(ctx, params.passkeyId, body.name))),
});

export const deletePasskey = endpoint({
  op: 'deletePasskey',
  tag,
  summary: 'Remove a passkey',
  description: 'Within ten minutes of signing in. It no longer signs you in; existing sessions stay.',
  params: PasskeyPath,
  answers: { 204: null },
  errors: ['passkey_not_found', 'recent_sign_in_required', 'role_required'],
  handle: async (ctx: SessionCtx, { params }) => emptyAnswer(204, verbs.deletePasskey(ctx, params.passkeyId)),
});

/** As it stands: browsers run what is written there. */
const script = readFileSync(new URL('../sign-in/browser/passkeys.js', import.meta.url), 'utf8');

export const getPasskeyScript = endpoint({
  op: 'getPasskeyScript',
  tag,
  summary: 'The script of the pages of signing in',
  description: 'The pages load it by themselves, and work without it.',
  answers: { 200: 'text/javascript' },
  handle: async (_ctx: PublicCtx) => answer(200, script, { 'cache-control': 'no-cache' }),
});
