import { randomUUID } from 'node:crypto';
import type { Json } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { decodeId, firstIdSince } from '../kit/ids.ts';

/** An entry of the past, as a test describes it: the ledger itself writes only of now. */
interface PastEntry {
  readonly kind: 'earn' | 'redeem' | 'unlock' | 'adjust' | 'reversal';
  readonly points: number;
  readonly at: string;
  readonly partner?: Json;
  /** Number of the entry that it undoes. */
  readonly reversalOf?: number;
}

/** An id that begins with a moment of the past. */
function idAt(at: string): string {
  return `${firstIdSince(new Date(at)).slice(0, 14)}7${randomUUID().slice(15)}`;
}

/** Another card like this one, issued at the partner at that moment. */
export async function copyCard(app: TestApp, card: Json, partner: Json, at: string): Promise<void> {
  await app.sql(
    `insert into instances
     select (jsonb_populate_record(i, jsonb_build_object('instance_id', $2::uuid, 'created_at', $3::timestamptz,
       'barcode', $2::text, 'partner_id', $4::uuid))).*
     from instances i where instance_id = $1`,
    [decodeId('inst', card.instanceId), idAt(at), at, decodeId('part', partner.partnerId)],
  );
}

/** Gives the card an account with these entries, in this order. */
export async function writeEntries(
  app: TestApp,
  card: Json,
  program: Json,
  entries: readonly PastEntry[],
): Promise<void> {
  let balance = 0;
  const rows = entries.map(({ kind, points, at, partner, reversalOf = null }, index) => {
    balance += points;
    return {
      seq: index + 1,
      entry_id: idAt(at),
      kind,
      points,
      balance,
      at,
      reversal_of: reversalOf,
      partner_id: partner === undefined ? null : decodeId('part', partner.partnerId),
    };
  });
  // In one statement: an account and its entries are checked against each other.
  await app.sql(
    `with card as (
       select workspace_id, instance_id, gen_random_uuid() as account_id from instances where instance_id = $1
     ), account as (
       insert into loyalty_accounts (workspace_id, account_id, program_id, instance_id, seq, balance, created_at)
       select workspace_id, account_id, $2, instance_id, $3, $4, now() from card
     )
     insert into loyalty_entries (workspace_id, account_id, seq, entry_id, program_id, instance_id, kind, points,
       balance, partner_id, reversal_of, actor, occurred_at, created_at)
     select c.workspace_id, c.account_id, e.seq, e.entry_id, $2, c.instance_id, e.kind, e.points,
       e.balance, e.partner_id, e.reversal_of, 'a test', e.at, e.at
     from card c, jsonb_to_recordset($5) as e(seq bigint, entry_id uuid, kind text, points bigint, balance bigint,
       at timestamptz, reversal_of bigint, partner_id uuid)`,
    [
      decodeId('inst', card.instanceId),
      decodeId('prog', program.programId),
      rows.length,
      balance,
      JSON.stringify(rows),
    ],
  );
}
