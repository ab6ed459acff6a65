import type { PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { encodeId } from '../kit/ids.ts';
import type { MemberRow } from '../people/people.sql.ts';
import type { Arrival } from './begin-session.ts';
import { type GiveBack, type Limits, limitTries } from './limit-tries.ts';

/** The tries at once, and then the seconds for each further one: of an address, and from one. */
export const tryLimits: Limits = { to: { atOnce: 10, everyS: 60 }, from: { atOnce: 50, everyS: 10 } };

/** A line in the audit log says it once in so many seconds. */
const noteEveryS = 3_600;

/** The workspaces that are to hear of guesses, and by which ids they know whom these are about. */
type FindConcerned = () => Promise<readonly Pick<MemberRow, 'workspaceId' | 'personId'>[]>;

/**
 * As `limitTries`, of ways to sign in. Guesses beyond the limit leave a line in the audit log of each workspace that they
 * concern, after the answer: so that the duration does not reveal whether there is one.
 */
export async function limitGuesses(
  ctx: PublicCtx,
  by: Arrival['by'],
  whom: string,
  limits: Limits,
  find: FindConcerned,
): Promise<GiveBack> {
  return limitTries(ctx, by, whom, limits, (hash) => {
    note(ctx, by, hash, find).catch((error) => ctx.app.log.error({ err: error }, 'guesses were not noted'));
  });
}

async function note(ctx: PublicCtx, by: Arrival['by'], hash: string, find: FindConcerned): Promise<void> {
  const { limiter, database } = ctx.app;
  if (!(await limiter.take(`${by}-noted:${hash}`, 1 / noteEveryS, 1)).allowed) return;
  const concerned = await find();
  if (concerned.length === 0) return;
  await database.transaction(async (tx) => {
    for (const { workspaceId, personId } of concerned)
      audit(tx, ctx, {
        workspaceId,
        actor: 'anyone',
        action: 'createSession',
        target: encodeId('person', personId),
        detail: { by, refused: 'rate_limited' },
      });
  });
}
