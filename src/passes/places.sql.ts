import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassKey, PassLocation } from './pass-row.ts';

/** All places of a pass that has more than ten. */
export interface AllPlaces {
  readonly locations: readonly PassLocation[];
  /** By BCP 47 language: what the lock screen says at each of them, in their order. */
  readonly texts: Readonly<Record<string, (string | null)[]>>;
}

export function findPlaces(db: Db, pass: PassKey): Promise<AllPlaces | undefined> {
  return sql<AllPlaces>`
    select locations, texts from pass_places
    where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
  `.first(db);
}

export async function savePlaces(tx: Tx, pass: PassKey, { locations, texts }: AllPlaces): Promise<void> {
  await sql`
    insert into pass_places (workspace_id, pass_id, locations, texts)
    values (${pass.workspaceId}, ${pass.passId}, ${JSON.stringify(locations)}, ${JSON.stringify(texts)})
    on conflict (pass_id, workspace_id) do update set locations = excluded.locations, texts = excluded.texts
  `.execute(tx);
}

export async function deletePlaces(tx: Tx, pass: PassKey): Promise<void> {
  await sql`
    delete from pass_places where workspace_id = ${pass.workspaceId} and pass_id = ${pass.passId}
  `.execute(tx);
}
