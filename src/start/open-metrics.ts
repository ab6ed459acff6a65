import type { App } from '../context.ts';
import { deliveryGauges } from '../delivery/gauges.ts';
import { inviteGauges, storeGauges, sweepGauges } from '../invitations/gauges.ts';
import { limiterGauges } from '../kit/limits/rate-limit.ts';
import type { Link } from '../kit/processes/process-link.ts';
import { createMetrics, type Metrics } from '../kit/telemetry/metrics.ts';
import { ledgerGauges } from '../ledger/audit-ledger.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import { webhookGauges } from '../webhooks/gauges.ts';

/** What `GET /metrics` shows. */
export function openMetrics(
  { db, pool }: App['database'],
  {
    limiter,
    parent,
    requestLog,
  }: Pick<App, 'limiter'> & { parent: Link | undefined; requestLog: RequestLog },
  wallets: Pick<App, 'apple' | 'google'>,
): Metrics {
  return createMetrics({
    parent,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    gauges: [
      ...deliveryGauges(db, wallets),
      ...ledgerGauges(db),
      ...sweepGauges(db),
      ...inviteGauges(db),
      ...storeGauges(db),
      ...webhookGauges(db),
      ...limiterGauges(limiter),
      ...requestLog.gauges,
    ],
  });
}
