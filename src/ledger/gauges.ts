import type { Db } from '../kit/db/database.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { countFindings } from './audits.sql.ts';

/** What /metrics says of the ledger. */
export function ledgerGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'ledger_findings',
      help: "What the newest audits of the workspaces' ledgers have found, by the rule that is broken",
      label: 'rule',
      read: async () => Object.fromEntries((await countFindings(db)).map(({ rule, count }) => [rule, count])),
    },
  ];
}
