import type { PublicCtx } from '../../context.ts';
import type { GoogleCardType } from '../../wallet/google/card.ts';
import { type Asked, askGoogle } from './acquire-pace.ts';
import { findClass, upsertClass } from './classes.sql.ts';
import type { HashedResource } from './google-card.ts';
import type { GoogleIssuer } from './google-issuer.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/** Not a hash of anything: what it is compared with always differs. */
const unknownContent = Buffer.alloc(0);

/**
 * Makes the class of a pass what it is to be, unless it is; `done` when it is there. Callers that come together share
 * the requests; those of different processes may repeat them, which changes nothing.
 */
export function keepClass(
  ctx: PublicCtx,
  google: GoogleIssuer,
  pass: Pass,
  wanted: { readonly type: GoogleCardType; readonly class: HashedResource },
): Promise<Asked> {
  const { resource, content } = wanted.class;
  return google.classWork.share(`${resource.id} ${content.toString('hex')}`, async () => {
    const { database } = ctx.app;
    const { workspaceId, passId } = pass;
    const ofIssuer = { workspaceId, passId, ownIssuerId: google.ownIssuerId };
    const known = await findClass(database.db, ofIssuer);
    if (known?.content?.equals(content)) return { kind: 'done' };
    const exists = known !== undefined && known.content !== null;
    // Silent: a design that changes would use up the notifications of all its cards.
    const how = { exists, notify: false };
    const result = await askGoogle(() => google.wallet.putClass(wanted.type, resource, how));
    if (result.kind === 'done') await database.transaction((tx) => upsertClass(tx, ofIssuer, content));
    // It may have been done all the same.
    if (result.kind === 'later' && exists)
      await database.transaction((tx) => upsertClass(tx, ofIssuer, unknownContent));
    return result;
  });
}
