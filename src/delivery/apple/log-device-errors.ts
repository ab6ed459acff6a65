import { countIn, type Limit } from '../../access/limits.ts';
import { lockCard } from '../../cards/count-wallets.ts';
import { readSerialNumber, serialNumberOf, serialNumberPattern } from '../../cards/serial-number.ts';
import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { noteReports } from '../../events/note-on-timeline.ts';
import type { Tx } from '../../kit/db/database.ts';
import { addressBucket } from '../../kit/http/endpoints/client-address.ts';
import { insertLogs } from './logs.sql.ts';
import { listRegistered } from './registrations.sql.ts';

/** Lines of one client address. */
const perAddress: Limit = { atOnce: 20, everyS: 30 };
const longestLine = 500;
/** A line is about one card; each that is looked up may be of another workspace. */
const mostNamed = 3;

/**
 * Keeps what a device reports: on the timeline of the registered card that a line names, or else in the log of the
 * installation. The endpoint is public, so lines beyond the budget of an address, and of a card, are dropped.
 */
export async function logDeviceErrors(ctx: PublicCtx, logs: readonly unknown[]): Promise<void> {
  const lines = logs.filter((line) => typeof line === 'string').filter((line) => line.trim() !== '');
  const within = await withinBudget(ctx, lines);
  const kept = within.length === 0 ? 0 : await keepLines(ctx, within);
  const dropped = logs.length - kept;
  if (dropped > 0) ctx.app.log.warn({ requestId: ctx.requestId, dropped }, 'lines of a device were dropped');
}

async function withinBudget(ctx: PublicCtx, lines: readonly string[]): Promise<string[]> {
  const key = `device log:${addressBucket(ctx.ip ?? '')}`;
  const within: string[] = [];
  for (const line of lines) {
    const verdict = await countIn(ctx.app, key, perAddress);
    if (!verdict.allowed) break;
    within.push(line);
  }
  return within;
}

/** How many of the lines were kept. */
async function keepLines(ctx: PublicCtx, lines: readonly string[]): Promise<number> {
  return ctx.app.database.transaction(async (tx) => {
    let kept = 0;
    // In the order of ids, so that two callers cannot block each other.
    const named = [...(await bySerialNumber(tx, lines))].sort(([one], [two]) => (one < two ? -1 : 1));
    for (const [serialNumber, about] of named) {
      const messages = about.map((line) => tidy(line, serialNumber));
      const card = readSerialNumber(serialNumber);
      if (card !== null) await lockCard(tx, card);
      kept +=
        card === null
          ? await insertLogs(tx, messages, ctx.app.now())
          : await noteReports(tx, ctx, card, messages);
    }
    return kept;
  });
}

/** The lines by the first serial number in them that a device is registered for; empty where there is none. */
async function bySerialNumber(tx: Tx, lines: readonly string[]): Promise<Map<string, string[]>> {
  const serialNumbersIn = (line: string) => line.match(serialNumberPattern)?.slice(0, mostNamed) ?? [];
  const cards = lines.flatMap(serialNumbersIn).flatMap((text) => readSerialNumber(text) ?? []);
  const registered = new Set<string>();
  for (const [workspaceId, its] of byWorkspace(cards))
    for (const card of await listRegistered(tx, workspaceId, its)) registered.add(serialNumberOf(card));
  const first = (line: string) => serialNumbersIn(line).find((text) => registered.has(text)) ?? '';
  return Map.groupBy(lines, first);
}

/**
 * One line without what could be a secret: devices write their library identifier into it, and any caller could write a
 * token. What is long and no words is left out, but for the serial number that the line is about.
 */
function tidy(line: string, serialNumber: string): string {
  return line
    .replaceAll(/[\w+-]{16,}=*/g, (run) => (run === serialNumber || isWords(run) ? run : '…'))
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, longestLine)
    .toWellFormed()
    .trim();
}

/**
 * Words, alone or joined as `NSURLErrorCannotConnectToHost` or `unknown_error`. One random token in 200 has no digit: its small
 * letters do not stand three and more together each time.
 */
function isWords(run: string): boolean {
  if (/\d/.test(run)) return false;
  const small = run.match(/[a-z]+/g) ?? [];
  return (
    /^(?:NS|PK|k?CF)[A-Za-z]+$/.test(run) || (small.length > 0 && small.every(({ length }) => length > 2))
  );
}
