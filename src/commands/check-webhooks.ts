import type { Db } from '../kit/db/database.ts';
import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import { findLongestNew } from '../webhooks/due-deliveries.sql.ts';
import { countWebhooks } from '../webhooks/webhooks.sql.ts';

/** So long an event may wait for its first attempt: a receiver that is too slow for its events takes longer. */
const lateMs = 300_000;

/** Which webhooks fail, and how long events have waited to be sent. */
export async function checkWebhooks(db: Db, now: Date): Promise<Finding[]> {
  const { active = 0, failing = 0, disabled = 0 } = await countWebhooks(db);
  if (active + failing + disabled === 0) return [];
  const waits = await findLongestNew(db);
  const isLate = waits !== undefined && now.getTime() - waits.getTime() > lateMs;
  const findings: Finding[] = [];
  if (failing > active)
    findings.push({
      level: 'warning',
      what: `Webhooks: ${failing} of ${active + failing} fail, and ${disabled} were disabled`,
      advice:
        'So many at once fail for a reason of this side: check that this machine may connect to the Internet, and asks its name servers.',
    });
  if (isLate)
    findings.push({
      level: 'warning',
      what: `Webhooks: an event has waited for its first attempt since ${readable(waits)}`,
      advice:
        'Its receiver is slower than its events come, or the background work is late: GET /webhooks shows what each has waiting.',
    });
  if (findings.length > 0) return findings;
  return [{ level: 'ok', what: `Webhooks: ${active} active, ${failing} failing, ${disabled} disabled` }];
}
