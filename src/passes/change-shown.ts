import type { ActorCtx, ClockCtx, CommandCtx, KeyCtx, PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { laterMoment, wholeSecond } from '../kit/time.ts';
import { rollOutDesign } from '../pushes/begin-rollout.ts';
import { emitPassEvent } from './emit-pass-event.ts';
import { findPass, passNotFound } from './find-pass.ts';
import { presentPass } from './pass.schema.ts';
import type { PassRow } from './pass-row.ts';
import {
  type Concerned,
  countsOf,
  countsOfPass,
  lockPassAlone,
  replacePass,
  restampAll,
  restampEverywhere,
} from './passes.sql.ts';
import { withAllPlaces } from './places.ts';

/**
 * A pass of the caller by its public id, kept from any change, and from issuing, until the transaction ends. Raises what
 * `findPass` raises.
 */
export async function keepPass(tx: Tx, ctx: ActorCtx, publicId: string): Promise<PassRow> {
  const { workspaceId, passId } = await findPass(tx, ctx, publicId);
  const pass = await lockPassAlone(tx, workspaceId, passId);
  if (pass === undefined) throw passNotFound(publicId);
  return pass;
}

/** Gives a pass that is kept its program. Its cards show that only once it is launched. */
export async function takeProgram(tx: Tx, ctx: KeyCtx, pass: PassRow, programId: string): Promise<void> {
  const after = { ...pass, programId, updatedAt: ctx.app.now() };
  await replacePass(tx, after);
  const data = presentPass(
    ctx.app.config.publicUrl,
    await withAllPlaces(tx, after),
    await countsOfPass(tx, pass),
  );
  const previous = { programId: pass.programId && encodeId('prog', pass.programId) };
  emitPassEvent(tx, ctx, after, { type: 'pass.updated', data, previous });
}

/** All cards of a pass that is kept show something else from now on; their wallets are notified in the background. */
export async function changeShown(tx: Tx, ctx: PublicCtx, pass: PassRow): Promise<void> {
  const modifiedAt = laterMoment(pass.modifiedAt, ctx.app.now());
  await replacePass(tx, { ...pass, revision: pass.revision + 1, modifiedAt });
  const { installed } = await countsOfPass(tx, pass);
  await rollOutDesign(tx, ctx, pass, installed);
}

/** Something changed that the cards of these passes show: their files are made anew, and their wallets are notified. */
export async function restampPasses(
  tx: Tx,
  ctx: CommandCtx,
  workspaceId: string,
  which: Concerned = 'all',
): Promise<void> {
  const passIds = await restampAll(tx, workspaceId, ctx.app.now(), which);
  for (const [passId, { installed }] of await countsOf(tx, workspaceId, passIds))
    await rollOutDesign(tx, ctx, { workspaceId, passId }, installed);
}

/**
 * Makes all copies of all cards old, of whatever workspace, without notifying wallets: also those that were given a second
 * ahead of the clock.
 */
export async function outdateCopies(tx: Tx, ctx: ClockCtx): Promise<void> {
  await restampEverywhere(tx, new Date(wholeSecond(ctx.app.now()).getTime() + 2_000));
}

/**
 * Puts a message on all cards of a pass, the caller's by its public id. Returns the pass and how many of its cards are
 * installed. Raises what `findPass` raises.
 */
export async function announceToHolders(
  tx: Tx,
  ctx: ActorCtx,
  input: { passId: string; message: { text: string; id: string } },
): Promise<{ workspaceId: string; passId: string; installed: number }> {
  const before = await keepPass(tx, ctx, input.passId);
  const { workspaceId, passId } = before;
  const modifiedAt = laterMoment(before.modifiedAt, ctx.app.now());
  const { text: message, id: messageId } = input.message;
  await replacePass(tx, { ...before, message, messageId, revision: before.revision + 1, modifiedAt });
  const { installed } = await countsOfPass(tx, before);
  return { workspaceId, passId, installed };
}
