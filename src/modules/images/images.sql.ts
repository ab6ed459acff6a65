import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** A PNG and its size in pixels. */
export interface ImageFile {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Notes that files are taken up again, and keeps them until the transaction ends. The hashes of those there are. */
export async function touchFiles(
  tx: Tx,
  workspaceId: string,
  hashes: readonly string[],
  at: Date,
): Promise<Set<string>> {
  // In sorted order, so that two callers cannot block each other.
  const { rows } = await sql<{ hash: string }>`
    with held as materialized (
      select hash from image_files
      where workspace_id = ${workspaceId} and hash = any(${hashes}::text[])
      order by hash
      for no key update
    )
    update image_files f set kept_at = ${at}
    where f.hash = any(array(select hash from held)) and f.workspace_id = ${workspaceId}
    returning f.hash
  `.execute(tx);
  return new Set(rows.map((row) => row.hash));
}

/** Adds files; one that is there already is taken up again. */
export async function insertFiles(
  tx: Tx,
  workspaceId: string,
  files: readonly ImageFile[],
  at: Date,
): Promise<void> {
  const sorted = [...files].sort((a, b) => (a.hash < b.hash ? -1 : 1));
  // As parameters of their own the bytes travel as they are; in an array they would be spelt out in hexadecimal.
  const rows = sorted.map(
    ({ hash, bytes, width, height }) =>
      sql`(${workspaceId}, ${hash}, ${bytes}, ${width}::integer, ${height}::integer, ${at})`,
  );
  await sql`
    insert into image_files (workspace_id, hash, bytes, width, height, kept_at)
    values ${sql.join(rows)}
    on conflict (workspace_id, hash) do update set kept_at = excluded.kept_at
  `.execute(tx);
}

/** The bytes of a file, whichever workspace holds it: equal hashes are equal bytes. */
export async function findFile(db: Db, hash: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from image_files where hash = ${hash} limit 1
  `.execute(db);
  return rows[0]?.bytes;
}

interface NamedFile {
  readonly workspaceId: string;
  readonly hash: string;
}

/** Files that no pass has taken up since, oldest first, kept until the transaction ends. */
export async function holdStaleFiles(tx: Tx, before: Date, limit: number): Promise<NamedFile[]> {
  const { rows } = await sql<NamedFile>`
    select workspace_id, hash from image_files
    where kept_at < ${before}
    order by kept_at
    limit ${limit}
    for update skip locked
  `.execute(tx);
  return rows;
}

/** Removes those of the files that no pass shows, and looks at the others again much later. How many it removed. */
export async function removeUnshown(tx: Tx, files: readonly NamedFile[], at: Date): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with asked as (
      select * from unnest(
        ${files.map((file) => file.workspaceId)}::uuid[], ${files.map((file) => file.hash)}::text[]
      ) as asked(workspace_id, hash)
    ), shown as (
      select distinct p.workspace_id, file.hash
      from (select distinct workspace_id from asked) w
      join passes p using (workspace_id)
      cross join jsonb_each(p.images) as slot(name, image)
      cross join lateral (
        select slot.image->'shown'->>'hash' as hash
        union all
        select f.file->>'hash' from jsonb_each(slot.image->'files') as f(name, file)
      ) file
    ), again as (
      update image_files f set kept_at = ${at}
      from asked join shown using (workspace_id, hash)
      where f.workspace_id = asked.workspace_id and f.hash = asked.hash
    ), removed as (
      delete from image_files f
      using asked
      where f.workspace_id = asked.workspace_id and f.hash = asked.hash
        and not exists (select from shown where (shown.workspace_id, shown.hash) = (asked.workspace_id, asked.hash))
      returning 1
    )
    select count(*)::int as removed from removed
  `.execute(tx);
  return rows[0]?.removed ?? 0;
}
