import type { KeyCtx, PublicCtx } from '../../context.ts';
import { laterMoment } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/database.ts';
import { rollOutDesign } from '../delivery/begin-rollout.ts';
import { findPass, passNotFound } from './find-pass.ts';
import type { PassRow } from './pass-row.ts';
import { countsOfPass, lockPass, replacePass } from './passes.sql.ts';

/**
 * A pass of the caller by its public id, kept from any change, and from issuing, until the transaction ends. Raises what
 * `findPass` raises.
 */
export async function keepPass(tx: Tx, ctx: KeyCtx, publicId: string): Promise<PassRow> {
  const { workspaceId, passId } = await findPass(tx, ctx, publicId);
  const pass = await lockPass(tx, workspaceId, passId);
  if (pass === undefined) throw passNotFound(publicId);
  return pass;
}

/** Gives a pass that is kept its program. Its cards show that only once it is launched. */
export async function takeProgram(tx: Tx, ctx: PublicCtx, pass: PassRow, programId: string): Promise<void> {
  await replacePass(tx, { ...pass, programId, updatedAt: ctx.app.now() });
}

/** All cards of a pass that is kept show something else from now on; their wallets are told in the background. */
export async function changeShown(tx: Tx, ctx: PublicCtx, pass: PassRow): Promise<void> {
  const modifiedAt = laterMoment(pass.modifiedAt, ctx.app.now());
  await replacePass(tx, { ...pass, revision: pass.revision + 1, modifiedAt });
  const { installed } = await countsOfPass(tx, pass);
  await rollOutDesign(tx, ctx, pass, installed);
}
