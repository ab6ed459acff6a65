import { Type } from 'typebox';
import { cardColors } from '../cards/card-colors.ts';
import type { PublicCtx } from '../context.ts';
import { googleCallback as callbackVerb } from '../delivery/google/google-callback.ts';
import { emptyAnswer, endpoint } from '../engine/endpoints.ts';
import { refusal } from '../errors.ts';
import { contentTag } from '../kit/http/endpoints/headers.ts';
import { closed, Id } from '../kit/http/schemas/shapes.ts';
import { findDrawn } from '../passes/find-pass.ts';
import { immutablePicture } from '../passes/images/immutable-picture.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import { heroOf } from '../rendering/card-view.ts';
import { drawnIcon } from '../rendering/drawn-icon.ts';
import { drawnThreshold, mostStamps } from '../rendering/stamps-drawing.ts';
import { stampsHero } from '../rendering/stamps-picture.ts';

const tag = 'Google Wallet';

export const googleCallback = endpoint({
  op: 'googleCallback',
  tag,
  summary: 'Google reports that a holder has saved a card, or deleted it',
  description:
    'Signed by Google (ECv2SigningOnly). Repetitions, reports that were overtaken and reports of cards that are not known here are answered 200 and change nothing.',
  // Google may send more than we know of.
  body: Type.Object({}, { additionalProperties: true }),
  bodyLimit: 65_536,
  example: {
    protocolVersion: 'ECv2SigningOnly',
    signature: 'MEUCIQ…',
    intermediateSigningKey: { signedKey: '{"keyValue":"…","keyExpiration":"…"}', signatures: ['MEQCIF…'] },
    signedMessage: '{"classId":"…","objectId":"…","eventType":"save","expTimeMillis":1,"nonce":"…"}',
  },
  answers: { 200: null },
  errors: ['wallet_not_configured', 'wallet_unavailable', 'invalid_signature'],
  handle: async (ctx: PublicCtx, { body }) => emptyAnswer(200, callbackVerb(ctx, body)),
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
    const { colors } = await findDrawn(ctx.app.database.db, params.passId);
    const png = await drawnIcon(cardColors(colors), 'logo.png');
    return immutablePicture(png, contentTag(png), headers['if-none-match']);
  },
});

const Count = Type.String({ pattern: '^(0|[1-9][0-9]{0,2})$', description: 'a whole number' });

export const getStampPicture = endpoint({
  op: 'getStampPicture',
  tag,
  summary: 'The stamps of a card as a picture, for Google to fetch',
  description: `So many stamps of as many as unlock a reward, up to ${mostStamps}, in the colours of the pass, on its image where it is to be.`,
  params: closed({ passId: Id, filled: Count, threshold: Count }),
  query: closed({
    v: Type.Optional(Type.String({ maxLength: 64 })),
    from: Type.Optional(Type.Literal('right', { description: 'the first stamp is at the right' })),
  }),
  answers: { 200: 'image/png', 304: null },
  errors: ['pass_not_found'],
  async handle(ctx: PublicCtx, { params, query, headers }) {
    const [filled, threshold] = [Number(params.filled), Number(params.threshold)];
    if (threshold < 1 || threshold > mostStamps || filled > threshold)
      throw refusal('pass_not_found', `No pass has a picture of ${filled} of ${threshold} stamps.`);
    const { db } = ctx.app.database;
    const pass = await findDrawn(db, params.passId);
    const { colors, images, stampLook: look } = pass;
    const stamps = { filled, threshold, look, ...(query.from === 'right' && ({ fromRight: true } as const)) };
    const scene = { stamps, colors: cardColors(colors), store: ctx.app.images };
    // A drawing on a photo takes long: callers that try all numbers get it with those of the program alone.
    const program =
      look.over === 'image' ? await programOfPass(db, pass.workspaceId, pass.passId) : undefined;
    const isDrawnOn = program !== undefined && threshold === drawnThreshold(program);
    const png = await stampsHero(scene, isDrawnOn ? heroOf(images) : undefined);
    return immutablePicture(png, contentTag(png), headers['if-none-match']);
  },
});
