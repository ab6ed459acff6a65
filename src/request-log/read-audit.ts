import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { list } from '../engine/listing.ts';
import { firstIdSince } from '../kit/ids.ts';
import { type AuditQuery, presentLine } from './audit.schema.ts';
import { listLines } from './audit-lines.sql.ts';

/** A page of what was changed in the caller's workspace, newest first. */
export async function readAudit(ctx: KeyCtx, query: Static<typeof AuditQuery>) {
  const { limit: _, cursor: __, ...named } = query;
  const { actor, action, target, createdAfter, createdBefore } = query;
  return list(
    ctx,
    `listAudit/${ctx.workspaceId}/${JSON.stringify(named)}`,
    query,
    ({ after, take }) =>
      listLines(ctx.app.database.db, {
        workspaceId: ctx.workspaceId,
        actor,
        action,
        target,
        since: createdAfter === undefined ? null : firstIdSince(new Date(createdAfter)),
        before: after ?? (createdBefore === undefined ? null : firstIdSince(new Date(createdBefore))),
        take,
      }),
    ({ auditId }) => auditId,
    presentLine,
  );
}
