import { instanceNotFound } from '../cards/find-instance.ts';
import { opens, readLinkToken } from '../cards/link-token.ts';
import type { PublicCtx } from '../context.ts';
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
export async function cardForDevice(
  ctx: PublicCtx,
  card: Pick<CardRow, 'workspaceId' | 'instanceId'>,
): Promise<CardRow> {
  const row = await findCard(ctx.app.database.db, card.workspaceId, card.instanceId);
  if (row === undefined) throw new Error('the card that a device holds is gone');
  return row;
}
