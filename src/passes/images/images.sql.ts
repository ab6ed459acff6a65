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

/** The bytes of a file, of any workspace that has it. They fit the hash, also where a workspace was moved here with others. */
export async function findFile(db: Db, hash: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from image_files where hash = ${hash} and encode(sha256(bytes), 'hex') = hash limit 1
  `.execute(db);
  return rows[0]?.bytes;
}

interface NamedFile {
  readonly workspaceId: string;
  readonly hash: string;
}

/** Files that no pass has taken up since, oldest first. */
export function findStaleFiles(db: Db, before: Date, limit: number): Promise<NamedFile[]> {
  return sql<NamedFile>`
    select workspace_id, hash from image_files where kept_at < ${before} order by kept_at limit ${limit}
  `.rows(db);
}

/** Keeps those of the files of a workspace that no pass has taken up since, until the transaction ends. */
export async function lockStaleFiles(
  tx: Tx,
  workspaceId: string,
  hashes: readonly string[],
  before: Date,
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from image_files
    where workspace_id = ${workspaceId} and hash = any(${hashes}::text[]) and kept_at < ${before}
    order by hash
    for update skip locked
  `.execute(tx);
  return rows.map(({ hash }) => hash);
}

/** Removes those of the files of a workspace that no pass shows, and looks at the others again much later. */
export async function removeUnshown(
  tx: Tx,
  workspaceId: string,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    with shown as materialized (
      select distinct file.hash
      from passes p
      cross join jsonb_each(p.images) as slot(name, image)
      cross join lateral (
        select slot.image->'shown'->>'hash' as hash
        union all
        select f.file->>'hash' from jsonb_each(slot.image->'files') as f(name, file)
      ) file
      where p.workspace_id = ${workspaceId} and file.hash = any(${hashes}::text[])
    ), again as (
      update image_files set kept_at = ${at}
      where workspace_id = ${workspaceId} and hash = any(array(select hash from shown))
    )
    delete from image_files
    where workspace_id = ${workspaceId} and hash = any(${hashes}::text[]) and hash <> all(array(select hash from shown))
  `.execute(tx);
}
