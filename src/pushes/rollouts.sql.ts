import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { WalletName } from './pushes.sql.ts';

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
  /** The text of a message; null for a design, and where it was not kept. */
  readonly message: string | null;
  /** Which of the installed cards a message is for; null: all. */
  readonly audience: Audience | null;
  /** By which cards know the text of a message; null: by `rolloutId`. Of the moment when it went out, which decides what is newer. */
  readonly newsId: string | null;
  /** When a message was to go out; null: at once. */
  readonly sendAt: Date | null;
  readonly endsAt: Date | null;
  /** When to take the next step of taking its text from the cards; null: there is none. */
  readonly endingAt: Date | null;
  readonly endingCursor: string | null;
  readonly endedAt: Date | null;
  /** The request that began it; null where that was not kept. */
  readonly requestId: string | null;
  /** Who began it; null where that was not kept. */
  readonly actor: string | null;
}

/** Which of the installed cards of a pass a message is for: those of which everything holds that is given. */
export interface Audience {
  /** A kind of wallet that holds the card. */
  readonly installed?: true | WalletName;
  /** What the card shows in fields; null: nothing. */
  readonly fields?: Readonly<Record<string, string | null>>;
  readonly tier?: string;
  readonly balance?: { readonly from?: number; readonly to?: number };
  /** Whether a wallet has fetched the card since `after`, and none since `before`. ISO 8601. */
  readonly lastSeen?: { readonly after?: string; readonly before?: string };
  /** The public id of the partner at which it was issued. */
  readonly partnerId?: string;
  /** Days for which it has earned nothing, and was not issued either. */
  readonly awayDays?: number;
  /** A reward can be redeemed. */
  readonly rewardWaiting?: true;
  /** The key of a consent that its holder agreed to when last asked. */
  readonly consent?: string;
}

/** Begins a walk over the cards of a pass; one of a design that is still under way begins anew instead. */
export async function upsertDesignRollout(
  tx: Tx,
  pass: { workspaceId: string; passId: string },
  cards: number,
  { requestId, actor }: { readonly requestId: string; readonly actor: string },
  at: Date,
): Promise<void> {
  await sql`
    insert into rollouts
      (workspace_id, rollout_id, pass_id, kind, cards, stage, request_id, actor, release_at, walked_at, created_at)
    values (${pass.workspaceId}, ${newUuidV7()}, ${pass.passId}, 'design', ${cards}, 'cards', ${requestId}, ${actor}, ${at},
      ${at}, ${at})
    on conflict (workspace_id, pass_id) where kind = 'design' and stage <> 'finished' do update set
      cards = excluded.cards, done = 0, skipped = 0, stage = 'cards', cursor = null, request_id = excluded.request_id,
      actor = excluded.actor, created_at = excluded.created_at
  `.execute(tx);
}

/** Begins to bring a message, paid for ahead, to cards of a pass. */
export async function insertMessage(tx: Tx, row: RolloutRow): Promise<void> {
  await tx
    .insertInto('rollouts')
    .values({ ...row, audience: row.audience && JSON.stringify(row.audience) })
    .execute();
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

/** The messages whose text is leaving the cards. */
export const endingMessages: Queue<RolloutRow> = {
  job: 'endMessages',
  table: 'rollouts',
  part: 'workspaceId',
  key: { rolloutId: 'uuid' },
  due: 'endingAt',
  columns: sql`*`,
};

/** A message of a workspace that has gone out, kept from changing until the transaction ends. */
export function lockMessage(tx: Tx, workspaceId: string, rolloutId: string): Promise<RolloutRow | undefined> {
  return sql<RolloutRow>`
    select * from rollouts
    where workspace_id = ${workspaceId} and rollout_id = ${rolloutId} and kind = 'message'
    for no key update
  `.first(tx);
}

/** Notes how far a rollout has come. */
export async function saveStep(
  tx: Tx,
  rollout: RolloutRow,
  step: Partial<
    Pick<
      RolloutRow,
      | 'done'
      | 'skipped'
      | 'credits'
      | 'stage'
      | 'cursor'
      | 'releaseAt'
      | 'finishedAt'
      | 'endingAt'
      | 'endingCursor'
      | 'endedAt'
    >
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
export function listOpenRollouts(tx: Tx): Promise<RolloutRow[]> {
  return sql<RolloutRow>`
    select * from rollouts where stage <> 'finished' order by workspace_id, rollout_id
  `.rows(tx);
}

/** The newest rollout of each pass that has had one. */
export function newestRollouts(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<RolloutRow[]> {
  return sql<RolloutRow>`
    select r.*
    from unnest(${passIds}::uuid[]) as p(pass_id)
    cross join lateral (
      select * from rollouts r
      where r.workspace_id = ${workspaceId} and r.pass_id = p.pass_id
      order by r.rollout_id desc
      limit 1
    ) as r
  `.rows(db);
}

/** Those of a pass that concern all of its cards, and began at `since` or later, below the id `before`, newest first. */
export function listRollouts(
  db: Db,
  pass: { workspaceId: string; passId: string },
  { since, before, take }: { since: Date; before: string | null; take: number },
): Promise<RolloutRow[]> {
  return sql<RolloutRow>`
    select * from rollouts
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId} and audience is null
      and created_at >= ${since} ${before === null ? sql`` : sql`and rollout_id < ${before}`}
    order by rollout_id desc
    limit ${take}
  `.rows(db);
}
