import type { ActorCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { plainCause } from '../ledger/account.ts';
import { add } from '../ledger/account-ledger.ts';
import { readAccounts } from '../ledger/accounts.sql.ts';
import { readLedgers } from '../ledger/read-ledgers.ts';
import { writeLedgers } from '../ledger/write-ledgers.ts';
import { ledgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { minorOf } from '../passes/programs/program-terms.ts';
import { refuseManyRewards } from './earn-points.ts';
import { requireCounting, requireSomeProgram } from './ledger-item.ts';
import type { LockedRow } from './lock-targets.ts';
import { currencyOf, refuseOverfull } from './money-on-card.ts';

/** What a new card brings along from where it was issued, or is sold with. */
export interface Opening {
  readonly balance: number;
  /** Of money, which is in its smallest unit. */
  readonly currency: string | null;
  /** Whether the card is sold with it; else it was issued elsewhere. */
  readonly isSold: boolean;
  /** The caller's key. */
  readonly externalRef: string | null;
}

/** Refuses what the program of a pass cannot take: `no_loyalty_program`; too many rewards and too much money as `invalid_request`. */
export function refuseOpening(program: ProgramRow | undefined, { balance, currency }: Opening): void {
  requireSomeProgram(program);
  if (currency !== null) {
    requireCounting(program, 'money');
    minorOf(currencyOf(program), 'value', { minor: balance, currency });
  } else if (program.currency !== null)
    throw invalidField('balance', 'excluded', 'the cards of this pass hold money. Send value.');
  refuseOverfull(program, balance, 'value');
  refuseManyRewards(program, { before: 0, after: balance }, 'balance');
}

/**
 * Enters what new cards of a pass bring along, an import each, or a load of what they are sold with; answers what they have
 * then. A card that has taken over the account of its holder's former card keeps what that has, and an import { currencyOf, refuseOverfull } from './money-on-card.ts';
import is not added.
 */
export async function postOpeningBalances(
  tx: Tx,
  pass: { readonly workspaceId: string; readonly passId: string },
  openings: readonly { readonly ctx: ActorCtx; readonly card: LockedRow; readonly opening: Opening }[],
): Promise<Map<string, { balance: number; pendingRewards: number }>> {
  const [first] = openings;
  const at = first?.ctx.app.now() ?? new Date();
  const rules = first && (await ledgerRules(tx, pass, at));
  if (first === undefined || rules === undefined) return new Map();
  // A card that was just written may have taken an account over.
  const accounts = await readAccounts(
    tx,
    rules.program.workspaceId,
    openings.map(({ card }) => card.instanceId),
  );
  const accountOf = new Map(accounts.map((account) => [account.instanceId, account]));
  const wanted = openings.map(({ card: { instanceId } }) => {
    const card = { instanceId, account: accountOf.get(instanceId) ?? null };
    return { card, spends: false, undone: null };
  });
  const ledgers = await readLedgers(tx, rules.program, wanted, at);
  const opened = openings.flatMap(({ ctx, card, opening }) => {
    const ledger = ledgers.get(card.instanceId);
    if (ledger === undefined || (ledger.read.seq > 0 && !opening.isSold)) return [];
    const cause = { ...plainCause(ctx.actor, ctx.requestId, at), externalRef: opening.externalRef };
    add(
      ledger,
      rules.program,
      cause,
      opening.isSold ? 'earn' : 'import',
      opening.balance,
      rules.expiryOf(at),
    );
    return [ledger];
  });
  writeLedgers(tx, first.ctx, rules.program, opened, at);
  return new Map(opened.map(({ account }) => [account.instanceId, account]));
}
