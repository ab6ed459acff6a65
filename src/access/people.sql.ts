import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { Role } from './sessions.sql.ts';

/** Somebody who signs in. */
export interface PersonRow {
  readonly personId: string;
  /** The only workspace that it may belong to; null: the address is proved, and it may belong to several. */
  readonly homeId: string | null;
  readonly email: string | null;
}

/** A person in a workspace. */
export interface MemberRow {
  readonly personId: string;
  readonly workspaceId: string;
  readonly email: string | null;
  readonly name: string;
  readonly role: Role;
  readonly partnerId: string | null;
  /** What is stored of the PIN for shared tills. */
  readonly pin: string | null;
  readonly createdAt: Date;
}

/** What signs a person in, once. */
export interface SignInLink {
  readonly secretHash: Buffer;
  readonly personId: string;
  /** The address that it is mailed to. */
  readonly proves: string | null;
  readonly expiresAt: Date;
}

export async function findPerson(db: Db, personId: string): Promise<PersonRow | undefined> {
  return await db
    .selectFrom('people')
    .select(['personId', 'homeId', 'email'])
    .where('personId', '=', personId)
    .executeTakeFirst();
}

/** Whom an address signs in: who has proved it, or else the person whom a workspace has made last. */
export async function findPersonByEmail(db: Db, email: string): Promise<PersonRow | undefined> {
  const { rows } = await prepared<PersonRow>`
    (select person_id, home_id, email from people where email = ${email} and home_id is null)
    union all
    (select person_id, home_id, email from people where email = ${email} and home_id is not null
      order by person_id desc limit 1)
  `.execute(db);
  return rows[0];
}

/** The same person with what is stored of their password, by one statement whether there is anybody or not. */
export async function findPasswordOf(
  db: Db,
  email: string,
): Promise<{ readonly personId: string; readonly password: string | null } | undefined> {
  const { rows } = await prepared<{ personId: string; password: string | null }>`
    (select person_id, password from people where email = ${email} and home_id is null)
    union all
    (select person_id, password from people where email = ${email} and home_id is not null
      order by person_id desc limit 1)
  `.execute(db);
  return rows[0];
}

/** Where a person belongs. */
export async function listWorkspacesOf(db: Db, personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('workspaceId')
    .where('personId', '=', personId)
    .execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

export async function setPasswordHash(tx: Tx, personId: string, password: string): Promise<void> {
  await tx.updateTable('people').set({ password }).where('personId', '=', personId).execute();
}

/** Whom a workspace means by an address: who has proved it, or else the person whom it has made itself. */
export async function findPersonFor(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<PersonRow | undefined> {
  const { rows } = await prepared<PersonRow>`
    (select person_id, home_id, email from people where email = ${email} and home_id is null)
    union all
    (select person_id, home_id, email from people where email = ${email} and home_id = ${workspaceId})
  `.execute(db);
  return rows[0];
}

export async function insertPerson(tx: Tx, row: PersonRow & { readonly createdAt: Date }): Promise<void> {
  await tx.insertInto('people').values(row).execute();
}

/**
 * Makes people of the members of a workspace that was moved here. Raises the database's own error where one has the id of
 * somebody who is here already: nobody becomes a member, or gets another address, by a file.
 */
export async function addArrivedPeople(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    insert into people (person_id, home_id, email, created_at)
    select person_id, workspace_id, email, created_at from memberships where workspace_id = ${workspaceId}
    on conflict (email, home_id) where home_id is not null do nothing
  `.execute(tx);
}

/** The address of the person is proved from now on, and their password is none any more; false where somebody else has proved it. */
export async function proveAddress(tx: Tx, personId: string): Promise<boolean> {
  const { rows } = await sql`
    update people p set home_id = null, password = null
    where person_id = ${personId} and home_id is not null
      and (select o.person_id from people o where o.email = p.email and o.home_id is null limit 1) is null
    returning 1
  `.execute(tx);
  return rows.length > 0;
}

export async function setAddress(
  tx: Tx,
  workspaceId: string,
  personId: string,
  email: string,
): Promise<void> {
  await tx.updateTable('people').set({ email }).where('personId', '=', personId).execute();
  await changeMember(tx, workspaceId, personId, { email });
}

/** Removes a person who belongs to no workspace any more, with their sessions and links. */
export async function deleteIfAlone(tx: Tx, personId: string): Promise<void> {
  await sql`
    delete from people where person_id = ${personId}
      and not exists (select from memberships where person_id = ${personId})
  `.execute(tx);
}

/** A person of the workspace. */
export async function findMember(
  db: Db,
  workspaceId: string,
  personId: string,
): Promise<MemberRow | undefined> {
  return (await db
    .selectFrom('memberships')
    .selectAll()
    .where('personId', '=', personId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()) as MemberRow | undefined;
}

/** Newest first. */
export async function listMembers(
  db: Db,
  workspaceId: string,
  after: string | null,
  take: number,
): Promise<MemberRow[]> {
  let query = db.selectFrom('memberships').selectAll().where('workspaceId', '=', workspaceId);
  if (after !== null) query = query.where('personId', '<', after);
  return (await query.orderBy('personId', 'desc').limit(take).execute()) as MemberRow[];
}

/** Who can sign in at a shared till, by name; so many as fit on a page. */
export async function listMembersWithPin(
  db: Db,
  workspaceId: string,
): Promise<Pick<MemberRow, 'personId' | 'name'>[]> {
  return await db
    .selectFrom('memberships')
    .select(['personId', 'name'])
    .where('workspaceId', '=', workspaceId)
    .where('pin', 'is not', null)
    .orderBy('personId')
    .limit(500)
    .execute();
}

/** The owners of the workspace, the eldest first; call with the workspace held. */
export async function findOwners(db: Db, workspaceId: string): Promise<MemberRow[]> {
  return (await db
    .selectFrom('memberships')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('role', '=', 'owner')
    .orderBy('personId')
    .execute()) as MemberRow[];
}

export async function insertMember(tx: Tx, row: MemberRow): Promise<void> {
  await tx.insertInto('memberships').values(row).execute();
}

export async function changeMember(
  tx: Tx,
  workspaceId: string,
  personId: string,
  change: Partial<Pick<MemberRow, 'email' | 'name' | 'role' | 'partnerId' | 'pin'>>,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set(change)
    .where('personId', '=', personId)
    .where('workspaceId', '=', workspaceId)
    .execute();
}

export async function deleteMember(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('personId', '=', personId)
    .where('workspaceId', '=', workspaceId)
    .execute();
}

/** Adds a link, in the place of those of the person that are over. */
export async function insertLink(tx: Tx, row: SignInLink, now: Date): Promise<void> {
  await sql`
    delete from sign_in_links where person_id = ${row.personId} and expires_at <= ${now}
  `.execute(tx);
  await tx.insertInto('signInLinks').values(row).execute();
}

/** Takes a link away and answers what it was; of several who use it at once, one gets it. */
export async function takeLink(tx: Tx, secretHash: Buffer, now: Date): Promise<SignInLink | undefined> {
  const { rows } = await sql<SignInLink>`
    delete from sign_in_links where secret_hash = ${secretHash} and expires_at > ${now} returning *
  `.execute(tx);
  return rows[0];
}

/** Takes away all links of a person. */
export async function deleteLinksOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('signInLinks').where('personId', '=', personId).execute();
}
