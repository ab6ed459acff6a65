import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';
import type { StoreRow } from './store-row.ts';

type Store = Pick<StoreRow, 'workspaceId' | 'storeId'>;

/** What a store has sent, or what we keep in its place to come back to. */
export interface NewWebhook {
  readonly storeId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly topic: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
  /** The code that it was refused with already; absent where nobody has tried. */
  readonly refused?: string;
}

/** A webhook that is to be worked off, with its store. */
export interface DueWebhook extends NewWebhook {
  readonly workspaceId: string;
  readonly attempts: number;
}

/** Keeps webhooks of a workspace; each delivery once. Set-based, for the group commit. */
export async function keepWebhooks(
  tx: Tx,
  workspaceId: string,
  webhooks: readonly NewWebhook[],
): Promise<boolean[]> {
  // In one order, so that two runs with the same deliveries do not block each other.
  const sorted = [...webhooks].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const kept = await tx
    .insertInto('storeWebhooks')
    .values(sorted.map((webhook) => ({ ...webhook, workspaceId, dueAt: webhook.receivedAt })))
    .onConflict((conflict) => conflict.columns(['workspaceId', 'storeId', 'deliveryId']).doNothing())
    .returning('webhookId')
    .execute();
  const ids = new Set(kept.map(({ webhookId }) => webhookId));
  return webhooks.map(({ webhookId }) => ids.has(webhookId));
}

function nameOf({ storeId, deliveryId }: NewWebhook): string {
  return `${storeId}/${deliveryId}`;
}

/**
 * Takes webhooks that are due, up to a number of them and of bytes: of each store the longest due first, and of all stores
 * alike, so that a crowd of one store's does not hold up a single one of another's. Each comes back after `leaseMs`,
 * should the caller never record what became of it: twice as long after each time that it was taken, so that one which
 * kills its worker does so less and less often.
 */
export async function claimDueWebhooks(
  tx: Tx,
  claim: { now: Date; leaseMs: number; most: number; mostBytes: number },
): Promise<DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    with recursive busy as (
      (
        select workspace_id, store_id from store_webhooks where due_at is not null
        order by workspace_id, store_id limit 1
      )
      union all
      select n.workspace_id, n.store_id
      from busy b
      cross join lateral (
        select w.workspace_id, w.store_id from store_webhooks w
        where w.due_at is not null and (w.workspace_id, w.store_id) > (b.workspace_id, b.store_id)
        order by w.workspace_id, w.store_id limit 1
      ) as n
    ), ready as materialized (
      -- Of many a store all webhooks wait: it has no share in the turn.
      select b.* from busy b
      where exists (
        select from store_webhooks w
        where w.workspace_id = b.workspace_id and w.store_id = b.store_id and w.due_at <= ${claim.now}
      )
    ), candidates as materialized (
      select c.*, row_number() over (partition by c.store_id order by c.due_at, c.webhook_id) as place
      from ready r
      cross join lateral (
        select w.workspace_id, w.store_id, w.webhook_id, w.due_at from store_webhooks w
        where w.workspace_id = r.workspace_id and w.store_id = r.store_id and w.due_at <= ${claim.now}
        order by w.due_at
        -- Twice as many as are taken: another worker may have the first ones.
        limit (select greatest(4, ${claim.most * 2} / count(*)) from ready)
      ) as c
    ), due as materialized (
      select w.workspace_id, w.store_id, w.webhook_id, c.place, w.due_at, octet_length(w.body) as bytes
      from candidates c
      join store_webhooks w using (workspace_id, store_id, webhook_id)
      where w.due_at <= ${claim.now}
      order by c.place, c.due_at
      limit ${claim.most}
      for no key update of w skip locked
    ), sized as (
      select *, sum(bytes) over (order by place, due_at, webhook_id) - bytes as before from due
    ), taken as (
      update store_webhooks w
      set attempts = least(w.attempts + 1, 30000),
        due_at = ${claim.now}::timestamptz
          + ${`${claim.leaseMs} milliseconds`}::interval * power(2, least(w.attempts, 10))
      from sized s
      where w.workspace_id = s.workspace_id and w.store_id = s.store_id and w.webhook_id = s.webhook_id
        and s.before < ${claim.mostBytes}
      returning w.*
    )
    select workspace_id, store_id, webhook_id, delivery_id, topic, body, received_at, attempts
    from taken
    order by received_at, webhook_id
  `.execute(tx);
  return rows;
}

/** What became of a webhook that was taken. */
export interface WorkedOff {
  readonly webhook: Pick<DueWebhook, 'workspaceId' | 'storeId' | 'webhookId'>;
  /** The code that it was refused with; null when it is done. */
  readonly refused: string | null;
  /** When it is tried again; null: never. */
  readonly dueAt: Date | null;
}

/** Records it. The body of what is done is gone; that of what was given up stays for whoever looks into it. */
export async function recordWorkedOff(tx: Tx, results: readonly WorkedOff[]): Promise<void> {
  const sorted = [...results].sort((a, b) => (a.webhook.webhookId < b.webhook.webhookId ? -1 : 1));
  await sql`
    with results as materialized (
      select r.*
      from unnest(
        ${sorted.map(({ webhook }) => webhook.workspaceId)}::uuid[],
        ${sorted.map(({ webhook }) => webhook.storeId)}::uuid[],
        ${sorted.map(({ webhook }) => webhook.webhookId)}::uuid[],
        ${sorted.map(({ refused }) => refused)}::text[],
        ${sorted.map(({ dueAt }) => dueAt)}::timestamptz[]
      ) as r(workspace_id, store_id, webhook_id, refused, due_at)
      join store_webhooks w using (workspace_id, store_id, webhook_id)
      -- Dropped meanwhile, for the sake of somebody's privacy.
      where w.body is not null
      order by webhook_id
      for no key update of w
    )
    update store_webhooks w
    set refused = results.refused, due_at = results.due_at,
      body = case when results.refused is null then null else w.body end
    from results
    where w.workspace_id = results.workspace_id and w.store_id = results.store_id
      and w.webhook_id = results.webhook_id
  `.execute(tx);
}

/** Makes what a store's webhooks waited for worth another try at once. */
export async function retryWaiting(tx: Tx, { workspaceId, storeId }: Store, now: Date): Promise<void> {
  await tx
    .updateTable('storeWebhooks')
    .set({ dueAt: now })
    .where('workspaceId', '=', workspaceId)
    .where('storeId', '=', storeId)
    .where('dueAt', '>', now)
    .where('refused', 'is not', null)
    .execute();
}

/** Deletes webhooks that came before a moment; how many. */
export async function deleteOldWebhooks(tx: Tx, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from store_webhooks
      -- By their places, which stay while they are locked: a join would read the whole table.
      where ctid = any(array(
        select ctid from store_webhooks
        where received_at < ${before}
        order by received_at
        limit ${limit}
        for update skip locked
      ))
      returning 1
    )
    select count(*)::int as count from gone
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

/** How many webhooks there are in each state that is of interest. */
export async function countWebhooks(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ due: number; waiting: number; givenUp: number }>`
    select due, waiting, given_up
    from (
      select count(*) filter (where refused is null)::int as due,
        count(*) filter (where refused is not null)::int as waiting
      from store_webhooks where due_at is not null
    ) as open
    cross join (
      select count(*)::int as given_up from store_webhooks where due_at is null and body is not null
    ) as closed
  `.execute(db);
  const { due = 0, waiting = 0, givenUp = 0 } = rows[0] ?? {};
  return { due, waiting, given_up: givenUp };
}
