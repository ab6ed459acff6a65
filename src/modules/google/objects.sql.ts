import { sql } from 'kysely';
import type { Tx } from '../../kit/db/database.ts';

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** Gives the cards' saved objects a new tag and makes a PATCH due. One that is due or under way already is enough. */
export async function wakeObjectsOf(tx: Tx, cards: readonly Card[], at: Date): Promise<void> {
  await sql`
    with held as materialized (
      select o.workspace_id, o.instance_id
      from google_objects o
      join unnest(
        ${cards.map((card) => card.workspaceId)}::uuid[], ${cards.map((card) => card.instanceId)}::uuid[]
      ) as c(workspace_id, instance_id) using (workspace_id, instance_id)
      where o.saved
      order by o.workspace_id, o.instance_id
      for no key update of o
    )
    update google_objects o
    set tag = o.tag + 1, due_at = coalesce(o.due_at, ${at}),
      attempts = case when o.due_at is null then 0 else o.attempts end
    from held
    where o.workspace_id = held.workspace_id and o.instance_id = held.instance_id
  `.execute(tx);
}
