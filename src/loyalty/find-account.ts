import { findInstance, instanceNotFound } from '../cards/find-instance.ts';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidAs } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import type { Account } from '../ledger/account.ts';
import { readAccounts } from '../ledger/accounts.sql.ts';
import { readHolding } from '../ledger/entries.sql.ts';
import { findPass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { findProgram, programOfPass } from '../passes/programs/find-program.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { requireSomeProgram } from './ledger-item.ts';
import { findCardOf } from './lock-targets.ts';
import { presentHolder } from './loyalty.schema.ts';

/**
 * What a holder has in the program of a pass. Raises what `findPass` raises, `no_loyalty_program`, and
 * `holder_not_found`.
 */
export async function showHolder(ctx: KeyCtx, asked: { identifier: string; passId: string }) {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, asked.passId);
  const program = await requireProgram(db, pass);
  const identifier = asked.identifier.normalize('NFC');
  const instanceId = await holderCard(db, pass, identifier);
  const holding = await readHolding(db, ctx.workspaceId, instanceId);
  return presentHolder({ identifier, instanceId }, program, holding, ctx.app.now());
}

/** Whose entries are asked for: those of one account, of all of a program, or none. */
export type EntriesOf = { readonly account: Account | undefined } | { readonly program: ProgramRow };

/** Finds whose entries are asked for. Raises `invalid_request` unless it is one card, one pass, or one program, and `role_required` of staff unless it is one card. */
export async function findEntriesOf(
  ctx: KeyCtx,
  asked: {
    readonly identifier?: string | undefined;
    readonly instanceId?: string | undefined;
    readonly passId?: string | undefined;
    readonly programId?: string | undefined;
  },
): Promise<EntriesOf> {
  const { db } = ctx.app.database;
  const { identifier, instanceId, passId, programId } = asked;
  if (ctx.key.role === 'staff' && identifier === undefined && instanceId === undefined)
    throw refusal('role_required', 'Staff see the entries of one card: name it.');
  if (programId !== undefined) {
    if ([identifier, instanceId, passId].some((name) => name !== undefined))
      throw invalidAs('excluded', 'Ask by programId alone, or without it.', { part: 'query' });
    return { program: await findProgram(db, ctx, programId) };
  }
  if (identifier !== undefined && instanceId !== undefined)
    throw invalidAs('excluded', 'Ask by identifier or by instanceId, not both.', {
      limit: ['identifier', 'instanceId'],
      part: 'query',
    });
  if (instanceId !== undefined) {
    const card = await findInstance(db, ctx, instanceId);
    if (passId !== undefined && passId !== encodeId('pass', card.passId))
      throw instanceNotFound('this instanceId');
    return { account: await accountOf(db, ctx, card.instanceId) };
  }
  if (passId === undefined) {
    throw invalidAs('required', 'Ask by instanceId, by passId, by programId, or by identifier and passId.', {
      limit: ['instanceId', 'passId', 'programId'],
      part: 'query',
    });
  }
  const pass = await findPass(db, ctx, passId);
  const program = await requireProgram(db, pass);
  if (identifier === undefined) return { program };
  return { account: await accountOf(db, ctx, await holderCard(db, pass, identifier.normalize('NFC'))) };
}

/** The program of a pass; raises `no_loyalty_program`. */
export async function requireProgram(db: Db, pass: PassRow): Promise<ProgramRow> {
  const program = await programOfPass(db, pass.workspaceId, pass.passId);
  requireSomeProgram(program);
  return program;
}

async function holderCard(db: Db, pass: PassRow, identifier: string): Promise<string> {
  const instanceId = await findCardOf(db, pass, identifier);
  if (instanceId === undefined)
    throw refusal('holder_not_found', 'No holder of this pass has this identifier.');
  return instanceId;
}

async function accountOf(db: Db, ctx: KeyCtx, instanceId: string): Promise<Account | undefined> {
  return (await readAccounts(db, ctx.workspaceId, [instanceId]))[0];
}
