import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { Role } from './roles.ts';

/** A person who signs in. */
export interface PersonRow {
  readonly personId: string;
  /** The only workspace that it may belong to; null: the address is proved, and it may join several. */
  readonly homeId: string | null;
  readonly email: string | null;
}

/** A person in a workspace. */
export interface MemberRow {
  /** What the workspace knows the person by. */
  readonly personId: string;
  /** The account that has joined; null: the one whose id is `personId`. */
  readonly accountId: string | null;
  readonly workspaceId: string;
  readonly email: string | null;
  readonly name: string;
  readonly role: Role;
  readonly partnerId: string | null;
  /** What is stored of the PIN for shared tills. */
  readonly pin: string | null;
  /** Invited, and not joined yet. */
  readonly pending: boolean;
  readonly createdAt: Date;
}

/** Who the member is when they sign in. */
export function accountOf({ accountId, personId }: Pick<MemberRow, 'accountId' | 'personId'>): string {
  return accountId ?? personId;
}

/** What signs a person in, once. */
export interface SignInLink {
  readonly secretHash: Buffer;
  readonly personId: string;
  /** The address that it is mailed to. */
  readonly proves: string | null;
  /** The owner of the address has asked for it; otherwise a workspace has sent it as an invitation. */
  readonly asked: boolean;
  readonly expiresAt: Date;
}

export function findPerson(db: Db, personId: string): Promise<PersonRow | undefined> {
  return sql<PersonRow>`
    select person_id, home_id, email from people where person_id = ${personId}
  `.first(db);
}

/** Whom an address signs in. */
export interface Addressed {
  readonly personId: string;
  readonly password: string | null;
  /** The workspace that has made the person, where the address is not proved. */
  readonly workspace: string | null;
}

/**
 * Whom an address signs in: the one who has proved it, or else whom workspaces have made, those who have joined first
 * and the eldest of these; five at most.
 */
export async function listByAddress(db: Db, email: string): Promise<Addressed[]> {
  const { rows } = await prepared<Addressed>`
    (select person_id, password, null as workspace from people where email = ${email} and home_id is null)
    union all
    (select p.person_id, p.password, w.name as workspace
      from people p
      join workspaces w on w.workspace_id = p.home_id
      join memberships m on coalesce(m.account_id, m.person_id) = p.person_id and m.workspace_id = p.home_id
      where p.email = ${email}
      order by m.pending, p.person_id limit 5)
  `.execute(db);
  const proved = rows.filter(({ workspace }) => workspace === null);
  return proved.length > 0 ? proved : rows;
}

/** Where people belong, and by which ids. */
export function listMembershipsOf(
  db: Db,
  accountIds: readonly string[],
): Promise<Pick<MemberRow, 'workspaceId' | 'personId' | 'pending'>[]> {
  return sql<Pick<MemberRow, 'workspaceId' | 'personId' | 'pending'>>`
    select workspace_id, person_id, pending from memberships
    where coalesce(account_id, person_id) = any(${accountIds}::uuid[])
  `.rows(db);
}

export async function setPasswordHash(tx: Tx, personId: string, password: string): Promise<void> {
  await tx.updateTable('people').set({ password }).where('personId', '=', personId).execute();
}

