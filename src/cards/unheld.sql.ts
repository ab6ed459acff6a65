import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { PassKey } from '../passes/pass-row.ts';

/** A card of a pass, and how its holder is reached. */
export interface UnheldCard {
  readonly instanceId: string;
  /** It is valid, and no wallet has ever had it. */
  readonly isUnheld: boolean;
  readonly email: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  readonly identifier: string | null;
}

/** The next cards of a pass, in the order of their ids. */
export function listUnheld(
  db: Db,
  { workspaceId, passId }: PassKey,
  { after, look }: { readonly after: string | null; readonly look: number },
): Promise<UnheldCard[]> {
  return sql<UnheldCard>`
    select i.instance_id,
      i.status = 'active' and i.erased_at is null and not i.installed and i.installed_at is null as is_unheld,
      h.email, h.name, h.locale, h.identifier
    from (
      select * from instances
      where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id > ${after ?? firstId}::uuid
      order by instance_id
      limit ${look}
    ) as i
    left join lateral (
      select * from holders where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
    ) as h on true
    order by i.instance_id
  `.rows(db);
}
