import { hasExpired } from '../cards/instance.schema.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { decodeId } from '../kit/ids.ts';
import type { JoinForm, PassRow } from '../passes/pass-row.ts';
import { findPassAnywhere } from '../passes/passes.sql.ts';
import { branded, brandOf } from '../rendering/shop-brand.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import type { WorkspaceRow } from '../workspaces/workspaces.sql.ts';

/** A page on which people enrol: its pass, whose it is, and what it asks for. */
export interface OpenForm {
  readonly pass: PassRow;
  readonly workspace: WorkspaceRow;
  readonly form: JoinForm;
}

/**
 * The form of a pass that people may enrol to. Raises `pass_not_found` where there is none, or it is not open, and
 * `workspace_suspended`.
 */
export async function findOpenForm({ app }: PublicCtx, publicId: string): Promise<OpenForm> {
  const { db } = app.database;
  const passId = decodeId('pass', publicId);
  const pass = passId === null ? undefined : await findPassAnywhere(db, passId);
  if (pass === undefined) throw notOpen();
  const workspace = await ownWorkspace(db, pass);
  return branded(brandOf(app.config.publicUrl, workspace.name, pass), async () => {
    const form = pass.joinForm;
    if (form === null || !form.enabled || pass.status !== 'published') throw notOpen();
    // Its cards would have expired as they are given out.
    if (pass.expiry.kind === 'fixed' && hasExpired(new Date(pass.expiry.at), app.now())) throw notOpen();
    if (workspace.suspendedAt !== null)
      throw refusal('workspace_suspended', 'This shop gives out no cards at the moment.');
    return { pass, workspace, form };
  });
}

function notOpen() {
  return refusal('pass_not_found', 'You cannot enrol here at the moment. Ask the shop.');
}

/** Does work for a person who enrols: a refusal is shown as a page of the shop. */
export function forShop<T>(
  { app }: PublicCtx,
  { pass, workspace }: OpenForm,
  work: () => Promise<T>,
): Promise<T> {
  return branded(brandOf(app.config.publicUrl, workspace.name, pass), work);
}
