import type { Db } from '../../kit/db/database.ts';
import type { NamedGauge } from '../../kit/telemetry/metrics.ts';
import { countSweeps } from './sweeps.sql.ts';

/** What /metrics says of sweeps. */
export function sweepGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'sweeps_running',
      help: 'Sweeps of customers that are running: in work, at rest for the sake of their store, or overdue since no worker takes them',
      label: 'state',
      read: async () => Object.fromEntries((await countSweeps(db)).map(({ state, count }) => [state, count])),
    },
  ];
}
