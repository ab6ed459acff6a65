import { refusal } from '../../errors.ts';
import { sqlState, type Tx, violatedConstraint } from '../../kit/db/database.ts';
import { deleteHolder, saveHolder } from './holders.sql.ts';
import type { InstanceRow } from './instance-row.ts';
import { findPresentCards } from './instances.sql.ts';

/**
 * Writes the person of a card that the caller holds, as the row has them. Raises `holder_has_active_instance` when
 * the card is active and the identifier has another one of the pass.
 */
export async function keepHolder(tx: Tx, row: InstanceRow): Promise<void> {
  const { holder } = row;
  if (holder === null) {
    await deleteHolder(tx, row);
    return;
  }
  const current = row.status === 'active';
  // Asked first, because the database writes the values of a violated index into its log.
  if (current && holder.identifier !== null) {
    const present = await findPresentCards(tx, row, [holder.identifier]);
    if (present.some((card) => card.instanceId !== row.instanceId)) throw hasAnotherCard();
  }
  try {
    await saveHolder(tx, row, holder, current);
  } catch (error) {
    const lostRace = sqlState(error) === '23505' && violatedConstraint(error) === 'holders_one_card';
    throw lostRace ? hasAnotherCard() : error;
  }
}

function hasAnotherCard() {
  return refusal(
    'holder_has_active_instance',
    'This holder has another active card of the pass. Void that one first.',
  );
}
