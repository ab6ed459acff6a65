import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** What an account has to sign in with. */
export interface WaysRow {
  readonly email: string | null;
  /** A mail to the address was answered. */
  readonly isProved: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly isKnownToProvider: boolean;
}

export function findWaysIn(db: Db, personId: string): Promise<WaysRow | undefined> {
  return prepared<WaysRow>`
    select email, email is not null and home_id is null as is_proved, password is not null as has_password,
      exists (select from passkeys k where k.person_id = p.person_id) as has_passkey,
      exists (select from oidc_identities o where o.person_id = p.person_id) as is_known_to_provider
    from people p where person_id = ${personId}
  `.first(db);
}

/** Holds an account until the end of the transaction, so that of several who add a first way in one is the first. */
export async function lockAccount(tx: Tx, personId: string): Promise<void> {
  await sql`select 1 from people where person_id = ${personId} for update`.execute(tx);
}

/** Gives an account another address, in all workspaces that it has joined. */
export async function replaceAddress(tx: Tx, personId: string, email: string): Promise<void> {
  await tx.updateTable('people').set({ email }).where('personId', '=', personId).execute();
  await sql`
    update memberships set email = ${email} where coalesce(account_id, person_id) = ${personId}
  `.execute(tx);
}

/** Marks the address of an account as proved, whose password and passkeys stay. */
export async function keepProved(tx: Tx, personId: string): Promise<void> {
  await sql`update people set home_id = null where person_id = ${personId}`.execute(tx);
}

/** The accounts with an address that other people have in workspaces of these. */
export function findNamesakes(db: Db, personId: string, email: string) {
  return sql<{ personId: string }>`
    select o.person_id from memberships m join memberships o on o.workspace_id = m.workspace_id
    where coalesce(m.account_id, m.person_id) = ${personId}
      and o.email = ${email} and coalesce(o.account_id, o.person_id) <> ${personId}
    limit 1
  `.rows(db);
}

/** The account of the person with that id in a workspace, in each workspace that it belongs to. */
export function findAccount(db: Db, personId: string) {
  return sql<{ accountId: string; workspaceId: string; personId: string }>`
    select coalesce(m.account_id, m.person_id) as account_id, m.workspace_id, m.person_id
    from memberships one
    join memberships m on coalesce(m.account_id, m.person_id) = coalesce(one.account_id, one.person_id)
    where one.person_id = ${personId}
    order by m.workspace_id
  `.rows(db);
}
