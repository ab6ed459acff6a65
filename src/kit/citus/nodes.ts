import type pg from 'pg';
import { boundOf, isUnbounded, sessionBounds } from '../db/inspect-sessions.ts';
import { isCitus, patience } from './citus.ts';

/** A node of a Citus cluster, as a new session of the account finds it. */
export interface ClusterNode {
  readonly name: string;
  /** Why it did not answer; what follows is empty then. */
  readonly failure: string | null;
  readonly postgres: string;
  readonly citus: string;
  /** The bounds of sessions that do not hold there. */
  readonly unbounded: readonly string[];
  /** How far its clock is ahead of the coordinator's, in milliseconds, beyond what the question has taken. */
  readonly aheadMs: number;
  /** Parts of transactions over several nodes that have waited minutes to be committed or given up. */
  readonly undecided: number;
}

/** Asks all active nodes at once; none where there is no cluster. One that is cut off is waited for, but not for long. */
export async function inspectNodes(session: pg.Pool | pg.ClientBase): Promise<ClusterNode[]> {
  if (!(await isCitus(session))) return [];
  const answers = await askNodes(session, lookAround);
  return answers.map(({ name, success, result, beganAt, endedAt }) => {
    if (!success) return { ...silent, name, failure: result.replaceAll(/\s+/g, ' ').trim() };
    const { settings, now, ...found }: Findings = JSON.parse(result);
    return {
      ...found,
      name,
      failure: null,
      unbounded: Object.keys(settings).filter((setting) => isUnbounded(setting, settings[setting] ?? '0')),
      aheadMs: now > endedAt ? now - endedAt : Math.min(now - beganAt, 0),
    };
  });
}

/**
 * Gives the account the bounds on every node that lacks them: what the program asks for when it connects ends at the
 * coordinator, whose own sessions on the nodes would wait for ever. Nodes that are added later get them with the account,
 * or at the next start. Whether it went well says `inspectNodes`.
 */
export async function boundNodes(client: pg.ClientBase): Promise<void> {
  const nodes = await inspectNodes(client);
  if (nodes.every(({ unbounded }) => unbounded.length === 0)) return;
  const bounds = Object.entries(sessionBounds).map(([name, ms]) => `('${name}', ${ms})`);
  // Each node for itself: what Citus passes on of it depends on who made the account, and when.
  await askNodes(
    client,
    `do $bound$ declare bound record; begin
      perform set_config('citus.enable_alter_role_set_propagation', 'off', true);
      for bound in select name, ms from (values ${bounds.join(', ')}) as b (name, ms) join pg_settings using (name)
        where setting::int not between 1 and ms
      loop
        execute format('alter role %I in database %I set %I = %s', current_user, current_database(), bound.name, bound.ms);
      end loop;
    end $bound$`,
  );
}

/** Says on which nodes sessions are not bounded, and how to put it right; null where they are. */
export function explainUnbounded(nodes: readonly ClusterNode[]): string | null {
  const lacking = nodes.filter(({ unbounded }) => unbounded.length > 0);
  if (lacking.length === 0) return null;
  const names = lacking.map(({ name }) => name).join(', ');
  const wanted = [...new Set(lacking.flatMap(({ unbounded }) => unbounded))].sort();
  const remedy = wanted.map((name) => `alter role … in database … set ${name} = ${boundOf(name)};`);
  return `Sessions on nodes of the cluster are not bounded: ${names}. Let the account have it there, by a connection to each of them: ${remedy.join(' ')}`;
}

/** Identifiers that distinguish servers, copies included; by the number of the node's group. */
export async function identifyNodes(session: pg.Pool | pg.ClientBase): Promise<Map<number, string>> {
  const { rows } = await session.query<{ group: number; identity: string }>({
    text: `select n.groupid as group, r.result as identity from run_command_on_all_nodes($1) r
      join pg_dist_node n using (nodeid) where r.success`,
    values: [identity],
    ...patience,
  });
  return new Map(rows.map(({ group, identity }) => [group, identity]));
}

/** A statement that asks a server for it. */
export const identity =
  "select system_identifier || ' ' || pg_postmaster_start_time() as identity from pg_control_system()";

interface Answer {
  readonly name: string;
  readonly success: boolean;
  readonly result: string;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Runs a statement on all active nodes at once, each in a new session; what each answers, or why it does not. */
async function askNodes(session: pg.Pool | pg.ClientBase, statement: string): Promise<Answer[]> {
  const question: pg.QueryConfig = {
    text: `select coalesce(n.nodename || ':' || n.nodeport, 'coordinator') as name, r.success, r.result,
      extract(epoch from statement_timestamp())::float8 * 1000 as "beganAt",
      extract(epoch from clock_timestamp())::float8 * 1000 as "endedAt"
    from run_command_on_all_nodes($1) r left join pg_dist_node n using (nodeid)
    order by n.groupid`,
    values: [statement],
    ...patience,
  };
  return (await session.query<Answer>(question)).rows;
}

interface Findings extends Pick<ClusterNode, 'postgres' | 'citus' | 'undecided'> {
  readonly settings: Readonly<Record<string, string>>;
  readonly now: number;
}

const silent = { postgres: '', citus: '', unbounded: [], aheadMs: 0, undecided: 0 };

const lookAround = `select json_build_object(
  'postgres', current_setting('server_version'),
  'citus', (select extversion from pg_extension where extname = 'citus'),
  'settings', (select json_object_agg(name, setting) from pg_settings
    where name in (${Object.keys(sessionBounds).map((name) => `'${name}'`)})),
  'now', extract(epoch from clock_timestamp())::float8 * 1000,
  'undecided', (select count(*) from pg_prepared_xacts where database = current_database() and gid like 'citus\\_%'
    and prepared < clock_timestamp() - interval '2 minutes')
)`;
