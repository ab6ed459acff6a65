import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';

/** A change of a pass on its way to all its installed cards. */
export interface RolloutRow {
  readonly workspaceId: string;
  readonly rolloutId: string;
  readonly passId: string;
  readonly kind: 'design' | 'message';
  readonly cards: number;
  readonly done: number;
  readonly skipped: number;
  readonly credits: number;
  readonly stage: 'cards' | 'devices' | 'finished';
  readonly cursor: string | null;
  readonly releaseAt: Date;
  readonly walkedAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Begins a walk over the cards of a pass; one of a design that is still under way begins anew instead. */
export async function upsertDesignRollout(
  tx: Tx,
  pass: { workspaceId: string; passId: string },
  cards: number,
  at: Date,
): Promise<void> {
  await sql`
    insert into rollouts (workspace_id, rollout_id, pass_id, kind, cards, stage, release_at, walked_at, created_at)
    values (${pass.workspaceId}, ${newUuidV7()}, ${pass.passId}, 'design', ${cards}, 'cards', ${at}, ${at}, ${at})
    on conflict (workspace_id, pass_id) where kind = 'design' and stage <> 'finished' do update set
      cards = excluded.cards, done = 0, skipped = 0, stage = 'cards', cursor = null, created_at = excluded.created_at
  `.execute(tx);
}

/** Begins to bring a message, paid for ahead, to all cards of a pass. */
export async function insertMessageRollout(
  tx: Tx,
  pass: { workspaceId: string; passId: string },
  rolloutId: string,
  cards: number,
  at: Date,
): Promise<void> {
  await sql`
    insert into rollouts
      (workspace_id, rollout_id, pass_id, kind, cards, credits, stage, release_at, walked_at, created_at)
    values (${pass.workspaceId}, ${rolloutId}, ${pass.passId}, 'message', ${cards}, ${cards}, 'cards', ${at}, ${at},
      ${at})
  `.execute(tx);
}

/** Rollouts that take turns. One whose next devices are not let go before `devicesUntil` has to wait. */
export function rolloutTurns(devicesUntil: Date): Queue<RolloutRow> {
  return {
    job: 'walkRollouts',
    table: 'rollouts',
    part: 'workspaceId',
    key: { rolloutId: 'uuid' },
    due: 'walkedAt',
    where: sql`stage <> 'finished' and (stage = 'cards' or release_at <= ${devicesUntil})`,
    columns: sql`*`,
  };
}

/** Notes how far a rollout has come. */
export async function saveStep(
  tx: Tx,
  rollout: RolloutRow,
  step: Partial<
    Pick<RolloutRow, 'done' | 'skipped' | 'credits' | 'stage' | 'cursor' | 'releaseAt' | 'finishedAt'>
  >,
): Promise<void> {
  await tx
    .updateTable('rollouts')
    .set(step)
    .where('workspaceId', '=', rollout.workspaceId)
    .where('rolloutId', '=', rollout.rolloutId)
    .execute();
}

/** All rollouts that are not finished, of whatever workspace. */
export async function listOpenRollouts(tx: Tx): Promise<RolloutRow[]> {
  return (await tx
    .selectFrom('rollouts')
    .selectAll()
    .where('stage', '<>', 'finished')
    .orderBy('workspaceId')
    .orderBy('rolloutId')
    .execute()) as RolloutRow[];
}

/** The newest rollout of each pass that has had one. */
export async function newestRollouts(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<RolloutRow[]> {
  const { rows } = await sql<RolloutRow>`
    select r.*
    from unnest(${passIds}::uuid[]) as p(pass_id)
    cross join lateral (
      select * from rollouts r
      where r.workspace_id = ${workspaceId} and r.pass_id = p.pass_id
      order by r.rollout_id desc
      limit 1
    ) as r
  `.execute(db);
  return rows;
}

/** Those of a pass that began at `since` or later, below the id `before`, newest first. */
export async function listRollouts(
  db: Db,
  pass: { workspaceId: string; passId: string },
  { since, before, take }: { since: Date; before: string | null; take: number },
): Promise<RolloutRow[]> {
  let query = db
    .selectFrom('rollouts')
    .selectAll()
    .where('workspaceId', '=', pass.workspaceId)
    .where('passId', '=', pass.passId)
    .where('createdAt', '>=', since);
  if (before !== null) query = query.where('rolloutId', '<', before);
  return (await query.orderBy('rolloutId', 'desc').limit(take).execute()) as RolloutRow[];
}
