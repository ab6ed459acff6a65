import type { Db } from '../kit/db/database.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { countWaiting } from './due-deliveries.sql.ts';
import { countWebhooks } from './webhooks.sql.ts';

/** The gauges of webhooks on /metrics. */
export function webhookGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'webhook_deliveries_waiting',
      help: 'Events that wait for webhooks: not tried yet, or failed; counted up to 100,000',
      label: 'state',
      read: () => countWaiting(db),
    },
    {
      name: 'webhooks',
      help: 'Webhooks that are active, active but failing, paused by their owners, or disabled since they failed',
      label: 'state',
      read: () => countWebhooks(db),
    },
  ];
}
