import type { Db, Tx } from '../../kit/db/database.ts';
import { type Sql, sql } from '../../kit/db/sql.ts';
import type { PassKey } from '../../passes/pass-row.ts';

/** A pass, as one issuer has it at Google. */
export interface PassAtGoogle {
  readonly workspaceId: string;
  readonly passId: string;
  /** The issuer id where it is the workspace's own; null: that of the installation. */
  readonly ownIssuerId: string | null;
}

/** Classes of the installation's issuer, or of one of a workspace's own. */
function tableOf({ ownIssuerId }: PassAtGoogle): Sql {
  return ownIssuerId === null ? sql`google_classes` : sql`google_own_classes`;
}

/** Condition that distinguishes a class from others of its workspace. */
function isOf({ workspaceId, passId, ownIssuerId }: PassAtGoogle): Sql {
  const isPass = sql`c.workspace_id = ${workspaceId} and c.pass_id = ${passId}`;
  return ownIssuerId === null ? isPass : sql`${isPass} and c.issuer_id = ${ownIssuerId}`;
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
export function findClass(db: Db, pass: PassAtGoogle): Promise<ClassRow | undefined> {
  return sql<ClassRow>`
    select c.content, c.message_rollout_id, c.notified_at, p.message_id as newest_rollout_id, p.message
    from ${tableOf(pass)} c join passes p on p.workspace_id = c.workspace_id and p.pass_id = c.pass_id
    where ${isOf(pass)}
  `.first(db);
}

/** Notes what Google was sent of a pass. A new class does not get the messages of before. */
export async function upsertClass(tx: Tx, pass: PassAtGoogle, content: Buffer): Promise<void> {
  const { workspaceId, passId, ownIssuerId } = pass;
  const passes = sql`passes where workspace_id = ${workspaceId} and pass_id = ${passId}`;
  const update = sql`do update set content = excluded.content`;
  await (ownIssuerId === null
    ? sql`
        insert into google_classes (workspace_id, pass_id, content, message_rollout_id)
        select workspace_id, pass_id, ${content}::bytea, message_id from ${passes}
        on conflict (workspace_id, pass_id) ${update}`
    : sql`
        insert into google_own_classes (workspace_id, pass_id, issuer_id, content, message_rollout_id)
        select workspace_id, pass_id, ${ownIssuerId}, ${content}::bytea, message_id from ${passes}
        on conflict (workspace_id, pass_id, issuer_id) ${update}`
  ).execute(tx);
}

/** Google has lost the class. */
export async function forgetClass(tx: Tx, pass: PassAtGoogle): Promise<void> {
  await sql`update ${tableOf(pass)} as c set content = null where ${isOf(pass)}`.execute(tx);
}

/** Puts one message in the place of another as the last that Google was sent. False when another worker has. */
export async function exchangeMessage(
  tx: Tx,
  pass: PassAtGoogle,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<boolean> {
  const { rowCount } = await sql`
    update ${tableOf(pass)} as c set message_rollout_id = ${to}
    where ${isOf(pass)} and message_rollout_id is not distinct from ${from}::uuid
  `.execute(tx);
  return rowCount === 1;
}

/** Notes that all cards of the pass have announced something. */
export async function noteClassNotified(tx: Tx, pass: PassAtGoogle, now: Date): Promise<void> {
  await sql`
    update ${tableOf(pass)} as c set notified_at = array(
      select at from unnest(c.notified_at) as at where at > ${now}::timestamptz - interval '24 hours' order by at
    ) || ${now}::timestamptz
    where ${isOf(pass)}
  `.execute(tx);
}

/** When all cards of a pass have announced something lately: a list for each issuer that has had a class of it. */
export function listClassNotifications(
  db: Db,
  { workspaceId, passId }: PassKey,
): Promise<Pick<ClassRow, 'notifiedAt'>[]> {
  const ofPass = sql`c.workspace_id = ${workspaceId} and c.pass_id = ${passId}`;
  return sql<Pick<ClassRow, 'notifiedAt'>>`
    select c.notified_at from google_classes c where ${ofPass}
    union all
    select c.notified_at from google_own_classes c where ${ofPass}
  `.rows(db);
}

/** It is unknown what Google has of any pass: the design is sent again, a message is not. */
export async function doubtAllClasses(tx: Tx): Promise<void> {
  for (const table of [sql`google_classes`, sql`google_own_classes`])
    await sql`
      update ${table} as c
      set content = case when c.content is not null then '\\x'::bytea end,
        message_rollout_id = (
          select p.message_id from passes p where p.workspace_id = c.workspace_id and p.pass_id = c.pass_id
        )
    `.execute(tx);
}
