import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { boundsOf, pageOf } from '../engine/listing.ts';
import { type AuditQuery, presentLine } from './audit.schema.ts';
import { listLines } from './audit-lines.sql.ts';

/** A page of what was changed in the caller's workspace, newest first. */
export async function readAudit(ctx: KeyCtx, query: Static<typeof AuditQuery>) {
  const { limit: _, cursor: __, ...named } = query;
  const { actor, action, target } = query;
  const { workspaceId } = ctx;
  const page = pageOf(ctx, `listAudit/${workspaceId}/${JSON.stringify(named)}`, query);
  const { since, until } = boundsOf(query);
  const filter = { workspaceId, actor, action, target, since, before: page.after ?? until, take: page.take };
  const lines = await listLines(ctx.app.database.db, filter);
  return page.of(lines, 'auditId', presentLine);
}
