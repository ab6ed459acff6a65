import type { Db, Tx } from '../kit/db/database.ts';
import { prepared } from '../kit/db/sql.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';

type HolderCard = Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passId'>;

/** Sets the person behind a card. Raises a unique violation of holders_one_card when the identifier has a card. */
export async function saveHolder(
  tx: Tx,
  card: HolderCard,
  holder: HolderRow,
  active: boolean,
): Promise<void> {
  const { workspaceId, instanceId, passId } = card;
  const current = active ? true : null;
  await tx
    .insertInto('holders')
    .values({ workspaceId, instanceId, passId, ...holder, current })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'instanceId']).doUpdateSet({ ...holder, current }),
    )
    .execute();
}

export async function deleteHolder(tx: Tx, card: HolderCard): Promise<void> {
  await tx
    .deleteFrom('holders')
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .execute();
}

/**
 * The present card of each person, in their order: that of the identifier, else the one that was issued first of those
 * with the address, in whatever case it was written.
 */
export async function findHeldCards(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  asked: readonly { readonly identifier: string | null; readonly email: string | null }[],
): Promise<{ instanceId: string | null }[]> {
  const { rows } = await prepared<{ instanceId: string | null }>`
    select coalesce(named.instance_id, mailed.instance_id) as instance_id
    from unnest(
      ${asked.map(({ identifier }) => identifier)}::text[], ${asked.map(({ email }) => email)}::text[]
    ) with ordinality as asked(identifier, email, place)
    left join lateral (
      select h.instance_id from holders h
      where h.workspace_id = ${workspaceId} and h.identifier = asked.identifier and h.pass_id = ${passId} and h.current
      limit 1
    ) as named on true
    left join lateral (
      -- Sorted out here: with ORDER BY and LIMIT the planner may walk all holders in the order of their cards.
      select (array_agg(h.instance_id order by h.instance_id))[1] as instance_id
      from holders h
      where named.instance_id is null and h.workspace_id = ${workspaceId} and lower(h.email) = lower(asked.email)
        and h.pass_id = ${passId} and h.email is not null and h.current
    ) as mailed on true
    order by asked.place
  `.execute(db);
  return rows;
}
