import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { addDraft, holdForDraft } from './create-pass.ts';
import { designOf } from './design.ts';
import { findPass } from './find-pass.ts';
import { keepImages } from './images/fetch-images.ts';
import { presentPass } from './pass.schema.ts';
import { noCounts } from './passes.sql.ts';

/**
 * A draft with the design of another pass, its images too: no instances, program or pool codes. Raises
 * `draft_limit_reached`.
 */
export async function clonePass(tx: Tx, ctx: KeyCtx, input: { passId: string; title?: string | undefined }) {
  const original = await findPass(tx, ctx, input.passId);
  await keepImages(tx, ctx, original.images);
  await holdForDraft(tx, ctx);
  const row = await addDraft(tx, ctx, { ...designOf(original), title: input.title ?? original.title });
  audit(tx, ctx, {
    action: 'clonePass',
    target: encodeId('pass', row.passId),
    detail: { original: encodeId('pass', original.passId) },
  });
  return presentPass(ctx.app.config.publicUrl, row, noCounts);
}
