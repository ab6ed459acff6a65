import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { freeCredits, reserveCredits } from '../credits/hold-credits.ts';
import { pushCards } from './push-cards.ts';
import type { PushOutcome, PushSkipReason } from './push-outcome.ts';
import { findPush, forgetRepaid, type HeldCard } from './pushes.sql.ts';
import { skipPushes } from './skip-pushes.ts';

/** A card with the wallets that hold it, before the change. */
export interface AnnouncedCard extends HeldCard {
  readonly installed: boolean;
}

/** Changes of cards of one workspace that share a transaction, and what becomes of each. */
export interface Announcements {
  /**
   * Decides what becomes of a change: one credit puts the card's newest state on its way. `shown` says whether
   * anything that the card shows has changed. A caller that re-sends an update whose push was skipped gets it delivered
   * now, or for nothing where a top-up has paid for it. The caller holds the card.
   */
  add(card: AnnouncedCard, shown: boolean): Promise<PushOutcome>;
  /** Delivers the newest state whether or not anything has changed, as `add` does with a change. */
  deliver(card: AnnouncedCard): Promise<PushOutcome>;
  /** Writes what was decided, as the last step of the transaction: the credits' row is the busiest. */
  settle(): Promise<void>;
}

/**
 * Announces changes in the transaction that makes them. The credits that are free now are handed out in the order of
 * the changes; `settle` raises `LostRace` when somebody else has taken them meanwhile.
 */
export function announcements(tx: Tx, ctx: PublicCtx, workspaceId: string): Announcements {
  let free: number | null = null;
  const pushed = new Map<string, { card: AnnouncedCard; credits: number }>();
  const unpaid = new Map<string, AnnouncedCard>();

  async function deliver(card: AnnouncedCard): Promise<PushOutcome> {
    free ??= await freeCredits(tx, workspaceId);
    if (free === 0) {
      // Without a wallet there is nothing to make up for later: whoever adds the card gets the newest.
      if (card.installed) unpaid.set(card.instanceId, card);
      return skipped('insufficient_credits');
    }
    if (!card.installed) return skipped('not_installed');
    free -= 1;
    const credits = (pushed.get(card.instanceId)?.credits ?? 0) + 1;
    pushed.set(card.instanceId, { card, credits });
    return { pushed: true };
  }

  return {
    deliver,
    async add(card, shown) {
      if (shown) return deliver(card);
      // Another change of this transaction has put the newest state on its way already.
      if (pushed.has(card.instanceId)) return skipped('unchanged');
      const earlier = await findPush(tx, card);
      if (earlier?.repaid === true) {
        await forgetRepaid(tx, card);
        return { pushed: true };
      }
      return earlier === undefined || earlier.skippedAt === null ? skipped('unchanged') : deliver(card);
    },
    async settle() {
      const paid = [...pushed.values()];
      await pushCards(
        tx,
        ctx,
        paid.map(({ card, credits }) => ({ ...card, credits })),
      );
      await skipPushes(tx, ctx, [...unpaid.values()]);
      await reserveCredits(
        tx,
        ctx,
        workspaceId,
        paid.reduce((sum, { credits }) => sum + credits, 0),
      );
    },
  };
}

function skipped(pushSkipReason: PushSkipReason): PushOutcome {
  return { pushed: false, pushSkipReason };
}
