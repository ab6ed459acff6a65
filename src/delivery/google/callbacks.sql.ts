import type { CardKey } from '../../engine/card-key.ts';
import type { Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Remembers a call-back until it expires. False when it is known already. */
export async function insertNonce(tx: Tx, nonce: string, expiresAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('googleNonces')
    .values({ nonce, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Deletes up to `limit` call-backs that have expired. Returns how many. */
export async function deleteNonces(tx: Tx, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    -- an array, not a join: whatever is known of the table, they are found by their key
    delete from google_nonces where nonce = any(array(
      select nonce from google_nonces where expires_at <= ${now} order by expires_at limit ${limit}
    ))
    returning 1
  `.execute(tx);
  return rows.length;
}

/** Whether a holder keeps the object of a card, and as of which call-back. */
export interface Saved {
  readonly saved: boolean;
  readonly eventAt: Date | null;
  /** The issuer that the object is of where that is the workspace's own. */
  readonly ownIssuerId: string | null;
}

/** Undefined where Google was never sent the card. The caller holds the card, which keeps this from changing. */
export function findSaved(tx: Tx, { workspaceId, instanceId }: CardKey): Promise<Saved | undefined> {
  return sql<Saved>`
    select saved, event_at, issuer_id as own_issuer_id from google_objects
    where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.first(tx);
}

/**
 * Notes what a call-back has reported. An object that a holder begins to keep is due at `now`: the card may have changed
 * since it was sent to Google.
 */
export async function saveEvent(
  tx: Tx,
  { workspaceId, instanceId }: CardKey,
  { saved, eventAt, now }: { readonly saved: boolean; readonly eventAt: Date; readonly now: Date },
): Promise<void> {
  await sql`
    update google_objects
    set saved = ${saved}, event_at = ${eventAt},
      tag = case when ${saved} and not saved then tag + 1 else tag end,
      due_at = case when ${saved} and not saved then ${now}::timestamptz else due_at end,
      attempts = case when ${saved} and not saved then 0 else attempts end
    where workspace_id = ${workspaceId} and instance_id = ${instanceId}
  `.execute(tx);
}
