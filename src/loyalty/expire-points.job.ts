import type { PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { isTransient } from '../kit/db/database-errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { plainCause } from '../ledger/account.ts';
import { type AccountLedger, expireDue } from '../ledger/account-ledger.ts';
import { type DueCards, findDueCards } from '../ledger/accounts.sql.ts';
import { expiryJob } from '../ledger/emit-entry-events.ts';
import { readLedgers } from '../ledger/read-ledgers.ts';
import { writeLedgers } from '../ledger/write-ledgers.ts';
import { findAnyPass } from '../passes/find-pass.ts';
import { ledgerRules } from '../passes/programs/ledger-rules.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { lockTargets, restamp } from './lock-targets.ts';

/** A step is one transaction. */
const cardsPerStep = 100;

/**
 * Subtracts expired points, a step of one pass a round; false when there are none. A call that earns or
 * spends earlier does the same for its account, so that no expired point is ever spent.
 */
export async function expirePoints(ctx: PublicCtx): Promise<boolean> {
  const { database, now, log } = ctx.app;
  const due = await findDueCards(database.db, now(), [...failing], cardsPerStep);
  if (due === undefined) {
    // Another attempt, now that no other card waits behind them.
    failing.clear();
    return false;
  }
  const expire = (instanceIds: readonly string[]) =>
    database.transaction((tx) => expireCards(tx, ctx, { ...due, instanceIds }));
  try {
    await expire(due.instanceIds);
  } catch (error) {
    if (isTransient(error)) throw error;
    // One card by one: an account that cannot be posted to does not delay the others.
    for (const instanceId of due.instanceIds) {
      await expire([instanceId]).catch((cause) => {
        failing.add(instanceId);
        log.error(
          { err: cause, instanceId: encodeId('inst', instanceId) },
          'the points of a card could not expire',
        );
      });
    }
  }
  return true;
}

/** Cards that are passed over until all others had their turn. */
const failing = new Set<string>();

async function expireCards(
  tx: Tx,
  ctx: PublicCtx,
  { workspaceId, passId, instanceIds }: DueCards,
): Promise<void> {
  const at = ctx.app.now();
  const pass = await findAnyPass(tx, workspaceId, encodeId('pass', passId));
  const rules = pass && (await ledgerRules(tx, pass, at));
  if (pass === undefined || rules === undefined) return;
  const { program } = rules;
  const held = await lockTargets(
    tx,
    pass,
    instanceIds.map((id) => ({ instanceId: encodeId('inst', id) })),
  );
  const cards = held.filter((card) => !(card instanceof ApiError));
  const wanted = cards.map((card) => ({ card, spends: false, undone: null }));
  const ledgers = await readLedgers(tx, program, wanted, at);
  const cause = plainCause(expiryJob, ctx.requestId, at);
  const changed = cards.filter((card) => {
    const ledger = ledgers.get(card.instanceId) as AccountLedger;
    expireDue(ledger, cause);
    return ledger.entries.length > 0;
  });
  for (const card of changed) {
    const ledger = ledgers.get(card.instanceId) as AccountLedger;
    ledger.account = { ...ledger.account, ...restamp(ctx, pass, card) };
    if (program.launchedAt !== null) await announceChange(tx, ctx, card, true);
  }
  writeLedgers(tx, ctx, program, [...ledgers.values()], at);
}
