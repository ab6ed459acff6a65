import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ConfigError } from '../config.ts';
import type { Database } from '../kit/db/database.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { printable } from '../kit/text/printable.ts';
import { auditLedger, listLedgers } from '../ledger/audit-ledger.ts';
import { exportSeals } from '../ledger/export-seals.ts';
import type { Finding, Recount } from '../ledger/recount.ts';
import { SealBroken, verifySeals } from '../ledger/verify-seals.ts';
import { sumStatistics } from '../statistics/check-statistics.ts';
import { useDatabase } from './use-database.ts';

/** Recounts the ledgers now, of one workspace or of all, and prints what was found. Exit code 1 on a finding. */
export async function auditLedgers({ workspace }: { workspace?: string }): Promise<void> {
  await useDatabase('punchcard audit', async (database) => {
    const ledgers = pickLedgers(await listLedgers(database.db), workspace);
    if (ledgers.length === 0) console.log('There are no loyalty programs yet.');
    for (const { workspaceId, name } of ledgers) {
      const recount = await auditLedger(database, workspaceId, () => new Date(), sumStatistics);
      report(recount, name);
      if (recount.findings.length > 0) process.exitCode = 1;
    }
  });
}

/** All of them, or the one that was named. */
function pickLedgers<T extends { workspaceId: string }>(
  ledgers: readonly T[],
  workspace: string | undefined,
): readonly T[] {
  if (workspace === undefined) return ledgers;
  const ledger = ledgers.find(({ workspaceId }) => workspaceId === decodeId('ws', workspace));
  if (ledger === undefined) {
    throw new ConfigError(`No workspace with a loyalty program has the id ${JSON.stringify(workspace)}`);
  }
  return [ledger];
}

function report({ workspaceId, accounts, entries, findings }: Recount, name: string): void {
  const what = `${encodeId('ws', workspaceId)} ${JSON.stringify(name)}: ${accounts} accounts, ${entries} entries`;
  console.log(findings.length === 0 ? `✓ ${what}` : `✗ ${what}, ${findings.length} findings`);
  for (const finding of findings) console.log(`    ${lineOf(finding)}`);
}

function lineOf({ rule, id, instanceId, expected, found }: Finding): string {
  const where = instanceId === undefined ? id : `${id} (${instanceId})`;
  return `${rule}  ${where}: expected ${expected}, found ${found}`;
}

/** Writes the sealed entries and their seals to the output, a line of JSON each. */
export async function exportLedgerSeals({ workspace }: { workspace?: string }): Promise<void> {
  try {
    await useDatabase('punchcard seals', (database) =>
      pipeline(exportLines(database, workspace), process.stdout, { end: false }),
    );
  } catch (error) {
    // The reader has closed the pipe.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function* exportLines({ db }: Database, workspace: string | undefined): AsyncGenerator<string> {
  for (const { workspaceId } of pickLedgers(await listLedgers(db), workspace)) {
    for await (const line of exportSeals(db, workspaceId)) yield `${JSON.stringify(line)}\n`;
  }
}

/** Verifies such a file without a database. Prints the head of each ledger, or the first thing that is wrong: exit code 1. */
export async function verifyLedgerSeals(file: string, { head }: { head?: string }): Promise<void> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new ConfigError('--head is a hash of 64 digits, as an earlier verification has printed it');
  }
  const lines = (await open(file)).readLines();
  let hasHead = false;
  try {
    for await (const ledger of verifySeals(lines, head ?? null)) {
      hasHead ||= ledger.hasHead;
      const { seals, entries, unproven } = ledger;
      console.log(
        `✓ ${encodeId('ws', ledger.workspaceId)}: ${entries} entries, ${seals} seals, head ${ledger.head}${unproven === 0 ? '' : `; ${unproven} entries not proven, besides erased reasons`}`,
      );
    }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return fail(error.message);
  }
  if (head !== undefined && !hasHead) {
    fail(`no seal has the hash ${head}: the chain was made again, or ends before it`);
  }
}

function fail(what: string): void {
  console.log(`✗ ${printable(what)}`);
  process.exitCode = 1;
}