/** Whom the workspace has by an address. */
export function findMemberByEmail(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<Pick<MemberRow, 'personId'> | undefined> {
  return sql<Pick<MemberRow, 'personId'>>`
    select person_id from memberships where workspace_id = ${workspaceId} and email = ${email}
  `.first(db);
}

export async function insertPerson(tx: Tx, row: PersonRow & { readonly createdAt: Date }): Promise<void> {
  await tx.insertInto('people').values(row).execute();
}

/**
 * Makes people of the members of a workspace that was moved here. Each is a new person, even if another person has the same id or address
 * here: they have joined nothing here yet.
 */
export async function addArrivedPeople(tx: Tx, workspaceId: string): Promise<void> {
  const { rows } = await sql<Pick<MemberRow, 'personId'>>`
    select person_id from memberships where workspace_id = ${workspaceId}
  `.execute(tx);
  // A cluster takes no random values of the database in an update.
  await sql`
    update memberships m set account_id = a.account_id
    from unnest(
      ${sql.list(rows, 'uuid', ({ personId }) => personId)}, ${sql.list(rows, 'uuid', () => newUuidV7())}
    ) as a(person_id, account_id)
    where m.workspace_id = ${workspaceId} and m.person_id = a.person_id
  `.execute(tx);
  await sql`
    insert into people (person_id, home_id, email, created_at)
    select account_id, workspace_id, email, created_at from memberships where workspace_id = ${workspaceId}
    on conflict do nothing
  `.execute(tx);
}

/** Makes a new account for a member whose account is gone, under an id that no file can have chosen. */
export async function restoreAccount(tx: Tx, member: MemberRow): Promise<PersonRow> {
  const { personId, workspaceId, email, createdAt } = member;
  const person = { personId: newUuidV7(), homeId: workspaceId, email };
  await insertPerson(tx, { ...person, createdAt });
  await tx
    .updateTable('memberships')
    .set({ accountId: person.personId, pending: true })
    .where('personId', '=', personId)
    .where('workspaceId', '=', workspaceId)
    .execute();
  return person;
}

/** Marks the address of the person as proved and drops their password. False where another person has proved it. */
export async function proveAddress(tx: Tx, personId: string): Promise<boolean> {
  const { rows } = await sql`
    update people p set home_id = null, password = null
    where person_id = ${personId} and home_id is not null
      and (select o.person_id from people o where o.email = p.email and o.home_id is null limit 1) is null
    returning 1
  `.execute(tx);
  return rows.length > 0;
}

export async function setAddress(tx: Tx, member: MemberRow, email: string): Promise<void> {
  const { workspaceId, personId } = member;
  await tx.updateTable('people').set({ email }).where('personId', '=', accountOf(member)).execute();
  await changeMember(tx, workspaceId, personId, { email });
}

/** Removes a person who no longer belongs to a workspace, with their sessions and links. */
export async function deleteIfAlone(tx: Tx, personId: string): Promise<void> {
  await sql`
    delete from people where person_id = ${personId}
      and not exists (select from memberships where coalesce(account_id, person_id) = ${personId})
  `.execute(tx);
}

/** A person of the workspace. */
export function findMember(db: Db, workspaceId: string, personId: string): Promise<MemberRow | undefined> {
  return sql<MemberRow>`
    select * from memberships where person_id = ${personId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** Newest first. */
export async function listMembers(db: Db, workspaceId: string, { after, take }: Page): Promise<MemberRow[]> {
  let query = db.selectFrom('memberships').selectAll().where('workspaceId', '=', workspaceId);
  if (after !== null) query = query.where('personId', '<', after);
  return (await query.orderBy('personId', 'desc').limit(take).execute()) as MemberRow[];
}

/** Who can sign in at a shared till, by name; so many as fit on a page. */
export function listMembersWithPin(
  db: Db,
  workspaceId: string,
): Promise<Pick<MemberRow, 'personId' | 'name'>[]> {
  return sql<Pick<MemberRow, 'personId' | 'name'>>`
    select person_id, name from memberships
    where workspace_id = ${workspaceId} and pin is not null
    order by person_id limit 500
  `.rows(db);
}

/** The owners of the workspace, those who have joined first, and the eldest of these; call with the workspace held. */
export function findOwners(db: Db, workspaceId: string): Promise<MemberRow[]> {
  return sql<MemberRow>`
    select * from memberships
    where workspace_id = ${workspaceId} and role = 'owner'
    order by pending, person_id
  `.rows(db);
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
  await sql`
    delete from memberships where person_id = ${personId} and workspace_id = ${workspaceId}
  `.execute(tx);
}

/** Adds a link, in the place of those of the person that are over. */
export async function insertLink(tx: Tx, row: SignInLink, now: Date): Promise<void> {
  await sql`
    delete from sign_in_links where person_id = ${row.personId} and expires_at <= ${now}
  `.execute(tx);
  await tx.insertInto('signInLinks').values(row).execute();
}

/** Takes a link away and answers what it was; of several who use it at once, one gets it. */
export function takeLink(tx: Tx, secretHash: Buffer, now: Date): Promise<SignInLink | undefined> {
  return sql<SignInLink>`
    delete from sign_in_links where secret_hash = ${secretHash} and expires_at > ${now} returning *
  `.first(tx);
}

/** Takes away all links of a person. */
export async function deleteLinksOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('signInLinks').where('personId', '=', personId).execute();
}
