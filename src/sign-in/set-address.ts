import type { CommandCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { deleteLinksOf, listByAddress } from '../people/people.sql.ts';
import { findAccount, lockAccount, replaceAddress } from '../people/ways-in.sql.ts';
import { usableEmail } from './create-person.ts';
import { refuseNamesake } from './own-person.ts';

/**
 * Gives a person another address, for who runs the installation: where no mail can prove it, the operator answers for it. Links that
 * were given out before sign in no longer. Raises `person_not_found` and `person_exists`.
 */
export async function setAddress(
  tx: Tx,
  ctx: CommandCtx,
  { personId: publicId, email: typed }: { readonly personId: string; readonly email: string },
): Promise<void> {
  const email = usableEmail(typed);
  const known = await findAccount(tx, decodeId('person', publicId) ?? firstId);
  const [first] = known;
  if (first === undefined) throw refusal('person_not_found', `No person has the id ${publicId}.`);
  const { accountId } = first;
  await lockAccount(tx, accountId);
  await refuseNamesake(tx, accountId, email);
  const [proved] = await listByAddress(tx, email);
  if (proved?.workspace === null && proved.personId !== accountId)
    throw refusal('person_exists', 'Another person has proved this address.');
  await replaceAddress(tx, accountId, email);
  await deleteLinksOf(tx, accountId);
  for (const { workspaceId, personId } of known) {
    const target = encodeId('person', personId);
    audit(tx, ctx, { workspaceId, actor: 'operator', action: 'updatePerson', target });
  }
}
