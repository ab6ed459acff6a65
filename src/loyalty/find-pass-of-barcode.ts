import { findInstances } from '../cards/instances.sql.ts';
import { lookUpInstance } from '../cards/look-up.ts';
import type { KeyCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { findCardsOfCalls } from './earlier-calls.sql.ts';
import type { LedgerItem } from './ledger-item.ts';
import { type Named, optionalTargetOf } from './target.schema.ts';

/**
 * The body with its pass, which a barcode names where it is one card's in the workspace: that of an earlier call under the
 * key, whatever has become of the barcode since, else that of the card. Raises `invalid_request` where neither is named,
 * and what `lookUpInstance` raises.
 */
export async function inPass<Body extends Named & { readonly passId?: string }>(
  ctx: KeyCtx,
  operation: LedgerItem['operation'],
  body: Body,
  key: string | null,
): Promise<Body & { readonly passId: string }> {
  const { passId } = body;
  if (passId !== undefined) return { ...body, passId };
  const target = optionalTargetOf(body);
  if (target === null || !('barcode' in target))
    throw invalidRequest('passId: is required, unless a barcode names the card.');
  const earlier = key === null ? undefined : await earlierPass(ctx, operation, key);
  const found = earlier ?? (await lookUpInstance(ctx, target)).passId;
  return { ...body, passId: encodeId('pass', found) };
}

/** The pass of the card that an earlier call under the key has found. */
async function earlierPass(
  { app, workspaceId }: KeyCtx,
  operation: string,
  key: string,
): Promise<string | undefined> {
  const lane = `${workspaceId} ${operation}`;
  return app.groupCommit.read(earlierPasses, lane, { workspaceId, operation, key });
}

interface EarlierCall {
  readonly workspaceId: string;
  readonly operation: string;
  readonly key: string;
}

/** Set-based, for calls of one operation and workspace. */
async function earlierPasses(
  db: Db,
  _lane: string,
  calls: readonly EarlierCall[],
): Promise<(string | undefined)[]> {
  const [first] = calls;
  if (first === undefined) return [];
  const keys = calls.map(({ key }) => key);
  const found = await findCardsOfCalls(db, first.workspaceId, first.operation, [...new Set(keys)]);
  const cards = new Map(found.map(({ key, card }) => [key, decodeId('inst', card) ?? firstId]));
  const rows = await findInstances(db, first.workspaceId, [...cards.values()]);
  const passes = new Map([...cards.keys()].map((key, place) => [key, rows[place]?.passId]));
  return keys.map((key) => passes.get(key));
}
