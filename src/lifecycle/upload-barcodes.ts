import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from 'typebox';
import { isOnCard } from '../cards/issue.sql.ts';
import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { type Answered, onceArrived } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import { fingerprintOf } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import type { BulkheadOptions } from '../kit/limits/bulkhead.ts';
import { Spool } from '../kit/text/spool.ts';
import { presentUpload, type RejectedCode, type UploadReport } from '../passes/barcode.schema.ts';
import { countCards } from '../passes/count-cards.ts';
import { moveMark } from '../passes/count-pool.ts';
import { findPass, passNotFound } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { countsOfPass, lockPassAlone, type PassCounts } from '../passes/passes.sql.ts';
import { keepMark } from '../passes/pool.sql.ts';
import { normalCode, readCodes, type Sent, type SentCode, sentCodes } from '../passes/read-codes.ts';
import {
  findAvailable,
  findLastSeq,
  insertCodes,
  takeUploadTurn,
  withdrawCarried,
} from '../passes/uploads.sql.ts';

/**
 * Adds codes to the pool of a pass, in their order, and reports on those that are not added. All of them have arrived
 * before anything is written, in one transaction: a client that is slow or breaks off delays no other call. Uploads to one
 * pass take turns. Raises what `findPass` raises, and `invalid_request` for a pass that draws from no pool.
 */
export async function uploadBarcodes(
  ctx: KeyCtx,
  input: { passId: string; codes: Readable | readonly string[]; key: string | null },
): Promise<Answered<UploadAnswer>> {
  const pass = await findPass(ctx.app.database.db, ctx, input.passId);
  if (input.key === null) refuseOtherModes(pass);
  const spool = new Spool(ctx.app.config.dataDir);
  try {
    const sent = await readCodes(input.codes, pass.barcodeFormat, spool);
    const fingerprint = fingerprintOf([pass.passId, sent.hash]);
    const call = { operation: 'uploadBarcodes', key: input.key, fingerprint };
    const add = async (tx: Tx): Promise<UploadAnswer> => {
      if (!(await takeUploadTurn(tx, pass.passId))) throw new TurnTaken();
      return { status: 200, body: await addCodes(tx, ctx, pass, sent, spool) };
    };
    return await inTurn(ctx, () => onceArrived(ctx, call, add));
  } finally {
    await spool.close();
  }
}

interface UploadAnswer {
  readonly status: 200;
  readonly body: Static<typeof UploadReport>;
}

/** Another upload to the pass is at work. */
class TurnTaken extends Error {}

const restMs = 40;

/** Uploads that write at a time; each takes a connection for a second or so. */
export const uploadTurns: BulkheadOptions = {
  places: { perKey: 1, total: 2 },
  waiting: { perKey: 100, total: 1_000 },
  maxQueueMs: 20_000,
  refusal: () =>
    refusal('overloaded', 'Other uploads to this pass are under way. Retry when they have ended.'),
};

/** Runs an upload when no other to the pass is at work; who waits for that holds no connection. */
async function inTurn<T>(ctx: KeyCtx, attempt: () => Promise<T>): Promise<T> {
  for (const start = performance.now(); performance.now() - start < uploadTurns.maxQueueMs; ) {
    try {
      return await ctx.app.uploadTurns.enter(ctx.workspaceId, attempt, ctx.client?.signal);
    } catch (error) {
      if (!(error instanceof TurnTaken)) throw error;
    }
    await sleep(restMs * (0.5 + Math.random()));
  }
  throw uploadTurns.refusal();
}

async function addCodes(tx: Tx, ctx: KeyCtx, { passId, workspaceId }: PassRow, sent: Sent, spool: Spool) {
  const pass = await findPass(tx, ctx, encodeId('pass', passId));
  refuseOtherModes(pass);
  const before = await countsOfPass(tx, pass);
  const lastSeq = await findLastSeq(tx, pass);
  const rejected: RejectedCode[] = [];
  const lines = new Map<string, SentCode>();
  let added = 0;
  for await (const codes of sentCodes(spool)) {
    const fresh = sortOut(codes, lines, rejected);
    const missing = await insertCodes(tx, pass, fresh, strangersOf(before) > 0 ? isOnCard(pass) : null);
    const available = await findAvailable(tx, pass, missing);
    added += fresh.length - missing.length;
    for (const code of missing)
      rejected.push(refused(lines, code, available.has(code) ? 'already_in_pool' : 'already_issued'));
  }
  if (added === 0) return presentUpload(pass, before, { ...reported(sent, rejected), added });

  // No transaction issues from here on, for a moment; then the counts and the mark are exact.
  const held = await lockPassAlone(tx, workspaceId, passId);
  if (held === undefined) throw passNotFound(encodeId('pass', passId));
  refuseOtherModes(held);
  const now = await countsOfPass(tx, held);
  const isCertain = strangersOf(now) === strangersOf(before);
  for (const code of isCertain ? [] : await withdrawCarried(tx, held, lastSeq, isOnCard(held))) {
    rejected.push(refused(lines, code, 'already_issued'));
    added -= 1;
  }
  countCards(tx, held, { pooled: added });
  const counts = { ...now, pooled: now.pooled + added };
  const mark = await moveMark(tx, ctx, held, counts);
  await keepMark(tx, held, mark);
  audit(tx, ctx, {
    action: 'uploadBarcodes',
    target: encodeId('pass', passId),
    detail: { received: sent.received, added },
  });
  return presentUpload({ ...held, ...mark }, counts, { ...reported(sent, rejected), added });
}

/** Raises `invalid_request` unless cards of the pass get their codes from a pool. */
function refuseOtherModes({ barcodeMode }: PassRow): void {
  if (barcodeMode === 'pool') return;
  throw invalidField(
    'barcode.mode',
    'other',
    `the pass has the mode "${barcodeMode}"; only passes of mode "pool" take uploaded codes.`,
  );
}

/** How many cards carry a code that is not in the pool: it came with them. */
function strangersOf({ issued, assigned }: PassCounts): number {
  return issued - assigned;
}

/** Those codes that may be added; the others are rejected. `lines` has what was met before. */
function sortOut(
  codes: readonly SentCode[],
  lines: Map<string, SentCode>,
  rejected: RejectedCode[],
): string[] {
  return codes.flatMap((sent) => {
    const { line, value, fault } = sent;
    const code = normalCode(value);
    const reason = fault ?? (lines.has(code) ? 'duplicate_in_upload' : null);
    if (reason === null) {
      lines.set(code, sent);
      return [code];
    }
    rejected.push({ line, value, reason });
    return [];
  });
}

function refused(
  lines: ReadonlyMap<string, SentCode>,
  code: string,
  reason: RejectedCode['reason'],
): RejectedCode {
  const { line = 0, value = code } = lines.get(code) ?? {};
  return { line, value, reason };
}

function reported({ received }: Sent, rejected: readonly RejectedCode[]) {
  return { received, rejected: [...rejected].sort((a, b) => a.line - b.line) };
}
