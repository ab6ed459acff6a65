import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { accountOf, findPerson, restoreAccount } from '../people/people.sql.ts';
import { giveLink } from './create-person.ts';
import { findOwnPerson } from './people.ts';

/** Gives a person a new link: by mail, or in the answer. */
export async function createPersonLink(
  tx: Tx,
  ctx: KeyCtx,
  publicId: string,
  acceptLanguage: string | undefined,
) {
  const member = await findOwnPerson(tx, ctx, publicId);
  const { personId, name } = member;
  // A former version that still runs may have taken the account for one that belongs nowhere.
  const person = (await findPerson(tx, accountOf(member))) ?? (await restoreAccount(tx, member));
  audit(tx, ctx, { action: 'createPersonLink', target: encodeId('person', personId) });
  return { link: await giveLink(tx, ctx, { person, name, acceptLanguage }) };
}
