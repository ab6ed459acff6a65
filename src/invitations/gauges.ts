import type { Db } from '../kit/db/database.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { countWebhooks } from '../stores/webhooks.sql.ts';
import { countWaiting } from './sending.sql.ts';
import { countSweeps } from './sweeps/sweeps.sql.ts';

/** What /metrics says of invitations. */
export function inviteGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'mails_waiting',
      help: 'Invitations that are to be sent: due, or later since they were refused for now; counted up to 100,000',
      label: 'state',
      read: async () =>
        Object.fromEntries((await countWaiting(db)).map(({ state, count }) => [state, count])),
    },
  ];
}

/** What /metrics says of the stores. */
export function storeGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'store_webhooks',
      help: 'Webhooks of stores that are due, that wait for a refusal to pass, or were given up in the last 30 days',
      label: 'state',
      read: () => countWebhooks(db),
    },
  ];
}

/** What /metrics says of sweeps. */
export function sweepGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'sweeps_running',
      help: 'Sweeps of customers that are running: in work, pausing for their store, or overdue since no worker leases them',
      label: 'state',
      read: async () => Object.fromEntries((await countSweeps(db)).map(({ state, count }) => [state, count])),
    },
  ];
}
