import { randomInt } from 'node:crypto';
import type { CardKey } from '../engine/card-key.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { foldCase, foldName } from '../kit/text/fold.ts';
import { digitsOf } from '../kit/text/phone.ts';
import type { HolderRow } from './instance-row.ts';

/** The columns next to a holder's texts by which these are compared. */
export function foldsOf({ identifier, name, email, phone, phoneGiven = null }: HolderRow) {
  return {
    phoneGiven,
    foldedIdentifier: identifier === null ? null : foldCase(identifier),
    foldedName: name === null ? null : foldName(name),
    foldedEmail: email === null ? null : foldCase(email),
    foldedPhone: phone ?? (phoneGiven === null ? null : digitsOf(phoneGiven) || null),
    folding: randomInt(1, 2 ** 31),
  };
}

/** A holder whose texts are to be folded. */
export type Unfolded = CardKey & HolderRow;

/** Cards of which the program has not folded the holder's texts, and of which it has not folded the code. */
export async function findUnfolded(
  db: Db,
  most: number,
): Promise<{ readonly people: CardKey[]; readonly codes: CardKey[] }> {
  const [people, codes] = await Promise.all([
    sql<CardKey>`
      select workspace_id, instance_id from holders where folding is null
      order by instance_id, workspace_id limit ${most}
    `.execute(db),
    sql<CardKey>`
      select workspace_id, instance_id from instances where barcode is not null and folded_barcode is null
      order by instance_id, workspace_id limit ${most}
    `.execute(db),
  ]);
  return { people: people.rows, codes: codes.rows };
}

/** Those of the holders that are still unfolded, less those that another transaction changes at the moment; locks them. */
export function lockUnfolded(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<Unfolded[]> {
  return sql<Unfolded>`
    select h.* from unnest(${sql.list(instanceIds, 'uuid')}) as asked(id)
    cross join lateral (
      select workspace_id, instance_id, identifier, name, email, phone, phone_given, locale from holders
      where instance_id = asked.id and workspace_id = ${workspaceId} and folding is null
      for update skip locked
    ) as h
  `.rows(tx);
}

/** Keeps texts as they are compared, and numbers as they were read, of holders whom the caller holds. */
export async function saveFolds(tx: Tx, workspaceId: string, people: readonly Unfolded[]): Promise<void> {
  const folded = people.map((row) => ({ ...row, ...foldsOf(row) }));
  const column = (name: keyof (typeof folded)[number]) => sql.list(folded, 'text', (row) => row[name]);
  await sql`
    update holders h
    set phone = f.phone, phone_given = f.phone_given, folded_identifier = f.folded_identifier, folded_name = f.folded_name,
      folded_email = f.folded_email, folded_phone = f.folded_phone, folding = f.folding
    from unnest(
      ${sql.list(folded, 'uuid', ({ instanceId }) => instanceId)}, ${column('phone')}, ${column('phoneGiven')},
      ${column('foldedIdentifier')}, ${column('foldedName')}, ${column('foldedEmail')}, ${column('foldedPhone')},
      ${sql.list(folded, 'int', ({ folding }) => folding)}
    ) as f(id, phone, phone_given, folded_identifier, folded_name, folded_email, folded_phone, folding)
    where h.workspace_id = ${workspaceId} and h.instance_id = f.id
  `.execute(tx);
}

/** Folds the codes of cards that are still unfolded. */
export async function foldCodes(
  tx: Tx,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ instanceId: string; barcode: string }>`
    select i.* from unnest(${sql.list(instanceIds, 'uuid')}) as asked(id)
    cross join lateral (
      select instance_id, barcode from instances
      where instance_id = asked.id and workspace_id = ${workspaceId} and barcode is not null and folded_barcode is null
      for no key update skip locked
    ) as i
  `.execute(tx);
  await sql`
    update instances i set folded_barcode = f.folded
    from unnest(
      ${sql.list(rows, 'uuid', ({ instanceId }) => instanceId)}, ${sql.list(rows, 'text', ({ barcode }) => foldCase(barcode))}
    ) as f(id, folded)
    where i.workspace_id = ${workspaceId} and i.instance_id = f.id
  `.execute(tx);
  return rows.length;
}

/** A workspace whose numbers that could not be read are to be read again, and the card behind which. */
export interface Reread {
  readonly workspaceId: string;
  readonly after: string;
}

export function findReread(db: Db): Promise<Reread | undefined> {
  return sql<Reread>`
    select workspace_id, reread_after as after from workspaces where reread_after is not null limit 1
  `.first(db);
}

/** The next holders of a workspace whose numbers could not be read; keeps them from changing. */
export function lockUnread(tx: Tx, { workspaceId, after }: Reread, most: number): Promise<Unfolded[]> {
  return sql<Unfolded>`
    select workspace_id, instance_id, identifier, name, email, phone, phone_given, locale from holders
    where workspace_id = ${workspaceId} and phone is null and phone_given is not null and instance_id > ${after}
    order by instance_id limit ${most}
    for update
  `.rows(tx);
}
