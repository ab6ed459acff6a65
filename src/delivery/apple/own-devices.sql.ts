import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** Certificates of workspaces that another took the place of before a moment, and that no device has a card of. */
export function listIdle(db: Db, before: Date, most: number) {
  return sql<{ workspaceId: string; passTypeIdentifier: string }>`
    select i.workspace_id, i.pass_type_identifier from apple_identities i
    where i.retired_at <= ${before} and not exists (
      select from apple_devices d
      where d.is_own and d.pass_type_identifier = i.pass_type_identifier and d.workspace_id = i.workspace_id
    )
    order by i.retired_at limit ${most}
  `.rows(db);
}
