import type { Page } from '../engine/page.ts';
import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { StoreKey, StoreRow } from './store-row.ts';

/** Newest first. */
export async function listPrivacyRequests(
  db: Db,
  { workspaceId, storeId }: StoreKey,
  { after, take }: Page,
): Promise<PrivacyRequestRow[]> {
  let query = db
    .selectFrom('privacyRequests')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('storeId', '=', storeId);
  if (after !== null) query = query.where('requestId', '<', after);
  const rows = await query.orderBy('requestId', 'desc').limit(take).execute();
  return rows as unknown as PrivacyRequestRow[];
}

export async function insertPrivacyRequest(tx: Tx, row: PrivacyRequestRow): Promise<void> {
  await tx
    .insertInto('privacyRequests')
    .values({ ...row, subject: JSON.stringify(row.subject), instanceIds: [...row.instanceIds] })
    .execute();
}

/** Privacy requests that are due. A failed step moves its request behind the others. */
export const duePrivacyRequests: Queue<PrivacyRequestRow> = {
  job: 'obeyPrivacyRequests',
  table: 'privacyRequests',
  part: 'workspaceId',
  key: { requestId: 'uuid' },
  due: 'dueAt',
  columns: sql`*`,
};

export async function savePrivacyStep(
  tx: Tx,
  { workspaceId, requestId }: PrivacyRequestRow,
  step: Partial<Pick<PrivacyRequestRow, 'cursor' | 'dueAt' | 'doneAt' | 'instanceIds'>>,
): Promise<void> {
  const { instanceIds, ...columns } = step;
  await tx
    .updateTable('privacyRequests')
    .set({ ...columns, ...(instanceIds !== undefined && { instanceIds: [...instanceIds] }) })
    .where('workspaceId', '=', workspaceId)
    .where('requestId', '=', requestId)
    .execute();
}

/**
 * Returns the next cards of a workspace, in the order of their ids, whose identifier begins with the store's domain, and
 * which were issued `before` a moment, if one is given. `last` is the id to continue after.
 */
export async function listCardsOfPrefix(
  db: Db,
  { workspaceId, domain }: Pick<StoreRow, 'workspaceId' | 'domain'>,
  { after, before }: { after: string | null; before: Date | null },
  most: { looked: number; found: number },
): Promise<{ instanceIds: string[]; last: string | null }> {
  const { rows } = await sql<{ last: string | null; found: string[] | null }>`
    with next as materialized (
      select h.instance_id, coalesce(starts_with(h.identifier, ${`${domain}/`}), false)
        and (${before}::timestamptz is null or i.created_at < ${before}) as is_found
      from passes p
      cross join lateral (
        select instance_id, created_at from instances
        where pass_id = p.pass_id and workspace_id = ${workspaceId} and instance_id > ${after ?? firstId}::uuid
        order by instance_id
        limit ${most.looked}
      ) as i
      cross join lateral (
        select * from holders where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
      ) as h
      where p.workspace_id = ${workspaceId}
      order by h.instance_id
      limit ${most.looked}
    ), counted as (
      select *, count(*) filter (where is_found) over (order by instance_id) as so_many from next
    ), taken as (
      select * from counted where so_many <= ${most.found}
    )
    select
      (select instance_id from taken order by instance_id desc limit 1) as last,
      (select array_agg(instance_id) from taken where is_found) as found
  `.execute(db);
  return { instanceIds: rows[0]?.found ?? [], last: rows[0]?.last ?? null };
}

/** A webhook whose body is still there. */
export interface KeptWebhook {
  readonly webhookId: string;
  readonly topic: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** The next webhooks of a store that are kept with their bodies, in the order of their ids. */
export function listKeptWebhooks(
  db: Db,
  { workspaceId, storeId }: StoreKey,
  after: string | null,
  take: { count: number; bytes: number },
): Promise<KeptWebhook[]> {
  return sql<KeptWebhook>`
    with next as materialized (
      select webhook_id, sum(octet_length(body)) over (order by webhook_id) - octet_length(body) as before
      from store_webhooks
      where workspace_id = ${workspaceId} and store_id = ${storeId} and body is not null
        and (${after}::uuid is null or webhook_id > ${after}::uuid)
      order by webhook_id
      limit ${take.count}
    )
    select w.webhook_id, w.topic, w.body, w.received_at
    from next
    cross join lateral (
      select * from store_webhooks
      where store_id = ${storeId} and webhook_id = next.webhook_id and workspace_id = ${workspaceId}
      limit 1
    ) as w
    where next.before < ${take.bytes}
    order by w.webhook_id
  `.rows(db);
}

/** Deletes the bodies of webhooks, which are then no longer processed. */
export async function dropWebhooks(
  tx: Tx,
  { workspaceId, storeId }: StoreKey,
  webhookIds: readonly string[],
): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx
    .updateTable('storeWebhooks')
    .set({ body: null, dueAt: null, refused: 'redacted', reason: null })
    .where('workspaceId', '=', workspaceId)
    .where('storeId', '=', storeId)
    .where('webhookId', 'in', webhookIds)
    .execute();
}

/** A customer whose erasure was requested, and when. */
export interface ErasedCustomer {
  readonly customerId: string | null;
  readonly emailHash: string | null;
  readonly at: Date;
}

/** Returns the customers of a store whose erasure was requested: by their numbers, guests by their addresses. */
export function findErased(
  db: Db,
  { workspaceId, storeId }: StoreKey,
  { customerIds, emailHashes }: { customerIds: readonly string[]; emailHashes: readonly string[] },
): Promise<ErasedCustomer[]> {
  return sql<ErasedCustomer>`
    select subject ->> 'customerId' as customer_id, subject ->> 'emailHash' as email_hash, received_at as at
    from privacy_requests
    where workspace_id = ${workspaceId} and store_id = ${storeId} and topic = 'customer_redact'
      and (subject ->> 'customerId' = any(${customerIds}::text[])
        or subject ->> 'customerId' is null and subject ->> 'emailHash' = any(${emailHashes}::text[]))
  `.rows(db);
}

/** The privacy requests of platforms. */
type PrivacyTopic = 'data_request' | 'customer_redact' | 'shop_redact';

/** A privacy request, and its progress. */
export interface PrivacyRequestRow {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly storeId: string;
  readonly topic: PrivacyTopic;
  readonly subject: PrivacySubject;
  /** The step that is next, where it takes several; null: the first. */
  readonly cursor: string | null;
  /** Cards that it has found. */
  readonly instanceIds: readonly string[];
  readonly receivedAt: Date;
  readonly dueAt: Date | null;
  readonly doneAt: Date | null;
}

/** The subject of a privacy request, without personal data. */
interface PrivacySubject {
  /** The store's number of the customer. */
  readonly customerId: string | null;
  /** Keyed hash of the e-mail address, as hex. */
  readonly emailHash: string | null;
  /** The store's numbers of the orders. */
  readonly orderIds: readonly string[];
}
