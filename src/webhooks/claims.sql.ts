import { byWorkspace } from '../engine/by-workspace.ts';
import type { Queue } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { type AttemptOutcome, inOrderOfKeys, textOf } from './due-deliveries.sql.ts';
import { insertDeliveries, insertInto, type WantedNumbers } from './new-deliveries.sql.ts';

/** Names a claim: the first event of it. */
export interface ClaimKey {
  readonly workspaceId: string;
  readonly fromSeq: number;
}

/** A claim that a worker has taken over. */
interface TakenClaim extends ClaimKey {
  readonly dueAt: Date;
}

/** Claims: due when their lease has ended. */
export const claims: Queue<TakenClaim> = {
  table: 'webhookClaims',
  part: 'workspaceId',
  key: { fromSeq: 'bigint' },
  due: 'dueAt',
  columns: sql`workspace_id, from_seq, due_at`,
};

/** The number of the last event of a claim that is sent to a webhook. */
export interface ClaimedWebhook {
  readonly webhookId: string;
  readonly toSeq: number;
}

/** Claims the first attempts of events from a number on. */
export async function insertClaim(
  tx: Tx,
  { workspaceId, fromSeq }: ClaimKey,
  webhooks: readonly ClaimedWebhook[],
  until: Date,
): Promise<void> {
  await prepared`
    insert into webhook_claims (workspace_id, from_seq, webhook_ids, to_seqs, due_at)
    values (
      ${workspaceId}, ${fromSeq}, ${webhooks.map(({ webhookId }) => webhookId)}, ${webhooks.map(({ toSeq }) => toSeq)},
      ${until}
    )
  `.execute(tx);
}

/** Ends claims of one workspace. */
export async function deleteClaims(tx: Tx, workspaceId: string, ended: readonly ClaimKey[]): Promise<void> {
  await prepared`
    delete from webhook_claims
    where workspace_id = ${workspaceId} and from_seq = any(${ended.map(({ fromSeq }) => fromSeq)}::bigint[])
  `.execute(tx);
}

/** A claimed delivery, with the outcome of its first attempt. */
export interface ClaimedAttempt extends AttemptOutcome {
  readonly createdAt: Date;
}

/** Records the outcomes of claimed deliveries of one workspace. Deliveries that have rows were taken over, and stay unchanged. */
export async function insertAttempts(
  tx: Tx,
  workspaceId: string,
  outcomes: readonly ClaimedAttempt[],
): Promise<void> {
  const sorted = [...outcomes].sort((a, b) => inOrderOfKeys(a.delivery, b.delivery));
  await prepared`
    ${insertInto}
    select webhook_id, delivery_id, ${workspaceId}::uuid, event_id, type, status, due_at, attempts <> '[]', false, tries,
      attempts, created_at
    from unnest(
      ${sql.list(sorted, 'uuid', ({ delivery }) => delivery.webhookId)},
      ${sql.list(sorted, 'uuid', ({ delivery }) => delivery.deliveryId)},
      ${sql.list(sorted, 'uuid', ({ delivery }) => delivery.eventId)},
      ${sql.list(sorted, 'text', ({ delivery }) => delivery.type)}, ${sql.list(sorted, 'text', ({ status }) => status)},
      ${sql.list(sorted, 'timestamptz', ({ dueAt }) => dueAt)}, ${sql.list(sorted, 'smallint', ({ tries }) => tries)},
      ${sql.list(sorted, 'jsonb', ({ attempt }) => textOf(attempt))},
      ${sql.list(sorted, 'timestamptz', ({ createdAt }) => createdAt)}
    ) as outcomes(webhook_id, delivery_id, event_id, type, status, due_at, tries, attempts, created_at)
    on conflict do nothing
  `.execute(tx);
}

/** Inserts the missing rows of a workspace's claims, so that they wait in the table, and ends the claims. */
export async function makeMissing(
  tx: Tx,
  workspaceId: string,
  taken: readonly ClaimKey[],
  now: Date,
): Promise<void> {
  const { rows } = await sql<WantedNumbers>`
    select claimed.webhook_id, claim.from_seq - 1 as after_seq, claimed.to_seq
    from unnest(${sql.list(taken, 'bigint', ({ fromSeq }) => fromSeq)}) as taken(from_seq)
    cross join lateral (
      select from_seq, webhook_ids, to_seqs from webhook_claims
      where from_seq = taken.from_seq and workspace_id = ${workspaceId}
      offset 0
    ) as claim
    cross join lateral unnest(claim.webhook_ids, claim.to_seqs) as claimed(webhook_id, to_seq)
  `.execute(tx);
  await insertDeliveries(tx, workspaceId, rows, now);
  await deleteClaims(tx, workspaceId, taken);
}

/** The same with all claims, in every workspace. */
export async function makeAllMissing(tx: Tx, now: Date): Promise<void> {
  const { rows } = await sql<ClaimKey>`select workspace_id, from_seq from webhook_claims`.execute(tx);
  for (const [workspaceId, its] of byWorkspace(rows)) await makeMissing(tx, workspaceId, its, now);
}
