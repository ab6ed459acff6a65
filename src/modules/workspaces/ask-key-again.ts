import type { AskKeyAgain, KeyCtx } from '../../context.ts';
import { asRefusal } from '../../failures.ts';
import { callerOf, isLive, unknownKey } from './judge-key.ts';
import { type AdmittedKeyRow, findKeysBySecret } from './keys.sql.ts';
import { lockWorkspace } from './workspaces.sql.ts';

/** With the age that the cache of keys may have, a second: after that a revoked key does nothing any more. */
const lateMs = 200;

/** The ways to ask again for the key of a caller, once for all callers. */
export const askKeyAgain: AskKeyAgain = {
  async ifLate(ctx) {
    if (performance.now() - ctx.admittedAt < lateMs) return ctx;
    const row = await ctx.app.keyCache.find(ctx.key.secretHash).catch((error) => {
      throw asRefusal(error, true);
    });
    return judge(ctx, row);
  },

  async now(db, ctx) {
    const [row] = await findKeysBySecret(db, 'all', [ctx.key.secretHash]);
    return judge(ctx, row);
  },

  async holding(tx, ctx) {
    // Whoever changes a key or suspends the workspace holds it, too.
    await lockWorkspace(tx, ctx.workspaceId);
    return askKeyAgain.now(tx, ctx);
  },
};

function judge(ctx: KeyCtx, key: AdmittedKeyRow | undefined): KeyCtx {
  if (!isLive(ctx.app, key)) throw unknownKey();
  return { ...ctx, ...callerOf(key, ctx.access), admittedAt: performance.now() };
}
