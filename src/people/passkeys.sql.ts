import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** What a person signs in with in the place of a link or a password. */
export interface PasskeyRow {
  readonly passkeyId: string;
  readonly personId: string;
  readonly credentialId: Buffer;
  /** COSE_Key. */
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Adds it; false where a person has this credential already. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The passkey that a browser names. */
export async function findPasskeyByCredential(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const { rows } = await prepared<PasskeyRow>`
    select * from passkeys where credential_id = ${credentialId}
  `.execute(db);
  const [row] = rows;
  // A bigint comes as text.
  return row && { ...row, signCount: Number(row.signCount) };
}

/** Notes that it has signed; false where it says that it has signed no more often than before, or was removed. */
export async function usePasskey(tx: Tx, passkeyId: string, signCount: number, at: Date): Promise<boolean> {
  const { rows } = await prepared`
    update passkeys set sign_count = ${signCount}, last_used_at = ${at}
    where passkey_id = ${passkeyId} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))
    returning 1
  `.execute(tx);
  return rows.length > 0;
}

/** Those of a person, newest first; so many that they fit on a page. */
export async function listPasskeysOf(
  db: Db,
  personId: string,
  { after, take }: Page = { after: null, take: 100 },
): Promise<Omit<PasskeyRow, 'publicKey' | 'signCount'>[]> {
  let query = db
    .selectFrom('passkeys')
    .select(['passkeyId', 'personId', 'credentialId', 'name', 'createdAt', 'lastUsedAt'])
    .where('personId', '=', personId);
  if (after !== null) query = query.where('passkeyId', '<', after);
  return await query.orderBy('passkeyId', 'desc').limit(take).execute();
}

/** Calls a passkey of the person something else; nothing where they have none of this id. */
export async function renamePasskey(
  tx: Tx,
  personId: string,
  passkeyId: string,
  name: string,
): Promise<Omit<PasskeyRow, 'publicKey' | 'signCount'> | undefined> {
  return await tx
    .updateTable('passkeys')
    .set({ name })
    .where('passkeyId', '=', passkeyId)
    .where('personId', '=', personId)
    .returning(['passkeyId', 'personId', 'credentialId', 'name', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst();
}

/** Removes a passkey of the person, and answers what it was called. */
export async function deletePasskeyRow(
  tx: Tx,
  personId: string,
  passkeyId: string,
): Promise<string | undefined> {
  const { rows } = await sql<Pick<PasskeyRow, 'name'>>`
    delete from passkeys where passkey_id = ${passkeyId} and person_id = ${personId} returning name
  `.execute(tx);
  return rows[0]?.name;
}

/** Removes all passkeys of a person. */
export async function deletePasskeysOf(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('personId', '=', personId).execute();
}

/** Takes a challenge as answered; false where it was before. Those that are over are forgotten on the way. */
export async function useChallenge(
  tx: Tx,
  challengeHash: Buffer,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  await sql`
    delete from used_challenges where challenge_hash = any(array(
      select challenge_hash from used_challenges where expires_at <= ${now} order by expires_at limit 100
      for update skip locked
    ))
  `.execute(tx);
  const { rows } = await sql`
    insert into used_challenges (challenge_hash, expires_at) values (${challengeHash}, ${expiresAt})
    on conflict do nothing returning 1
  `.execute(tx);
  return rows.length > 0;
}
