import { Type } from 'typebox';
import { lastModified, sentModified } from '../cards/last-modified.ts';
import type { PublicCtx } from '../context.ts';
import { changedSerials } from '../delivery/apple/changed-serials.ts';
import { checkPassToken, pushAddressOf } from '../delivery/apple/check-pass-token.ts';
import { logDeviceErrors as logVerb } from '../delivery/apple/log-device-errors.ts';
import { registerDevice as registerVerb } from '../delivery/apple/register-device.ts';
import { unregisterDevice as unregisterVerb } from '../delivery/apple/unregister-device.ts';
import { answer, emptyAnswer, endpoint } from '../engine/endpoints.ts';
import { isNotModified } from '../kit/http/endpoints/headers.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { cardForDevice, noteFetched } from '../rendering/open-card.ts';
import { passFileAnswer } from '../rendering/pass-file-answer.ts';

const tag = 'Apple Wallet';
const withToken =
  'Authorization: ApplePass, with the authenticationToken of the card; wallets on Android have schemes of their own, as WalletUnionPass.';

const deviceLibraryIdentifier = Type.String({ minLength: 1, maxLength: 255 });
const passTypeIdentifier = Type.String({ minLength: 1, maxLength: 255 });
const serialNumber = Type.String({ minLength: 1, maxLength: 255 });
const CardPath = closed({ passTypeIdentifier, serialNumber });
const RegistrationPath = closed({ deviceLibraryIdentifier, passTypeIdentifier, serialNumber });
const DevicePath = closed({ deviceLibraryIdentifier, passTypeIdentifier });

export const registerDevice = endpoint({
  op: 'registerDevice',
  tag,
  summary: 'A device registers for the changes of a card',
  description: `${withToken} 201 when it is new; 200 keeps the new push token of a registration that exists.`,
  params: RegistrationPath,
  // Devices may send more than we know of.
  body: Type.Object({
    pushToken: Type.String({
      pattern:
        '^(?:(?:[0-9A-Fa-f]{2}){8,100}|[A-Za-z0-9:._~+\\/=%\\-]{0,999}[G-Zg-z:._~+\\/=%\\-][A-Za-z0-9:._~+\\/=%\\-]{0,999})$',
      minLength: 16,
      maxLength: 1_024,
      description: "APNs's address of the device; another wallet's own, which is kept and never pushed to",
    }),
  }),
  bodyLimit: 16_384,
  example: { pushToken: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  answers: { 200: null, 201: null },
  errors: ['invalid_pass_token'],
  async handle(ctx: PublicCtx, { params, body, headers }) {
    const checked = await checkPassToken(ctx, params, headers.authorization);
    const pushToken = pushAddressOf(body.pushToken, headers.authorization);
    const isNew = await registerVerb(ctx, checked, { ...params, pushToken });
    return answer(isNew ? 201 : 200, null);
  },
});

export const unregisterDevice = endpoint({
  op: 'unregisterDevice',
  tag,
  summary: 'A device no longer holds a card',
  description: withToken,
  params: RegistrationPath,
  answers: { 200: null },
  errors: ['invalid_pass_token'],
  async handle(ctx: PublicCtx, { params, headers }) {
    const { card } = await checkPassToken(ctx, params, headers.authorization);
    await ctx.app.database.transaction((tx) => unregisterVerb(tx, ctx, card, params));
    return answer(200, null);
  },
});

export const listChangedSerials = endpoint({
  op: 'listChangedSerials',
  tag,
  summary: 'The cards on a device that have changed',
  description:
    'Since the lastUpdated that the device was given last, or all of them. 204 when there are none. The device library identifier is the secret.',
  params: DevicePath,
  query: Type.Object({ passesUpdatedSince: Type.Optional(Type.String()) }),
  answers: {
    200: closed({ serialNumbers: Type.Array(Type.String()), lastUpdated: Type.String() }),
    204: null,
  },
  async handle(ctx: PublicCtx, { params, query }) {
    const changes = await changedSerials(ctx, params, query.passesUpdatedSince);
    return changes === null ? answer(204, null) : answer(200, changes);
  },
});

export const getLatestPass = endpoint({
  op: 'getLatestPass',
  tag,
  summary: 'The newest state of a card, as a signed pass file',
  description: withToken,
  params: CardPath,
  answers: { 200: 'application/vnd.apple.pkpass', 304: null },
  errors: ['invalid_pass_token'],
  async handle(ctx: PublicCtx, { params, headers }) {
    const { card: state, issuer } = await checkPassToken(ctx, params, headers.authorization);
    const modified = lastModified(state);
    if (isNotModified(modified, headers['if-modified-since']))
      return answer(304, null, asOf(sentModified(modified, ctx.app.now())));
    const card = await cardForDevice(ctx, state);
    const chunks = await ctx.app.passFiles.build(card, issuer);
    return passFileAnswer(chunks, asOf(await noteFetched(ctx, card)));
  },
});

export const logDeviceErrors = endpoint({
  op: 'logDeviceErrors',
  tag,
  summary: 'What went wrong, as a device sees it',
  description:
    'Few lines of one client are kept; the answer is 200 in any case, so that the device does not send them again.',
  body: Type.Object({ logs: Type.Array(Type.Unknown(), { maxItems: 1_000 }) }),
  bodyLimit: 65_536,
  example: { logs: ['[2026-08-11 12:00:00 +0200] Get pass task encountered error: Authentication failure'] },
  answers: { 200: null },
  handle: async (ctx: PublicCtx, { body }) => emptyAnswer(200, logVerb(ctx, body.logs)),
});

/** The signature is over the very bytes: no proxy on the way may change them. */
function asOf(modified: Date) {
  return { 'last-modified': modified.toUTCString(), 'cache-control': 'private, no-store, no-transform' };
}
