import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/** What Google knows of a pass, and the newest message to all its holders. */
export interface ClassRow {
  /** SHA-256 of what Google was sent last; null when it has no such class. */
  readonly content: Buffer | null;
  /** The rollout of the message that it was sent last. */
  readonly messageRolloutId: string | null;
  /** Its notifying updates of the last 24 hours. */
  readonly notifiedAt: readonly Date[];
  readonly newestRolloutId: string | null;
  readonly message: string | null;
}

/** What Google knows of a pass; undefined when it was sent nothing yet. */
export async function findClass(db: Db, pass: Pass): Promise<ClassRow | undefined> {
  const { rows } = await sql<ClassRow>`
    select c.content, c.message_rollout_id, c.notified_at, ${newestMessage(pass)} as newest_rollout_id, p.message
    from google_classes c join passes p using (workspace_id, pass_id)
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
  `.execute(db);
  return rows[0];
}

/** Notes what Google was sent of a pass. A new class has missed the messages of before, and does without them. */
export async function upsertClass(tx: Tx, pass: Pass, content: Buffer): Promise<void> {
  await sql`
    insert into google_classes (workspace_id, pass_id, content, message_rollout_id)
    select workspace_id, pass_id, ${content}::bytea, ${newestMessage(pass)}
    from passes where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
    on conflict (workspace_id, pass_id) do update set content = excluded.content
  `.execute(tx);
}

/** Google has lost the class. */
export async function forgetClass(tx: Tx, pass: Pass): Promise<void> {
  await tx
    .updateTable('googleClasses')
    .set({ content: null })
    .where('workspaceId', '=', pass.workspaceId)
    .where('passId', '=', pass.passId)
    .execute();
}

/** Puts one message in the place of another as the last that Google was sent. False when another worker has. */
export async function exchangeMessage(
  tx: Tx,
  pass: Pass,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<boolean> {
  const { rowCount } = await sql`
    update google_classes set message_rollout_id = ${to}
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
      and message_rollout_id is not distinct from ${from}::uuid
  `.execute(tx);
  return rowCount === 1;
}

/** Notes that all cards of the pass have announced something. */
export async function noteClassNotified(tx: Tx, pass: Pass, now: Date): Promise<void> {
  await sql`
    update google_classes set notified_at = array(
      select at from unnest(notified_at) as at where at > ${now}::timestamptz - interval '24 hours' order by at
    ) || ${now}::timestamptz
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
  `.execute(tx);
}

/** It is unknown what Google has of any pass: the design is sent again, a message is not. */
export async function doubtAllClasses(tx: Tx): Promise<void> {
  await sql`
    update google_classes c
    set content = case when c.content is not null then '\\x'::bytea end,
      message_rollout_id = (
        select r.rollout_id from rollouts r
        where r.workspace_id = c.workspace_id and r.pass_id = c.pass_id and r.kind = 'message'
          and r.audience is null
        order by r.rollout_id desc limit 1
      )
  `.execute(tx);
}

/** One to an audience is told card by card. */
function newestMessage(pass: Pass) {
  return sql`(
    select rollout_id from rollouts
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId} and kind = 'message' and audience is null
    order by rollout_id desc limit 1
  )`;
}
