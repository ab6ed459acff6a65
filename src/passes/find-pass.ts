import type { ActorCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import type { LockedPass, PassRow } from './pass-row.ts';
import { findPassAnywhere, findPassOf, lockPass } from './passes.sql.ts';

/**
 * A pass of the caller by its public id. Raises `pass_not_found`; `forbidden` when another account owns it;
 * `insufficient_scope` when the key is restricted to other passes.
 */
export async function findPass(db: Db, ctx: ActorCtx, publicId: string): Promise<PassRow> {
  const row = await findAnyPass(db, ctx.workspaceId, publicId);
  if (row === undefined) throw passNotFound(publicId);
  refuseForeignPass(ctx, row);
  return row;
}

/** The same, for a row that is about to name it: no other transaction deletes the pass until this one ends. */
export async function lockFoundPass(tx: Tx, ctx: ActorCtx, publicId: string): Promise<PassRow> {
  const { workspaceId, passId } = await findPass(tx, ctx, publicId);
  const held = await lockPass(tx, workspaceId, passId);
  if (held === undefined) throw passNotFound(publicId);
  return held;
}

/**
 * A pass by its public id, kept from changing until the transaction ends. One of another account is answered too,
 * for the caller to refuse; undefined where no account has it.
 */
export async function lockForIssue(
  tx: Tx,
  workspaceId: string,
  publicId: string,
): Promise<LockedPass | undefined> {
  const passId = decodeId('pass', publicId);
  if (passId === null) return undefined;
  const held = await lockPass(tx, workspaceId, passId);
  if (held !== undefined) return held;
  const foreign = await findPassAnywhere(tx, passId);
  return foreign && { ...foreign, program: null };
}

/**
 * A pass by its public id, of the workspace or else of another: for callers that refuse that one with
 * `refuseForeignPass`.
 */
export async function findAnyPass(
  db: Db,
  workspaceId: string,
  publicId: string,
): Promise<PassRow | undefined> {
  const passId = decodeId('pass', publicId);
  if (passId === null) return undefined;
  return (await findPassOf(db, workspaceId, passId)) ?? findPassAnywhere(db, passId);
}

/** Raises `forbidden` when another account owns the pass, `insufficient_scope` when the key may not see it. */
export function refuseForeignPass(ctx: ActorCtx, pass: PassRow): void {
  if (pass.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This pass belongs to another account.');
  refuseOtherPass(ctx, pass.passId);
}

/** Whether the caller's key may be used with a pass, which need not exist. */
export function maySeePass(ctx: ActorCtx, publicId: string): boolean {
  return ctx.passIds === null || ctx.passIds.has(decodeId('pass', publicId) ?? '');
}

/** Raises `insufficient_scope` when the caller's key is restricted to other passes. */
export function refuseOtherPass(ctx: ActorCtx, passId: string): void {
  if (ctx.passIds === null || ctx.passIds.has(passId)) return;
  throw passHidden();
}

/** The same for a pass by its public id: a key that may not see the pass gets no replay either. */
export function refuseHiddenPass(ctx: ActorCtx, publicId: string): void {
  if (!maySeePass(ctx, publicId)) throw passHidden();
}

function passHidden() {
  return refusal('insufficient_scope', 'This API key does not reach the pass.');
}

/** Raises `pass_not_active` for a draft or archived pass. */
export function refuseUnpublished({ status }: PassRow): void {
  if (status === 'published') return;
  throw refusal(
    'pass_not_active',
    `This pass is ${status === 'draft' ? 'a draft' : 'archived'}. Publish it first: PATCH /passes/{passId} with {"status":"published"}.`,
  );
}

export function passNotFound(publicId: string) {
  return refusal('pass_not_found', `No pass has the id "${publicId.slice(0, 40)}". GET /passes lists yours.`);
}

/** What pictures of a pass are drawn of, for any caller, since every card shows it. Raises `pass_not_found`. */
export async function findDrawn(
  db: Db,
  publicId: string,
): Promise<Pick<PassRow, 'workspaceId' | 'passId' | 'colors' | 'images' | 'stampLook'>> {
  const passId = decodeId('pass', publicId);
  const row = passId === null ? undefined : await findPassAnywhere(db, passId);
  if (row === undefined) throw passNotFound(publicId);
  return row;
}
