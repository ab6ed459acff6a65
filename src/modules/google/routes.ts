import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { PublicCtx } from '../../context.ts';
import { answer, endpoint } from '../../endpoints.ts';
import { closed, Id } from '../../kit/http/shapes.ts';
import { cardColors } from '../holder/card-colors.ts';
import { findColors } from '../passes/find-colors.ts';
import { webCardIcon } from '../webcard/web-card-icon.ts';
import { googleCallback as callbackVerb } from './google-callback.ts';

const tag = 'Google Wallet';

export const googleCallback = endpoint({
  op: 'googleCallback',
  tag,
  summary: 'Google reports that a holder has saved a card, or deleted it',
  description:
    'Signed by Google (ECv2SigningOnly). Repetitions, reports that were overtaken and reports of cards that are not known here are answered 200 and change nothing.',
  // Google may send more than we know of.
  body: Type.Object({}),
  bodyLimit: 65_536,
  example: {
    protocolVersion: 'ECv2SigningOnly',
    signature: 'MEUCIQ…',
    intermediateSigningKey: { signedKey: '{"keyValue":"…","keyExpiration":"…"}', signatures: ['MEQCIF…'] },
    signedMessage: '{"classId":"…","objectId":"…","eventType":"save","expTimeMillis":1,"nonce":"…"}',
  },
  answers: { 200: null },
  errors: ['wallet_not_configured', 'wallet_unavailable', 'invalid_signature'],
  async handle(ctx: PublicCtx, { body }) {
    await callbackVerb(ctx, body);
    return answer(200, null);
  },
});

export const getPassLogo = endpoint({
  op: 'getPassLogo',
  tag,
  summary: 'The logo of a pass, for Google to fetch',
  description: 'Google keeps what it has fetched: `v` changes when the picture does.',
  params: closed({ passId: Id }),
  query: closed({ v: Type.Optional(Type.String({ maxLength: 64 })) }),
  answers: { 200: 'image/png', 304: null },
  errors: ['pass_not_found'],
  async handle(ctx: PublicCtx, { params, headers }) {
    const colors = await findColors(ctx.app.database.db, params.passId);
    const png = await webCardIcon(cardColors(colors), 'logo.png');
    const etag = `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"`;
    const caching = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    if (headers['if-none-match']?.split(',').some((known) => known.trim() === etag))
      return answer(304, null, caching);
    return answer(200, png, caching);
  },
});
