import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { Role } from '../people/roles.ts';

/** What people may do in a workspace; permits.ts says what that is. */

/** A browser in which a person is signed in. */
export interface SessionRow {
  readonly sessionId: string;
  readonly secretHash: Buffer;
  /** The account. */
  readonly personId: string;
  /** The shared till at which the person signed in; null: a browser of their own. */
  readonly deviceId: string | null;
  readonly userAgent: string | null;
  readonly signedInAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** What a person may do in a workspace, as admission needs to know it. */
export interface AdmittedMembership {
  /** What the workspace knows the person by. */
  readonly personId: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** That of its cards, `#rrggbb`. */
  readonly color: string | null;
  readonly name: string;
  readonly role: Role;
  readonly partnerId: string | null;
  readonly isSuspended: boolean;
}

/** A session with its person and all that they may do, in one look-up. */
export interface AdmittedSession extends SessionRow {
  readonly email: string | null;
  /** The newest first. */
  readonly memberships: readonly AdmittedMembership[];
}

/**
 * The sessions that secrets open, ended ones too, in the order of the secrets. At a shared till a person reaches its
 * workspace alone, as staff and for its partner.
 */
export async function findSessionsBySecret(
  db: Db,
  _lane: string,
  secretHashes: readonly Buffer[],
): Promise<(AdmittedSession | undefined)[]> {
  const { rows } = await prepared<AdmittedSession>`
    select s.*, p.email, coalesce((
      select jsonb_agg(jsonb_build_object('personId', m.person_id, 'workspaceId', m.workspace_id, 'workspaceName', w.name, 'name', m.name,
        'color', w.defaults -> 'colors' ->> 'background',
        'role', case when s.device_id is null or m.role = 'viewer' then m.role else 'staff' end,
        'partnerId', coalesce(d.partner_id, m.partner_id), 'isSuspended', w.suspended_at is not null)
        order by m.created_at desc, m.workspace_id)
      from memberships m
      join workspaces w on w.workspace_id = m.workspace_id
      where coalesce(m.account_id, m.person_id) = s.person_id
        and case when s.device_id is null then not m.pending else m.workspace_id = d.workspace_id end
    ), '[]') as memberships
    from sessions s
    left join devices d on d.device_id = s.device_id
    join people p on p.person_id = s.person_id
    where s.secret_hash = any(${secretHashes}::bytea[])
  `.execute(db);
  const bySecret = new Map(rows.map((row) => [row.secretHash.toString('latin1'), row]));
  return secretHashes.map((secretHash) => bySecret.get(secretHash.toString('latin1')));
}

/** Notes the use of a session, unless one was noted in the last `everyMs`. */
export async function touchSession(tx: Tx, sessionId: string, at: Date, everyMs: number): Promise<void> {
  await sql`
    update sessions set last_used_at = ${at}
    where session_id = ${sessionId} and last_used_at < ${new Date(at.getTime() - everyMs)}
  `.execute(tx);
}

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(row).execute();
}

/** The sessions of a person that have not ended, newest first. */
export async function listSessionRows(
  db: Db,
  personId: string,
  now: Date,
  { after, take }: Page,
): Promise<SessionRow[]> {
  let query = db
    .selectFrom('sessions')
    .selectAll()
    .where('personId', '=', personId)
    .where('expiresAt', '>', now);
  if (after !== null) query = query.where('sessionId', '<', after);
  return await query.orderBy('sessionId', 'desc').limit(take).execute();
}

/** Ends a session of the person; false where they have none of this id. */
export async function deleteSession(tx: Tx, personId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('sessionId', '=', sessionId)
    .where('personId', '=', personId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends the session that a secret opens. */
export async function deleteSessionBySecret(tx: Tx, secretHash: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('secretHash', '=', secretHash).execute();
}

/** Ends the sessions of a person but one. */
export async function deleteOtherSessions(tx: Tx, personId: string, sessionId: string): Promise<void> {
  await sql`
    delete from sessions where person_id = ${personId} and session_id <> ${sessionId}
  `.execute(tx);
}

/** Ends all sessions of a person. */
export async function deleteSessionsOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('personId', '=', personId).execute();
}

/**
 * Removes the sessions of a person that were over at `now`, and all but the newest `most` of the others at the same till,
 * or in browsers of their own: a session at a till ends none elsewhere.
 */
export async function trimSessions(
  tx: Tx,
  { personId, deviceId }: Pick<SessionRow, 'personId' | 'deviceId'>,
  now: Date,
  most: number,
): Promise<void> {
  await sql`
    delete from sessions where person_id = ${personId} and (
      expires_at <= ${now} or device_id is not distinct from ${deviceId}::uuid and session_id not in (
        select session_id from sessions where person_id = ${personId} and device_id is not distinct from ${deviceId}::uuid
        order by session_id desc limit ${most}
      )
    )
  `.execute(tx);
}
