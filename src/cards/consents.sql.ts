import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { CardKey } from './instance-row.ts';

/** What a person was asked to agree to, word for word, and what they answered. */
export interface GivenConsent {
  readonly key: string;
  readonly text: string;
  readonly agreed: boolean;
}

export interface ConsentRow extends GivenConsent {
  readonly consentId: string;
  readonly createdAt: Date;
}

/** Keeps what holders of cards of one workspace have agreed to. */
export async function insertConsents(
  tx: Tx,
  workspaceId: string,
  consents: readonly (GivenConsent & { readonly instanceId: string })[],
  at: Date,
): Promise<void> {
  if (consents.length === 0) return;
  await sql`
    insert into consents (workspace_id, consent_id, instance_id, key, text, agreed, created_at)
    select ${workspaceId}, c.consent_id, c.instance_id, c.key, c.text, c.agreed, ${at}
    from unnest(
      ${consents.map(() => newUuidV7())}::uuid[], ${consents.map(({ instanceId }) => instanceId)}::uuid[],
      ${consents.map(({ key }) => key)}::text[], ${consents.map(({ text }) => text)}::text[],
      ${consents.map(({ agreed }) => agreed)}::boolean[]
    ) as c(consent_id, instance_id, key, text, agreed)
  `.execute(tx);
}

/** Newest first. */
export async function listConsentRows(
  db: Db,
  { workspaceId, instanceId }: CardKey,
  after: string | null,
  take: number,
): Promise<ConsentRow[]> {
  const { rows } = await sql<ConsentRow>`
    select consent_id, key, text, agreed, created_at from consents
    where instance_id = ${instanceId} and workspace_id = ${workspaceId}
      and (${after}::uuid is null or consent_id < ${after}::uuid)
    order by consent_id desc limit ${take}
  `.execute(db);
  return rows;
}

/** Forgets what the holder of a card has agreed to. */
export async function deleteConsents(tx: Tx, { workspaceId, instanceId }: CardKey): Promise<void> {
  await sql`
    delete from consents where instance_id = ${instanceId} and workspace_id = ${workspaceId}
  `.execute(tx);
}
