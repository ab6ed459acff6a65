import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** An image that a caller has uploaded. */
export interface Upload {
  readonly workspaceId: string;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly keptUntil: Date;
}

/** Keeps an upload; one that is there already is kept for as long as this one. */
export async function insertUpload(tx: Tx, upload: Upload): Promise<void> {
  const { workspaceId, hash, bytes, width, height, keptUntil } = upload;
  await sql`
    insert into image_uploads (workspace_id, hash, bytes, size, width, height, kept_until)
    values (${workspaceId}, ${hash}, ${bytes}, ${bytes.length}, ${width}, ${height}, ${keptUntil})
    on conflict (hash, workspace_id) do update set kept_until = greatest(image_uploads.kept_until, excluded.kept_until)
  `.execute(tx);
}

/** The bytes of an upload of the workspace. */
export async function findUpload(
  db: Db,
  workspaceId: string,
  hash: string,
  now: Date,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer; keptUntil: Date }>`
    select bytes, kept_until from image_uploads where hash = ${hash} and workspace_id = ${workspaceId}
  `.execute(db);
  return rows.find(({ keptUntil }) => keptUntil > now)?.bytes;
}

/** How many uploads of the workspace are kept, how many bytes they are, and when the first of them goes. */
export async function countUploads(
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<{ images: number; bytes: number; firstGoesAt: Date | null }> {
  const { rows } = await sql<{ images: number; bytes: number; firstGoesAt: Date | null }>`
    select count(*)::int as images, coalesce(sum(size), 0)::float8 as bytes, min(kept_until) as first_goes_at
    from (select size, kept_until from image_uploads where workspace_id = ${workspaceId} offset 0) as own
    where kept_until > ${now}
  `.execute(db);
  return rows[0] ?? { images: 0, bytes: 0, firstGoesAt: null };
}

/** Uploads that are kept no longer, the oldest first. */
export function findStaleUploads(
  db: Db,
  now: Date,
  limit: number,
): Promise<Pick<Upload, 'workspaceId' | 'hash'>[]> {
  return sql<Pick<Upload, 'workspaceId' | 'hash'>>`
    select workspace_id, hash from image_uploads where kept_until <= ${now} order by kept_until limit ${limit}
  `.rows(db);
}

/** Removes those of the uploads of a workspace that no caller has uploaded again since. */
export async function deleteUploads(
  tx: Tx,
  workspaceId: string,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    delete from image_uploads
    where workspace_id = ${workspaceId} and hash = any(${hashes}::text[]) and kept_until <= ${now}
  `.execute(tx);
}
