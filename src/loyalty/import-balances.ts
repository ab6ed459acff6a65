import { setTimeout as sleep } from 'node:timers/promises';
import { refuseVoided } from '../cards/find-instance.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { submit } from '../engine/batch.ts';
import { once } from '../engine/idempotency.ts';
import { refusal, toApiError } from '../errors.ts';
import { batchesOf } from '../kit/batches.ts';
import { fingerprintOf } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, invalidAs, invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { allEnded } from '../kit/promises.ts';
import type { Cause } from '../ledger/account.ts';
import { type AccountLedger, spendable } from '../ledger/account-ledger.ts';
import { findPass } from '../passes/find-pass.ts';
import { findProgram } from '../passes/programs/find-program.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { movePoints } from './adjust-points.ts';
import { type LineResult, presentReport } from './balances.schema.ts';
import { beginTrial, undoTrial } from './balances.sql.ts';
import { claimsOf, type LedgerCall, laneOf, type Posted } from './ledger-item.ts';
import { type CardTarget, findTargets, type LockedRow } from './lock-targets.ts';
import { postToLedger } from './post-to-ledger.ts';
import { type BalanceLine, readBalances } from './read-balances.ts';

/** How many lines share a transaction, and how many such batches are under way at a time. */
const linesPerBatch = 100;
const batchesAtOnce = 2;
/** How many cards are looked up by one query. */
const cardsPerLookUp = 1_000;
/** How often lines of one import are tried again, all in all, and after how long a rest. */
const retries = 5 * linesPerBatch;
const restMs = 500;

interface Patience {
  left: number;
}

type Outcome = Omit<LineResult, 'line'>;

interface AskedLine {
  readonly line: number;
  readonly target: CardTarget;
  readonly balance: number;
}

/** The outcome of a figure. */
type Figure = Pick<Outcome, 'status' | 'before' | 'after' | 'points'>;
type Call = LedgerCall<Figure, { readonly status: 200; readonly body: Outcome }>;

/**
 * Sets balances to the figures of a file, each line for itself, and reports the outcome of each. The difference is
 * decided while the card is held, so that no concurrent award is lost. With `key` a line that was applied before is
 * answered as it was; a dry run takes no notice of it, and writes nothing.
 */
export async function importBalances(
  ctx: KeyCtx,
  input: { programId: string; file: string; dryRun: boolean; key: string | null },
) {
  const { dryRun } = input;
  const program = await findProgram(ctx.app.database.db, ctx, input.programId);
  const lines = await readBalances(input.file, program.currency);
  const results = new Map<number, LineResult>();
  const asked = await separateKnown(ctx, program, lines, results);
  const key = dryRun ? null : input.key;
  if (!dryRun && asked.length > 0) await auditOnce(ctx, program, key, lines.length);
  const batches = batchesOf(asked, linesPerBatch);
  const patience = { left: retries };
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      // A large file takes long, and an owner may revoke the key before the end: what was applied stays.
      await ctx.app.askKeyAgain.ifLate(ctx);
      const settling = batch.map((one) => setOne(ctx, itemOf(ctx, program, one, key), dryRun, patience));
      const done = await Promise.all(settling);
      for (const [at, { line }] of batch.entries()) results.set(line, { line, ...done[at] } as LineResult);
    }
  };
  // What is under way when the key is found to be revoked is applied: the answer comes after it.
  await allEnded(Array.from({ length: batchesAtOnce }, work));
  return presentReport(
    dryRun,
    lines.flatMap(({ line }) => results.get(line) ?? []),
  );
}

/** The lines that ask for something, each for a card of its own; the others are refused. */
async function separateKnown(
  ctx: KeyCtx,
  program: ProgramRow,
  lines: readonly BalanceLine[],
  results: Map<number, LineResult>,
): Promise<AskedLine[]> {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, encodeId('pass', program.passId));
  const asked = lines.flatMap(({ line, asked: wanted }) => {
    if (!(wanted instanceof ApiError)) return [{ line, ...wanted }];
    results.set(line, { line, ...refused(wanted) });
    return [];
  });
  const firstLines = new Map<string, number>();
  const apart: AskedLine[] = [];
  for (const batch of batchesOf(asked, cardsPerLookUp)) {
    const cards = await findTargets(
      db,
      pass,
      batch.map(({ target }) => target),
    );
    for (const [at, one] of batch.entries()) {
      const card = cards[at];
      const first = typeof card === 'string' ? firstLines.get(card) : undefined;
      if (typeof card === 'string' && first === undefined) firstLines.set(card, one.line);
      if (first === undefined) apart.push(one);
      else {
        const duplicate = invalidAs('unique', `Line ${first} names the same card.`);
        results.set(one.line, { line: one.line, ...refused(duplicate) });
      }
    }
  }
  return apart;
}

