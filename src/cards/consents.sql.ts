import type { CardKey } from '../engine/card-key.ts';
import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';

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
export function listConsentRows(
  db: Db,
  { workspaceId, instanceId }: CardKey,
  { after, take }: Page,
): Promise<ConsentRow[]> {
  return sql<ConsentRow>`
    select consent_id, key, text, agreed, created_at from consents
    where instance_id = ${instanceId} and workspace_id = ${workspaceId}
      and (${after}::uuid is null or consent_id < ${after}::uuid)
    order by consent_id desc limit ${take}
  `.rows(db);
}

/** When a card was awarded last, and the newest answer to each consent. */
export interface CardDetails {
  readonly lastEarnedAt: Date | null;
  readonly consents: readonly (Omit<ConsentRow, 'consentId' | 'createdAt'> & {
    readonly createdAt: string;
  })[];
}

/** Of cards of a workspace, in their order. */
export function listCardDetails(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<CardDetails[]> {
  return sql<CardDetails>`
    select a.last_earned_at, coalesce(c.consents, '[]') as consents
    from unnest(${sql.list(instanceIds, 'uuid')}) with ordinality as asked(instance_id, place)
    left join lateral (
      select last_earned_at from loyalty_accounts
      where instance_id = asked.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as a on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('key', key, 'text', text, 'agreed', agreed, 'createdAt', created_at) order by key)
        as consents
      from (
        select distinct on (key) key, text, agreed, created_at from (
          select consent_id, key, text, agreed, created_at from consents
          where instance_id = asked.instance_id and workspace_id = ${workspaceId}
          order by consent_id desc limit 100
        ) as newest
        order by key, consent_id desc
      ) as answers
    ) as c on true
    order by asked.place
  `.rows(db);
}

/** Forgets what the holder of a card has agreed to. */
export async function deleteConsents(tx: Tx, { workspaceId, instanceId }: CardKey): Promise<void> {
  await sql`
    delete from consents where instance_id = ${instanceId} and workspace_id = ${workspaceId}
  `.execute(tx);
}
