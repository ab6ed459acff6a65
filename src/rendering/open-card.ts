import { instanceNotFound } from '../cards/find-instance.ts';
import { changedAt, isServed, lastModified, sentModified } from '../cards/last-modified.ts';
import { opens, readLinkToken } from '../cards/link-token.ts';
import { keepServed, readServed } from '../cards/wallets.sql.ts';
import type { PublicCtx } from '../context.ts';
import type { CardKey } from '../engine/card-key.ts';
import { noteOnTimeline } from '../events/note-on-timeline.ts';
import type { Tx } from '../kit/db/database.ts';
import { type CardRow, findCard } from './card.sql.ts';

/** The card that a link's token opens. Raises `instance_not_found` for a wrong token and for an erased card. */
export async function openCard(ctx: PublicCtx, token: string): Promise<CardRow> {
  const target = readLinkToken(token);
  if (target === null) throw instanceNotFound('this link');
  const card = await findCard(ctx.app.database.db, target.workspaceId, target.instanceId);
  if (card === undefined || card.erasedAt !== null || !opens(target, card))
    throw instanceNotFound('this link');
  return card;
}

/** A card for a device that has shown its token: an erased one too, since the device is to show that it is void. */
export async function cardForDevice(ctx: PublicCtx, card: CardKey): Promise<CardRow> {
  const row = await findCard(ctx.app.database.db, card.workspaceId, card.instanceId);
  if (row === undefined) throw new Error('the card that a device holds is gone');
  return row;
}

/** Notes on the card's timeline that its holder opened the link. */
export async function noteVisit(ctx: PublicCtx, card: CardRow): Promise<void> {
  await quietly(ctx, (tx) => noteOnTimeline(tx, ctx, card, 'instance.link_opened'));
}

/**
 * Notes that this state of the card is handed out as a pass file: a device that registers later, when the card has
 * changed, is notified. Answers the Last-Modified to hand it out with: no later state gets this second or an earlier one. Where
 * that cannot be kept it is one that no wallet takes for the newest state.
 */
export async function noteFetched(ctx: PublicCtx, card: CardRow): Promise<Date> {
  const now = ctx.app.now();
  const sent = await quietly(ctx, async (tx) => {
    const kept = await keepSent(tx, card, now);
    await noteOnTimeline(tx, ctx, card, 'instance.fetched');
    return kept;
  });
  return sent ?? sentModified(card.servedModifiedAt ?? never, now);
}

const never = new Date(0);
/** The most attempts: of several wallets that fetch at a time one keeps the answer, and the others read again. */
const mostTurns = 10;

async function keepSent(tx: Tx, card: CardRow, now: Date): Promise<Date | null> {
  for (let turn = 0, read = card; turn < mostTurns; turn++) {
    const modified = lastModified(read);
    const sent = sentModified(modified, now);
    if (isServed(read)) return sent;
    const isWhole = sent.getTime() === modified.getTime();
    // After a clock that was ahead: a later second was given before.
    if (!isWhole && read.servedModifiedAt !== null && sent <= read.servedModifiedAt) return sent;
    if (await keepServed(tx, read, sent, isWhole ? changedAt(read) : null)) return sent;
    read = { ...card, ...(await readServed(tx, card)) };
  }
  return null;
}

/** A failure is logged and never spoils the visit. */
async function quietly<Noted>(ctx: PublicCtx, note: (tx: Tx) => Promise<Noted>): Promise<Noted | null> {
  try {
    return await ctx.app.database.transaction(note);
  } catch (error) {
    ctx.app.log.warn({ requestId: ctx.requestId, err: error }, 'the visit was not noted');
    return null;
  }
}