/** Writes the audit line before the first line of the file: the log has the import, however it ends. */
async function auditOnce(ctx: KeyCtx, program: ProgramRow, key: string | null, lines: number): Promise<void> {
  const target = encodeId('prog', program.programId);
  const write = async (tx: Tx) =>
    audit(tx, ctx, { action: 'importBalances', target, detail: { lines, externalRef: key } });
  const { database } = ctx.app;
  if (key === null) return database.transaction(write);
  const claim = {
    operation: 'importBalances',
    key,
    fingerprint: fingerprintOf([target]),
    requestId: ctx.requestId,
  };
  await once(database, ctx.workspaceId, claim, {}, async (tx) => {
    await write(tx);
    return { status: 200, body: {} };
  });
}

function itemOf(
  ctx: KeyCtx,
  program: ProgramRow,
  { line, target, balance }: AskedLine,
  key: string | null,
): Call {
  const passId = encodeId('pass', program.passId);
  return {
    ctx,
    operation: 'importBalances',
    // Apart from every key that a caller can choose: those hold no tab.
    claims: claimsOf(ctx, 'importBalances', passId, {
      key: key === null ? null : `${key}\t${line}`,
      effect: [passId, target, balance],
    }),
    names: [],
    externalRef: key,
    passId,
    partnerId: null,
    target,
    reason: null,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: true,
    spends: true,
    undone: null,
    decide: (ledger, rules, cause, card) => setBalance(ledger, rules, cause, card, balance),
    present: ({ instanceId, state: { status, before, after, points } }) => ({
      status: 200,
      body: { status, instanceId, before, after, points },
    }),
  };
}

/** Enters the difference to the figure, if there is one. Of a voided card the figure can only be confirmed. */
function setBalance(
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
  card: LockedRow,
  balance: number,
): Posted<Figure> {
  const before = spendable(ledger, cause.at);
  const points = balance - before;
  if (points === 0) return { entry: null, state: { status: 'unchanged', before, after: before, points } };
  refuseVoided(card);
  if (!Number.isSafeInteger(points))
    throw invalidField('balance', 'max_value', `too far from the balance of ${before}.`);
  const { entry } = movePoints(ledger, rules, cause, 'import', points);
  return { entry, state: { status: 'changed', before, after: ledger.account.balance, points } };
}

/** Sets one balance. What hinders the database for a moment hinders no line: it is tried again after a rest. */
async function setOne(ctx: KeyCtx, item: Call, dryRun: boolean, patience: Patience): Promise<Outcome> {
  for (;;) {
    const outcome = await settled(ctx, item, dryRun);
    if (!(outcome instanceof ApiError)) return applied(outcome);
    const isPassing = outcome.code === 'overloaded' || outcome.extra.retryable === true;
    if (!isPassing || patience.left === 0) return refused(outcome);
    patience.left -= 1;
    await sleep(restMs);
  }
}

async function settled(ctx: KeyCtx, item: Call, dryRun: boolean): Promise<Outcome | ApiError> {
  try {
    const done = await submit(ctx, dryRun ? tryOut : postToLedger, laneOf(item), item);
    return done.body;
  } catch (error) {
    const known = toApiError(error, item.claims.length > 0 || dryRun);
    if (known instanceof ApiError) return known;
    // The other lines have their own fate, which the caller must learn.
    ctx.app.log.error({ err: error, requestId: ctx.requestId }, 'a line of an import failed');
    return refusal('internal_error', 'The balance could not be set. Contact support.');
  }
}

/** What posting the items would answer. */
const tryOut: typeof postToLedger = async (tx, lane, items) => {
  await beginTrial(tx);
  const outcomes = await postToLedger(tx, lane, items);
  await undoTrial(tx);
  tx.unit.reset();
  return outcomes;
};

function applied({ status, instanceId, before, after, points }: Outcome): Outcome {
  return { status, instanceId, before, after, points };
}

function refused({ code, message, extra }: ApiError): Outcome {
  return { status: 'refused', error: { code, error: message, ...extra } };
}
