import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../../audit.ts';
import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { asRefusal } from '../../failures.ts';
import { once, plainly } from '../../idempotency.ts';
import { fingerprintOf } from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, invalidRequest } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { refuseVoided } from '../instances/find-instance.ts';
import { findTargets, type HeldRow, type Target } from '../instances/hold-targets.ts';
import { findPass } from '../passes/find-pass.ts';
import { findProgram } from '../programs/find-program.ts';
import type { LedgerRules } from '../programs/ledger-rules.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import type { Act } from './account.ts';
import { type Book, spendable } from './account-book.ts';
import { movePoints } from './adjust-points.ts';
import { type LineResult, presentReport } from './balances.schema.ts';
import { beginTrial, undoTrial } from './balances.sql.ts';
import { type LedgerItem, type LedgerOutcome, laneOf, type Posted } from './ledger-item.ts';
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
  readonly target: Target;
  readonly balance: number;
}

/**
 * Sets balances to the figures of a file, each line for itself, and reports what became of each. The difference is
 * decided while the card is held, so that no award made meanwhile is lost. With `key` a line that was applied before is
 * answered as it was; a dry run takes no notice of it, and writes nothing.
 */
export async function importBalances(
  ctx: KeyCtx,
  input: { programId: string; file: string; dryRun: boolean; key: string | null },
) {
  const { dryRun } = input;
  const program = await findProgram(ctx.app.database.db, ctx, input.programId);
  const lines = await readBalances(input.file);
  const results = new Map<number, LineResult>();
  const asked = await tellApart(ctx, program, lines, results);
  const key = dryRun ? null : input.key;
  if (!dryRun && asked.length > 0) await auditOnce(ctx, program, key, lines.length);
  const batches = batchesOf(asked, linesPerBatch);
  const patience = { left: retries };
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const settling = batch.map((one) => setOne(ctx, itemOf(ctx, program, one, key), dryRun, patience));
      const done = await Promise.all(settling);
      for (const [at, { line }] of batch.entries()) results.set(line, { line, ...done[at] } as LineResult);
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, work));
  if (!dryRun) ctx.app.wake();
  return presentReport(
    dryRun,
    lines.flatMap(({ line }) => results.get(line) ?? []),
  );
}

/** The lines that ask for something, each for a card of its own; the others are refused. */
async function tellApart(
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
        const again = invalidRequest(`Line ${first} names the same card.`);
        results.set(one.line, { line: one.line, ...refused(again) });
      }
    }
  }
  return apart;
}

/** Before the first line: what is applied stands in the audit log, however the import ends. */
async function auditOnce(ctx: KeyCtx, program: ProgramRow, key: string | null, lines: number): Promise<void> {
  const target = encodeId('prog', program.programId);
  const write = (tx: Tx) =>
    audit(tx, ctx, { action: 'importBalances', target, detail: { lines, externalRef: key } });
  await ctx.app.database.transaction(async (tx) => {
    if (key === null) return write(tx);
    const claim = {
      operation: 'importBalances',
      key,
      fingerprint: fingerprintOf([target]),
      requestId: ctx.requestId,
    };
    await once(tx, ctx.workspaceId, claim, plainly, async () => {
      await write(tx);
      return { status: 200, body: {} };
    });
  });
}

function itemOf(
  ctx: KeyCtx,
  program: ProgramRow,
  { line, target, balance }: AskedLine,
  key: string | null,
): LedgerItem {
  const passId = encodeId('pass', program.passId);
  return {
    ctx,
    operation: 'importBalances',
    // Apart from every key that a caller can choose: those hold no tab.
    key: key === null ? null : `${key}\t${line}`,
    effect: [passId, target, balance],
    passId,
    partnerId: null,
    target,
    reason: null,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: true,
    spends: true,
    undone: null,
    decide: (book, rules, act, card) => setBalance(book, rules, { ...act, externalRef: key }, card, balance),
  };
}

/** Enters the difference to the figure, if there is one. Of a voided card the figure can only be confirmed. */
function setBalance(book: Book, rules: LedgerRules, act: Act, card: HeldRow, balance: number): Posted {
  const before = spendable(book, act.at);
  const points = balance - before;
  if (points === 0) return { entry: null, answer: { status: 'unchanged', before, after: before, points } };
  refuseVoided(card);
  if (!Number.isSafeInteger(points)) throw invalidRequest(`balance: too far from the balance of ${before}.`);
  const { entry } = movePoints(book, rules, act, 'import', points);
  return { entry, answer: { status: 'changed', before, after: book.account.balance, points } };
}

/** Sets one balance. What hinders the database for a moment hinders no line: it is tried again after a rest. */
async function setOne(ctx: KeyCtx, item: LedgerItem, dryRun: boolean, patience: Patience): Promise<Outcome> {
  for (;;) {
    const outcome = await settled(ctx, item, dryRun);
    if (!(outcome instanceof ApiError)) return applied(JSON.parse(String(outcome.body)));
    const isPassing = outcome.code === 'overloaded' || outcome.extra.retryable === true;
    if (!isPassing || patience.left === 0) return refused(outcome);
    patience.left -= 1;
    await sleep(restMs);
  }
}

async function settled(ctx: KeyCtx, item: LedgerItem, dryRun: boolean): Promise<LedgerOutcome> {
  try {
    return await ctx.app.groupCommit.write(dryRun ? tryOut : postToLedger, laneOf(item), item);
  } catch (error) {
    const known = asRefusal(error, item.key !== null || dryRun);
    if (known instanceof ApiError) return known;
    // The other lines have their own fate, which the caller must learn.
    ctx.app.log.error({ err: error, requestId: ctx.requestId }, 'a line of an import failed');
    return refusal('internal_error', 'The balance could not be set. Contact support.');
  }
}

/** What posting the items would answer. */
async function tryOut(tx: Tx, lane: string, items: readonly LedgerItem[]): Promise<readonly LedgerOutcome[]> {
  await beginTrial(tx);
  const outcomes = await postToLedger(tx, lane, items);
  await undoTrial(tx);
  return outcomes;
}

function applied({ status, instanceId, before, after, points }: Outcome): Outcome {
  return { status, instanceId, before, after, points };
}

function refused({ code, message, extra }: ApiError): Outcome {
  return { status: 'refused', error: { code, error: message, ...extra } };
}

function batchesOf<T>(all: readonly T[], length: number): T[][] {
  const count = Math.ceil(all.length / length);
  return Array.from({ length: count }, (_, at) => all.slice(at * length, (at + 1) * length));
}
