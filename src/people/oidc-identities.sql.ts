import type { Db, Tx } from '../kit/db/database.ts';
import { prepared } from '../kit/db/sql.ts';

/** Whom a provider means. */
interface IdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly personId: string;
  readonly createdAt: Date;
}

/** The person whom the provider has meant before. */
export async function findIdentified(db: Db, issuer: string, subject: string): Promise<string | undefined> {
  const { rows } = await prepared<{ personId: string }>`
    select person_id from oidc_identities where subject = ${subject} and issuer = ${issuer}
  `.execute(db);
  return rows[0]?.personId;
}

/** Remembers the provider's name of a person; false where the name belongs to another person, or the person has another name. */
export async function insertIdentity(tx: Tx, row: IdentityRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('oidcIdentities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
