import type { Tx } from '../../kit/db/database.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';

type Card = Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passId'>;

/** Sets the person behind a card. Raises a unique violation of holders_one_card when the identifier has a card. */
export async function saveHolder(tx: Tx, card: Card, holder: HolderRow, active: boolean): Promise<void> {
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

export async function deleteHolder(tx: Tx, card: Card): Promise<void> {
  await tx
    .deleteFrom('holders')
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .execute();
}
