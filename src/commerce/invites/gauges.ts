import type { Db } from '../../kit/db/database.ts';
import type { NamedGauge } from '../../kit/telemetry/metrics.ts';
import { countWaiting } from './sending.sql.ts';

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
