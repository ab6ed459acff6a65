import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { boundsOf, pageOf } from '../engine/listing.ts';
import { refusal } from '../errors.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { presentRequest, type RequestQuery } from './request.schema.ts';
import { findRequests, listRequests } from './request-log.sql.ts';

/** A page of the requests of the caller's workspace, newest first. */
export async function readRequests(ctx: KeyCtx, query: Static<typeof RequestQuery>) {
  const { limit: _, cursor: __, ...named } = query;
  const { status, code, op, keyId, instanceId } = query;
  const { workspaceId } = ctx;
  const page = pageOf(ctx, `listRequests/${workspaceId}/${JSON.stringify(named)}`, query);
  const { since, until } = boundsOf(query);
  const requests = await listRequests(ctx.app.database.db, {
    workspaceId,
    status: status === undefined ? undefined : Number(status),
    code,
    op,
    actor: keyId,
    // No card has the first of all ids.
    instanceId: instanceId === undefined ? undefined : (decodeId('inst', instanceId) ?? firstId),
    since,
    before: page.after ?? until,
    take: page.take,
  });
  return page.of(requests, 'logId', presentRequest);
}

/** The newest request of the caller's workspace with that id. Raises `request_not_found`. */
export async function findRequest({ app, workspaceId }: KeyCtx, requestId: string) {
  const [row] = await findRequests(app.database.db, workspaceId, requestId, 1);
  if (row === undefined) throw requestNotFound();
  return presentRequest(row);
}

export function requestNotFound() {
  return refusal(
    'request_not_found',
    'Nothing is known of such a request in this workspace. Requests are kept for 30 days, and found a second after their answer; reads that succeed are kept in part.',
  );
}
