import { refusal } from '../../errors.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { futureMoment } from '../../kit/http/future-moment.ts';
import { refuseOpening } from '../loyalty/enter-openings.ts';
import { partnerNotFound } from '../partners/find-partner.ts';
import { refuseUnprintable } from '../passes/design.ts';
import { passNotFound, refuseForeignPass, refuseUnpublished } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import { checkFieldKeys } from './field-values.ts';
import type { IssueItem } from './issue-item.ts';

/**
 * Whether the pass and the body allow the card; answers the pass. `partners` are those of the workspace that items name,
 * `program` is that of the pass where items bring balances.
 * Raises, in this order: `pass_not_found`, `forbidden`, `insufficient_scope`, `pass_archived`, `pass_not_active`,
 * `invalid_request`, the refusals of field values, `partner_not_found`, `no_loyalty_program`.
 */
export function checkIssue<Pass extends PassRow>(
  item: IssueItem,
  pass: Pass | undefined,
  partners: ReadonlyMap<string, string>,
  program: ProgramRow | undefined,
): Pass {
  const { ctx, input } = item;
  if (pass === undefined) throw passNotFound(item.passId);
  refuseForeignPass(ctx, pass);
  if (pass.status === 'archived')
    throw refusal('pass_archived', 'This pass is archived. Publish it again to issue cards.');
  refuseUnpublished(pass);
  checkBarcode(item, pass);
  futureMoment('expiresAt', input.expiresAt ?? null, ctx.app.now());
  if (input.fields !== undefined && Object.keys(input.fields).length > 0)
    checkFieldKeys(pass.fields, input.fields);
  if (input.partnerId != null && !partners.has(input.partnerId)) throw partnerNotFound();
  if (item.opening !== null) refuseOpening(program, item.opening);
  return pass;
}

function checkBarcode({ input, imported }: IssueItem, pass: PassRow): void {
  if (input.barcode == null) return;
  const mayBring = pass.barcodeMode === 'unique' || (imported && pass.barcodeMode === 'pool');
  if (!mayBring) {
    throw invalidRequest(
      `barcode: a pass of barcode mode "${pass.barcodeMode}" sets the code itself. Leave it out.`,
    );
  }
  refuseUnprintable('barcode', pass.barcodeFormat, input.barcode);
}
