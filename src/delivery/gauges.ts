import type { App } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { countPushes } from '../pushes/pushes.sql.ts';
import { listStops } from '../pushes/wallet-stops.sql.ts';
import { scopesOf } from '../pushes/wallet-stops.ts';

/** Counted no further: a scrape must stay cheap however much waits. */
const most = 100_000;

/** What /metrics says of the delivery: how much waits for each wallet, which wallets refuse what we are, and until when we may sign. */
export function deliveryGauges(db: Db, wallets: Pick<App, 'apple' | 'google'>): NamedGauge[] {
  return [
    {
      name: 'pushes_waiting',
      help: 'Cards whose newest state a wallet has yet to be notified of, and cards that wait for credits; at most 100000',
      label: 'wallet',
      read: async () => ({ ...(await countPushes(db, most)) }),
    },
    {
      name: 'wallet_stopped',
      help: '1 for each wallet that refuses our certificate, topic or account',
      label: 'wallet',
      read: async () =>
        Object.fromEntries((await listStops(db, scopesOf(wallets))).map(({ wallet }) => [wallet, 1])),
    },
    {
      name: 'certificate_expires_seconds',
      help: 'When the certificate of the installation ends, in seconds since 1970',
      label: 'wallet',
      read: async () => ({ apple: wallets.apple.certificate.validToDate.getTime() / 1_000 }),
    },
  ];
}
