import type pg from 'pg';
import type { DueCtx } from '../context.ts';
import { findOldestDue, workingSessions } from '../jobs.ts';
import type { Database } from '../kit/db/database.ts';
import { isDirect } from '../kit/db/session.ts';
import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

/** So long work may wait without a worker, before that is an error: a restart takes less. */
const missingMs = 60_000;
/** So long work may wait that a worker has. */
const lateMs = 300_000;

/** Whether a process does the background work, and how long what is due has waited for one. */
export async function checkWork({ pool, db }: Database, ctx: DueCtx): Promise<Finding[]> {
  const isDone = await findWorker(pool);
  const oldest = await findOldestDue(db, ctx);
  const waitedMs = oldest === undefined ? 0 : ctx.app.now().getTime() - oldest.since.getTime();
  const waits =
    oldest === undefined ? 'nothing waits' : `${oldest.job} has waited since ${readable(oldest.since)}`;
  if (isDone === false) {
    const level = waitedMs > missingMs ? 'error' : 'warning';
    return [
      {
        level,
        what: `No process does the background work: ${waits}`,
        advice: 'Start the service with WORKERS=on, or next to it: punchcard work',
      },
    ];
  }
  if (waitedMs <= lateMs) return [{ level: 'ok', what: `Background work: ${waits}` }];
  const advice =
    'The log says why where each try fails (lines with `job`); where there is only too much of it, run more of: punchcard work';
  return [{ level: 'warning', what: `Background work is late: ${waits}`, advice }];
}

/**
 * Whether a process that works has asked for work in the last minute: it does so all the time. Null where sessions have
 * no names of ours: a pooler is between, or `DATABASE_URL` names them.
 */
async function findWorker(pool: pg.Pool): Promise<boolean | null> {
  const client = await pool.connect();
  try {
    if (!isDirect(client)) return null;
    const { rows } = await client.query<{ isNamed: boolean; works: boolean }>(
      `select current_setting('application_name') like 'punchcard %' as "isNamed",
        exists (
          select from pg_stat_activity
          where datname = current_database() and application_name = any($1)
            and state_change > now() - interval '1 minute'
        ) as works`,
      [[...workingSessions]],
    );
    return rows[0]?.isNamed === true ? rows[0].works : null;
  } finally {
    client.release();
  }
}
