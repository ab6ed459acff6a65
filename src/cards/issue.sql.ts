import { firstEvents, type InstanceEventRow } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { foldCase } from '../kit/text/fold.ts';
import type { PassKey } from '../passes/pass-row.ts';
import type { IsOnCard } from '../passes/pool.sql.ts';
import { foldsOf } from './folding.sql.ts';
import type { InstanceRow } from './instance-row.ts';

/** A new card, and the detail of its first event with who has issued it. */
export interface NewCard {
  readonly row: InstanceRow;
  readonly detail: InstanceEventRow['detail'];
  readonly actor: string;
}

/**
 * Writes new cards of one pass with their holders and first events, in one statement. Raises `LostRace` when another call gave a
 * holder a card, or took a barcode, since the caller looked.
 */
export async function insertCards(tx: Tx, workspaceId: string, cards: readonly NewCard[]): Promise<void> {
  // First all codes, then all holders, both in order, so that two callers cannot block each other on an index.
  const sorted = inOrderOf(cards, ({ row }) => row.barcode);
  const held = inOrderOf(
    cards.filter(({ row }) => row.holder !== null),
    ({ row }) => row.holder?.identifier,
  );
  const column = <K extends keyof InstanceRow>(name: K) => sorted.map(({ row }) => row[name]);
  const people = held.flatMap(({ row }) =>
    row.holder === null ? [] : [{ ...row.holder, ...foldsOf(row.holder) }],
  );
  const person = (name: keyof (typeof people)[number]) => people.map((one) => one[name] ?? null);
  const { rows } = await prepared<{ cards: number; holders: number }>`
    with cards as (
      insert into instances (workspace_id, instance_id, pass_id, status, barcode, addressable, fields, expires_at,
        partner_id, metadata, link_secret, authentication_token, pass_revision, modified_at, created_at, external_ref, folded_barcode)
      select ${workspaceId}, c.instance_id, c.pass_id, 'active', c.barcode, c.addressable, c.fields, c.expires_at,
        c.partner_id, c.metadata, c.link_secret, c.authentication_token, c.pass_revision, c.modified_at, c.created_at,
        c.external_ref, c.folded_barcode
      from unnest(
        ${column('instanceId')}::uuid[], ${column('passId')}::uuid[], ${column('barcode')}::text[],
        ${column('addressable')}::boolean[], ${column('fields').map((value) => JSON.stringify(value))}::jsonb[],
        ${column('expiresAt')}::timestamptz[], ${column('partnerId')}::uuid[],
        ${column('metadata').map((value) => JSON.stringify(value))}::jsonb[], ${column('linkSecret')}::bytea[],
        ${column('authenticationToken')}::text[],
        ${column('passRevision')}::bigint[], ${column('modifiedAt')}::timestamptz[], ${column('createdAt')}::timestamptz[],
        ${column('externalRef')}::text[],
        ${column('barcode').map((code) => (code === null ? null : foldCase(code)))}::text[]
      ) as c(instance_id, pass_id, barcode, addressable, fields, expires_at, partner_id, metadata, link_secret,
        authentication_token, pass_revision, modified_at, created_at, external_ref, folded_barcode)
      on conflict do nothing
      returning instance_id
    ), people as (
      insert into holders (workspace_id, instance_id, pass_id, identifier, name, email, phone, phone_given, locale,
        folded_identifier, folded_name, folded_email, folded_phone, folding)
      select ${workspaceId}, h.instance_id, h.pass_id, h.identifier, h.name, h.email, h.phone, h.phone_given, h.locale,
        h.folded_identifier, h.folded_name, h.folded_email, h.folded_phone, h.folding
      from unnest(
        ${held.map(({ row }) => row.instanceId)}::uuid[], ${held.map(({ row }) => row.passId)}::uuid[],
        ${person('identifier')}::text[], ${person('name')}::text[], ${person('email')}::text[],
        ${person('phone')}::text[], ${person('phoneGiven')}::text[], ${person('locale')}::text[],
        ${person('foldedIdentifier')}::text[], ${person('foldedName')}::text[], ${person('foldedEmail')}::text[],
        ${person('foldedPhone')}::text[], ${person('folding')}::int[]
      ) with ordinality as h(instance_id, pass_id, identifier, name, email, phone, phone_given, locale,
        folded_identifier, folded_name, folded_email, folded_phone, folding, place)
      -- A card that was not written has no holder, and all cards come before the first holder.
      where (select count(*) from cards) = ${sorted.length}
      order by h.place
      on conflict do nothing
      returning 1
    ), events as (
      ${firstEvents(
        workspaceId,
        sorted.map(({ row, detail, actor }) => ({ ...row, detail, actor })),
      )}
      where (select count(*) from cards) = ${sorted.length}
    )
    select (select count(*) from cards)::int as cards, (select count(*) from people)::int as holders
  `.execute(tx);
  const [written] = rows;
  if (written?.cards !== sorted.length || written.holders !== held.length) throw new LostRace();
}

function inOrderOf(cards: readonly NewCard[], name: (card: NewCard) => string | null | undefined): NewCard[] {
  return cards
    .map((card) => ({ card, name: name(card) ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ card }) => card);
}

/**
 * Says whether a card of the pass carries a code, looked up code by code, never joined with all cards. The pass is compared last:
 * there is an index of its cards, which may not seem to be many to a planner without statistics.
 */
export function isOnCard({ workspaceId, passId }: PassKey): IsOnCard {
  return (code) => sql`coalesce((
    select bool_or(i.pass_id = ${passId})
    from (
      select pass_id from instances where barcode = ${code} and workspace_id = ${workspaceId} offset 0
    ) as i
  ), false)`;
}
