import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { refusal } from '../../errors.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invalidAt, invalidField } from '../../kit/http/api-error.ts';
import { requireCurrency } from '../../kit/http/schemas/money.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { ownWorkspace } from '../../workspaces/own-workspace.ts';
import { keepPass, takeProgram } from '../change-shown.ts';
import type { PassRow } from '../pass-row.ts';
import { warningsOf } from '../warnings.ts';
import { recordState, showProgram } from './find-program.ts';
import type { NewProgram } from './new-program.schema.ts';
import { presentProgram } from './program.schema.ts';
import type { ProgramRow } from './program-row.ts';
import { blankTerms, changeTerms } from './program-terms.ts';
import { insertProgram } from './programs.sql.ts';

/** A program on a pass that has none, not launched yet. Raises `pass_already_dynamic`, and what `findPass` raises. */
export async function createProgram(tx: Tx, ctx: KeyCtx, input: Static<typeof NewProgram>) {
  const { passId: publicId, mode, currency: asked, ...changes } = input;
  if (asked !== undefined && mode !== 'MONEY')
    throw invalidField('currency', 'excluded', 'only mode "MONEY" has one. Leave it out.');
  if (asked !== undefined) requireCurrency('currency', asked);
  const { currency: usual } = await ownWorkspace(tx, ctx);
  const currency = asked ?? usual;
  if (mode !== 'MONEY' && changes.reward === undefined && changes.rewards === undefined)
    throw invalidAt('reward', 'required', 'is required; in POINTS, rewards will do as well.');
  const terms = changeTerms(mode, blankTerms(mode, currency), changes, []);
  const pass = await keepPass(tx, ctx, publicId);
  if (mode === 'MONEY') refuseOtherThanGiftCard(pass);
  refuseSecond(pass);
  const now = ctx.app.now();
  const row: ProgramRow = {
    ...terms,
    workspaceId: pass.workspaceId,
    programId: newUuidV7(),
    passId: pass.passId,
    mode,
    status: 'not_launched',
    launchedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertProgram(tx, row);
  await takeProgram(tx, ctx, pass, row.programId);
  await recordState(tx, ctx, row);
  audit(tx, ctx, {
    action: 'createProgram',
    target: encodeId('prog', row.programId),
    detail: { after: presentProgram(row) },
  });
  return { ...(await showProgram(tx, row)), ...warningsOf(pass, row) };
}

function refuseOtherThanGiftCard({ type }: PassRow): void {
  if (type !== 'giftCard')
    throw invalidField(
      'passId',
      'reference',
      `money is held by passes of the type giftCard, and this one is ${type}.`,
    );
}

function refuseSecond({ programId }: PassRow): void {
  if (programId === null) return;
  const path = `/loyalty/programs/${encodeId('prog', programId)}`;
  throw refusal(
    'pass_already_dynamic',
    `The pass already has a loyalty program. Change it with PATCH ${path}.`,
  );
}
