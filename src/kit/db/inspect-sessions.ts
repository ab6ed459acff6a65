import type pg from 'pg';

/**
 * What every session bounds itself to, in milliseconds. Sent when a connection is opened; a pooler between may drop it,
 * and then the account or the database must have it.
 */
export const sessionBounds = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
} as const;

/** A session could hold up others for ever; the message says what is missing, and how to put it right. */
export class UnboundedSessions extends Error {}

/** What sessions lack; null where they lack nothing. */
interface SessionReport {
  /** The bounds that do not hold, with the statement that makes them hold. */
  readonly unbounded: string | null;
  /** The settings with which a crash of the database loses what was committed. */
  readonly forgetful: string | null;
}

/** Asks a session of the pool what holds in it, whatever stands between. */
export async function inspectSessions(pool: pg.Pool): Promise<SessionReport> {
  const { rows } = await pool.query<SettingRow>(
    `select name, setting, quote_ident(session_user) as account, quote_ident(current_database()) as database
    from pg_settings where name = any($1) order by name`,
    [[...Object.keys(sessionBounds), 'fsync', 'synchronous_commit']],
  );
  const missing = rows.filter(({ name, setting }) => isUnbounded(name, setting));
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => `${name}=off`);
  return {
    unbounded: missing.length === 0 ? null : explain(missing),
    forgetful: off.length === 0 ? null : off.join(', '),
  };
}

/** How many other programs are connected to the database. What kind a session is, not every role may see. */
export async function countOtherSessions(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'`);
  return rows[0]?.count ?? 0;
}

interface SettingRow {
  readonly name: string;
  readonly setting: string;
  readonly account: string;
  readonly database: string;
}

/** Whether a setting is a bound, and longer than it may be. 0 means for ever. */
export function isUnbounded(name: string, setting: string): boolean {
  const bound = boundOf(name);
  return bound !== undefined && (Number(setting) === 0 || Number(setting) > bound);
}

function explain(missing: readonly SettingRow[]): string {
  const found = missing.map(({ name, setting }) => `${name} is ${setting}`).join(', ');
  const remedy = missing.map(
    ({ name, account, database }) =>
      `alter role ${account} in database ${database} set ${name} = ${boundOf(name)};`,
  );
  return `Sessions of the database are not bounded: ${found}. A pooler such as PgBouncer drops what is asked for. Let the account have it, and the pooler connect anew: ${remedy.join(' ')}`;
}

/** The bound of a setting, if it has one. */
export function boundOf(name: string): number | undefined {
  return sessionBounds[name as keyof typeof sessionBounds];
}
