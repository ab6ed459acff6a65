import type { Page } from '../../engine/page.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import type { Outcome, SweepRow } from './sweep-row.ts';

type Named = Pick<SweepRow, 'workspaceId' | 'sweepId'>;

/** The outcome for a customer, with the status of the invitation, if there is one. */
export interface SweepItemRow {
  readonly customerId: string;
  readonly outcome: Outcome;
  readonly inviteId: string | null;
  readonly inviteStatus: string | null;
  readonly decidedAt: Date;
}

/** Those of the customers that a sweep has decided on. */
export async function findDecided(
  tx: Tx,
  sweep: Named,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ customerId: string }>`
    select customer_id from sweep_items
    where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId}
      and customer_id = any(${customerIds}::text[])
  `.execute(tx);
  return new Set(rows.map(({ customerId }) => customerId));
}

/** Adds the outcomes for customers that the sweep has not decided on before. */
export async function insertItems(
  tx: Tx,
  sweep: Named,
  items: readonly Pick<SweepItemRow, 'customerId' | 'outcome' | 'inviteId'>[],
  at: Date,
): Promise<void> {
  await sql`
    insert into sweep_items (workspace_id, sweep_id, customer_id, outcome, invite_id, decided_at)
    select ${sweep.workspaceId}, ${sweep.sweepId}, customer_id, outcome, invite_id, ${at}
    from unnest(
      ${items.map(({ customerId }) => customerId)}::text[],
      ${items.map(({ outcome }) => outcome)}::text[],
      ${items.map(({ inviteId }) => inviteId)}::uuid[]
    ) as item(customer_id, outcome, invite_id)
  `.execute(tx);
}

/** Notes addresses that a dry run would invite; those that it has met before are in the answer. */
export async function noteContacts(
  tx: Tx,
  sweep: Named,
  emailHashes: readonly Buffer[],
): Promise<Set<string>> {
  const { rows } = await sql<{ emailHash: Buffer }>`
    insert into sweep_contacts (workspace_id, sweep_id, email_hash)
    select ${sweep.workspaceId}, ${sweep.sweepId}, email_hash
    from unnest(${emailHashes}::bytea[]) as contact(email_hash)
    on conflict do nothing
    returning email_hash
  `.execute(tx);
  const fresh = new Set(rows.map(({ emailHash }) => emailHash.toString('hex')));
  return new Set(emailHashes.map((hash) => hash.toString('hex')).filter((hash) => !fresh.has(hash)));
}

/** Those of the customers of a sweep that come after one, in the order of their numbers as text. */
export function listItems(db: Db, sweep: Named, { after, take }: Page): Promise<SweepItemRow[]> {
  return sql<SweepItemRow>`
    select s.customer_id, s.outcome, s.invite_id, i.status as invite_status, s.decided_at
    from (
      select * from sweep_items
      where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId} and customer_id > ${after ?? ''}
      order by customer_id
      limit ${take}
    ) as s
    left join invites i on i.workspace_id = ${sweep.workspaceId} and i.invite_id = s.invite_id
    order by s.customer_id
  `.rows(db);
}

/** How many of a sweep's invitations stand where. */
export async function countInvites(db: Db, sweep: Named): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) from invites
    where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId}
    group by status
  `.execute(db);
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** Removes up to so many customers of a sweep, and addresses of a dry run. How many it removed. */
export async function removeItems(tx: Tx, sweep: Named, most: number): Promise<number> {
  let removed = 0;
  for (const [table, key] of [
    ['sweep_items', 'customer_id'],
    ['sweep_contacts', 'email_hash'],
  ] as const) {
    const ofSweep = sql`workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId}`;
    const { rowCount } = await sql`
      delete from ${sql.raw(table)}
      where ${ofSweep} and ${sql.raw(key)} = any(array(
        select ${sql.raw(key)} from ${sql.raw(table)} where ${ofSweep} limit ${most}
      ))
    `.execute(tx);
    removed += rowCount;
  }
  return removed;
}

/** Takes back up to so many invitations that wait to be sent, but for those that are being sent. */
export async function cancelQueued(tx: Tx, sweep: Named, most: number): Promise<void> {
  await sql`
    update invites set status = 'cancelled', due_at = null
    where workspace_id = ${sweep.workspaceId} and invite_id = any(array(
      select invite_id from invites
      where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId} and status = 'queued'
      limit ${most}
      for update skip locked
    ))
  `.execute(tx);
}
