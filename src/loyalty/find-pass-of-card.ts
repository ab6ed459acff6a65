import { findPassesOfHolders, type PassOfHolder } from '../cards/holders.sql.ts';
import { findInstances } from '../cards/instances.sql.ts';
import { lookUpInstance } from '../cards/look-up.ts';
import type { KeyCtx } from '../context.ts';
import { Answered } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import type { KeyedHash } from '../kit/crypto/at-rest.ts';
import { keptAnswers } from '../kit/db/claims.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { requireNumber } from '../workspaces/phone-country.ts';
import type { LedgerItem } from './ledger-item.ts';
import { type Named, optionalTargetOf } from './target.schema.ts';

/**
 * The body with its telephone number in the form of E.164, and with its pass, which a barcode or an identifier names where it is one card's in the workspace: that of an earlier
 * call under the key, whatever has become of them since, else that of the card. Raises `invalid_request` where nothing names
 * it or a number is none, what `lookUpInstance` raises, `holder_not_found`, and `ambiguous_holder` with `matchCount`.
 */
export async function resolvePass<Body extends Named & { readonly passId?: string | undefined }>(
  ctx: KeyCtx,
  sent: Body,
  repeated: { readonly operation: LedgerItem['operation']; readonly key: string | null } | null,
): Promise<Body & { readonly passId: string }> {
  const { phone, passId } = sent;
  const body = phone === undefined ? sent : { ...sent, phone: await requireNumber(ctx, 'phone', phone) };
  if (passId !== undefined) return { ...body, passId };
  const target = optionalTargetOf(body);
  if (target === null || !('barcode' in target || 'identifier' in target))
    throw invalidField(
      'passId',
      'required',
      'is required, unless a barcode or an identifier names the card.',
    );
  const earlier =
    repeated === null || repeated.key === null
      ? undefined
      : await earlierPass(ctx, repeated.operation, repeated.key);
  const found = earlier ?? (await passOf(ctx, target));
  return { ...body, passId: encodeId('pass', found) };
}

async function passOf(ctx: KeyCtx, target: { barcode: string } | { identifier: string }): Promise<string> {
  if ('barcode' in target) return (await lookUpInstance(ctx, target)).passId;
  const all = await ctx.app.groupCommit.read(passesOfHolders, ctx.workspaceId, target.identifier);
  const reached = all.filter(({ passId }) => ctx.passIds === null || ctx.passIds.has(passId));
  const present = reached.filter(({ isPresent }) => isPresent);
  const [pass, ...others] = present.length === 0 ? reached : present;
  if (pass === undefined) throw refusal('holder_not_found', 'No holder has this identifier.');
  if (others.length === 0) return pass.passId;
  const matchCount = others.length + 1;
  throw refusal(
    'ambiguous_holder',
    `This identifier has cards of ${matchCount} passes. Name the pass by passId.`,
    { matchCount },
  );
}

/** Set-based: concurrent calls of a workspace share a query. */
async function passesOfHolders(
  db: Db,
  workspaceId: string,
  identifiers: readonly string[],
): Promise<PassOfHolder[][]> {
  const found = await findPassesOfHolders(db, workspaceId, [...new Set(identifiers)]);
  const passes = Map.groupBy(found, ({ identifier }) => identifier);
  return identifiers.map((identifier) => passes.get(identifier) ?? []);
}

/** The pass of the card that an earlier call under the key has found. */
async function earlierPass(
  { app, workspaceId }: KeyCtx,
  operation: string,
  key: string,
): Promise<string | undefined> {
  const lane = `${workspaceId} ${operation}`;
  const { keyHash } = app.database;
  return app.groupCommit.read(earlierPasses, lane, { workspaceId, operation, key, keyHash });
}

interface EarlierCall {
  readonly workspaceId: string;
  readonly operation: string;
  readonly key: string;
  readonly keyHash: KeyedHash | undefined;
}

/** What an answer says of a card. */
interface Shown {
  readonly instanceId?: string;
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
  const { workspaceId, operation, keyHash } = first;
  const kept = await keptAnswers(db, workspaceId, operation, [...new Set(keys)], keyHash);
  const cardOf = (json: string) => {
    const { body } = new Answered<{ status: 200; body: Shown & { from?: Shown } }>(200, json, true);
    return decodeId('inst', (body.from ?? body).instanceId ?? '') ?? firstId;
  };
  const cards = new Map([...kept].map(([key, { body }]) => [key, cardOf(body)]));
  const rows = await findInstances(db, first.workspaceId, [...cards.values()]);
  const passes = new Map([...cards.keys()].map((key, place) => [key, rows[place]?.passId]));
  return keys.map((key) => passes.get(key));
}
