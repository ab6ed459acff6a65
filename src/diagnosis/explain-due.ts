import { readable } from '../kit/time.ts';
import type { WalletName } from '../pushes/pushes.sql.ts';
import type { CardFinding } from './card-finding.ts';
import { type Facts, lastOf } from './gather-facts.ts';

/** When the next push is due; null when everything was sent. */
interface Due {
  readonly dueAt: Date | null;
  readonly attempts: number;
}

/** What is on its way to `whom`: tried again, waiting for a worker, or in the hands of one. */
export function explainDue(
  { now }: Facts,
  whom: string,
  { dueAt, attempts }: Due,
  wallet: WalletName,
): CardFinding[] {
  if (dueAt === null) return [];
  const warning = { level: 'warning', wallet, at: dueAt } as const;
  if (attempts > 0) {
    return [
      {
        ...warning,
        code: 'push_retried',
        own: { advice: 'It is tried again for a week, by itself.' },
        what: `${whom}: ${attempts} ${attempts === 1 ? 'attempt has' : 'attempts have'} failed, the next is on ${readable(dueAt)}`,
        advice:
          'It is tried again for a week. Check that the service reaches the platform through firewall and proxy; its log says what it answered.',
      },
    ];
  }
  if (dueAt > now) {
    return [
      {
        ...warning,
        code: 'push_in_hand',
        what: `${whom}: a worker has the push in hand, or spreads it after a change of a whole pass, until ${readable(dueAt)} at the latest`,
        advice: 'Nothing is to be done.',
      },
    ];
  }
  return [
    {
      ...warning,
      code: 'push_due',
      own: {
        what: `${whom}: a push is due since ${readable(dueAt)}`,
        advice: 'It goes out within a second. If it stays, ask the operator of the service.',
      },
      what: `${whom}: a push is due since ${readable(dueAt)}, and no worker has taken it`,
      advice:
        'A worker sends it within a second. If it stays, none runs, or all rest after an alarm: set WORKERS=on, or run `punchcard work`.',
    },
  ];
}

/** The moment at which a wallet last took a push, by its own record or the timeline, and the last failure. */
export function explainLast(
  facts: Facts,
  wallet: WalletName,
  name: string,
  pushedAt: Date | null = lastOf(facts, 'push.delivered', wallet)?.createdAt ?? null,
): CardFinding[] {
  const failed = lastOf(facts, 'push.failed', wallet);
  if (failed !== undefined && !(pushedAt !== null && pushedAt > failed.createdAt)) {
    const { reason } = failed.detail;
    return [
      {
        level: 'warning',
        code: 'push_failed',
        wallet,
        at: failed.createdAt,
        what: `${name}: the last push failed on ${readable(failed.createdAt)}: ${failures[reason ?? ''] ?? reason}`,
        advice: 'Send the newest state with POST /instances/{instanceId}/push.',
      },
    ];
  }
  if (pushedAt === null) return [];
  const what = `${name} took the last push on ${readable(pushedAt)}`;
  return [{ level: 'ok', code: 'push_taken', wallet, at: pushedAt, what }];
}

/** Our own words for a failure; any other is the platform's. */
const failures: Readonly<Record<string, string>> = {
  timeout: 'nothing took it for a week',
  removed: 'the card had been removed by then',
  restored: 'the database was restored, and it may have been sent before',
};
