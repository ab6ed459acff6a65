import type { PublicCtx } from '../../context.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { findDueRows } from '../../engine/due-workspaces.ts';
import { leaseFound, postponeLeased } from '../../engine/queue.sql.ts';
import { allEnded } from '../../kit/promises.ts';
import { findStopped } from '../../pushes/wallet-stops.ts';
import type { GoogleIssuer } from './google-issuer.ts';
import { type DueObject, dueOwnObjects } from './objects.sql.ts';
import { findOwnDue, listOwnersDue } from './own-objects.sql.ts';
import { patchTaken } from './patch-taken.ts';

/** Each issuer has a pace of its own at Google: a turn is for some workspaces, whichever they are, and little of each. */
const most = { owners: 1_000, together: 4, ofEach: 10 };
/** A worker that dies in the middle of a turn leaves its objects to others after this time: longer than any turn. */
const leaseMs = 180_000;
/** Where an account was taken away just now. */
const goneMs = 900_000;

/** The objects of issuers that are workspaces' own. */
export function ownObjectsDue(): DueWork {
  return { queues: [dueOwnObjects] };
}

/** Sends those that are due, each in the name of its workspace, so that a long queue of one keeps no other waiting. False when none is left. */
export async function patchOwnObjects(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const asked = { now: now(), most: most.owners };
  const owners = await findDueRows(ctx.app, dueOwnObjects.job, asked, (within) =>
    listOwnersDue(database.db, { ...asked, within }),
  );
  const some = anyOf(owners, most.together);
  await allEnded(some.map(({ workspaceId }) => patchOf(ctx, workspaceId)));
  return some.length > 0;
}

async function patchOf(ctx: PublicCtx, workspaceId: string): Promise<void> {
  const { database, now } = ctx.app;
  const found = await findOwnDue(database.db, workspaceId, { now: now(), most: most.ofEach });
  const claim = { now: now(), until: new Date(now().getTime() + leaseMs), most: most.ofEach };
  const taken = await leaseFound({ app: ctx.app, queue: dueOwnObjects }, found, claim);
  for (const [ownIssuerId, objects] of Map.groupBy(taken, (object) => object.ownIssuerId)) {
    const google = await ctx.app.googleIssuers.find(workspaceId, ownIssuerId);
    const until = await heldUntil(ctx, google);
    if (google === undefined || until !== null) await hold(ctx, objects, until);
    else await patchTaken(ctx, { queue: dueOwnObjects, google, objects });
  }
}

async function heldUntil(ctx: PublicCtx, google: GoogleIssuer | undefined): Promise<Date | null> {
  if (google === undefined) return new Date(ctx.app.now().getTime() + goneMs);
  return (await findStopped(ctx, 'google', google.scope))?.retryAt ?? null;
}

async function hold(ctx: PublicCtx, objects: readonly DueObject[], until: Date | null): Promise<void> {
  const later = objects.map((row) => ({ row, dueAt: until ?? ctx.app.now(), attempts: row.attempts }));
  await ctx.app.database.transaction((tx) => postponeLeased(tx, dueOwnObjects, later));
}

/** Some of a list, each as likely as any other. */
function anyOf<Item>(items: readonly Item[], count: number): Item[] {
  const left = [...items];
  const taken: Item[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return taken;
}
