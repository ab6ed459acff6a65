import type { CardKey } from '../../cards/instance-row.ts';
import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { shortenViewersOf } from './web-cards.sql.ts';

/** Long enough for a push to reach a browser, which then forgets its copy of the card. */
const graceMs = 86_400_000;

/** An erased card leaves no subscription behind: its browsers are forgotten within a day, installed or not. */
export async function endWebCards(tx: Tx, ctx: PublicCtx, card: CardKey): Promise<void> {
  await shortenViewersOf(tx, card, new Date(ctx.app.now().getTime() + graceMs));
}
