import type { Db } from '../../kit/db/database.ts';
import type { NamedGauge } from '../../kit/telemetry/metrics.ts';
import { countWebhooks } from './webhooks.sql.ts';

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
