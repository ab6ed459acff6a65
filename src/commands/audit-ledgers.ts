import { ConfigError } from '../config.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { auditLedger, listLedgers } from '../ledger/audit-ledger.ts';
import type { Finding, Recount } from '../ledger/recount.ts';
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
