import { listWorkspacesOf } from '../access/people.sql.ts';
import type { PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { encodeId } from '../kit/ids.ts';
import type { Arrival } from './begin-session.ts';
import { type Limits, limitTries } from './limit-tries.ts';

/** So many tries at once, and then one in so many seconds: of an address, and from one. */
export const tryLimits: Limits = { to: { atOnce: 10, everyS: 60 }, from: { atOnce: 50, everyS: 10 } };

/** A line in the audit log says it once in so many seconds. */
const noteEveryS = 3_600;

/**
 * As `limitTries`, of ways to sign in. Guesses beyond the limit leave a line in the audit log of each workspace of the
 * person whom they are about, after the answer: the time that it takes tells nobody whether there is one.
 */
export async function limitGuesses(
  ctx: PublicCtx,
  by: Arrival['by'],
  whom: string,
  limits: Limits,
  find: () => Promise<string | undefined>,
): Promise<void> {
  await limitTries(ctx, by, whom, limits, (hash) => {
    note(ctx, by, hash, find).catch((error) => ctx.app.log.error({ err: error }, 'guesses were not noted'));
  });
}

async function note(
  ctx: PublicCtx,
  by: Arrival['by'],
  hash: string,
  find: () => Promise<string | undefined>,
): Promise<void> {
  const { limiter, database } = ctx.app;
  if (!(await limiter.take(`${by}-noted:${hash}`, 1 / noteEveryS, 1)).allowed) return;
  const personId = await find();
  if (personId === undefined) return;
  const target = encodeId('person', personId);
  await database.transaction(async (tx) => {
    for (const workspaceId of await listWorkspacesOf(tx, personId))
      audit(tx, ctx, {
        workspaceId,
        actor: 'anyone',
        action: 'createSession',
        target,
        detail: { by, refused: 'rate_limited' },
      });
  });
}
