import { createHash } from 'node:crypto';
import pg from 'pg';
import { Statement } from '../../src/kit/db/statement.ts';

/** A statement that was sent, and the rows that it has read of each table: also those that were not asked for. */
export interface Reading {
  readonly text: string;
  readonly rows: ReadonlyMap<string, number>;
}

/** How the program's statements are planned: anew for each, or once and kept by a name: all of them, or those that it names. */
export interface Planning {
  readonly named: 'none' | 'all' | 'as sent';
  readonly cacheMode: 'auto' | 'force_generic_plan';
}

/** How plans are made: the meaning of each word of a statement's description. */
export const plannings: Readonly<Record<string, Planning>> = {
  'planned anew for each statement': { named: 'none', cacheMode: 'auto' },
  'kept since the tables were empty, where PostgreSQL thinks that they do': {
    named: 'all',
    cacheMode: 'auto',
  },
  'kept since the tables were empty': { named: 'all', cacheMode: 'force_generic_plan' },
};

/** All rows that were read. */
export function rowsOf(readings: readonly Reading[]): number {
  return readings.reduce((sum, { rows }) => [...rows.values()].reduce((some, count) => some + count, sum), 0);
}

/** The statements that have read most, and of which tables. */
export function described(readings: readonly Reading[]): string {
  return [...readings]
    .sort((a, b) => rowsOf([b]) - rowsOf([a]))
    .slice(0, 4)
    .map(({ text, rows }) => `${[...rows].map((one) => one.join(': ')).join(', ')} – ${text.slice(0, 300)}`)
    .join('\n');
}

/**
 * Watches what the connections of this process to a database read, by the plans that PostgreSQL reports of what it has
 * executed (auto_explain, which needs a superuser). Before the first of them is opened.
 */
export class Watch {
  readonly #clients = new Set<pg.Client>();
  readonly #readings: Reading[] = [];
  readonly #query = pg.Client.prototype.query;
  readonly #connect = pg.Client.prototype.connect;

  constructor(url: string, { named }: Planning) {
    const database = new URL(url).pathname.slice(1);
    const own = this.#query;
    const isWatched = (client: pg.Client) => client.database === database;
    const watch = (client: pg.Client) => this.#add(client);
    const connect = this.#connect;
    pg.Client.prototype.connect = function connectWatched(this: pg.Client, ...args: unknown[]) {
      if (isWatched(this)) watch(this);
      return Reflect.apply(connect, this, args);
    } as typeof connect;
    pg.Client.prototype.query = function namedQuery(this: pg.Client, ...args: unknown[]) {
      return Reflect.apply(own, this, isWatched(this) ? planned(args, named) : args);
    } as typeof own;
  }

  /** What the process reads while `work` is under way. The connections must be idle before and after. */
  async during(work: () => Promise<unknown>): Promise<readonly Reading[]> {
    await this.#report('0');
    this.#readings.length = 0;
    await work();
    await this.#report('-1');
    return [...this.#readings];
  }

  /** Connections are as they were from now on. */
  end(): void {
    pg.Client.prototype.query = this.#query;
    pg.Client.prototype.connect = this.#connect;
  }

  #add(client: pg.Client): void {
    this.#clients.add(client);
    client.on('end', () => this.#clients.delete(client));
    client.on('notice', ({ message = '' }) => {
      const plan = /^duration: .*? plan:\n(?<json>[\s\S]*)$/.exec(message)?.groups?.json;
      if (plan !== undefined) this.#readings.push(readingOf(JSON.parse(plan)));
    });
  }

  async #report(duration: string): Promise<void> {
    for (const client of this.#clients)
      try {
        await Reflect.apply(this.#query, client, [`set auto_explain.log_min_duration = ${duration}`]);
      } catch (error) {
        // Its pool has ended it, idle as it was: it reads nothing more.
        if (!/^(?:Client was closed|Connection terminated)/.test((error as Error).message)) throw error;
        this.#clients.delete(client);
      }
  }
}

/** Settings of a database whose tables never get statistics, and whose sessions can report what they read. */
export async function prepareWatched(url: string, { cacheMode }: Planning): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = client.escapeIdentifier(client.database ?? '');
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  for (const table of tables) await client.query(`alter table ${table.name} set (autovacuum_enabled = off)`);
  const settings = {
    session_preload_libraries: 'auto_explain',
    plan_cache_mode: cacheMode,
    'auto_explain.log_level': 'notice',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
  };
  await client.query("load 'auto_explain'");
  for (const [setting, value] of Object.entries(settings))
    await client.query(`alter database ${name} set ${setting} = ${value}`);
  await client.end();
}

/**
 * A statement with a name is planned once, and the plan kept, as long as its connection lives. The program gives names to
 * some: here all of them have one, or none has.
 */
function planned(args: unknown[], named: Planning['named']): unknown[] {
  if (named === 'as sent') return args;
  const [first, second, ...more] = args;
  if (first instanceof Statement) {
    const statement = first as unknown as { name?: string | undefined; text: string; values: unknown[] };
    statement.name = named === 'all' && statement.values.length > 0 ? nameOf(statement.text) : undefined;
    return args;
  }
  if (named === 'none') return args;
  if (typeof first === 'string' && Array.isArray(second))
    return [{ name: nameOf(first), text: first, values: second }, ...more];
  return args;
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

interface ExecutedNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly ExecutedNode[];
}

function readingOf(report: { readonly 'Query Text': string; readonly Plan: ExecutedNode }): Reading {
  const rows = new Map<string, number>();
  addRows(report.Plan, rows);
  return { text: report['Query Text'].replace(/\s+/g, ' ').trim(), rows };
}

function addRows(node: ExecutedNode, rows: Map<string, number>): void {
  const table = node['Relation Name'];
  if (table !== undefined && node['Node Type'].endsWith('Scan')) {
    const each =
      (node['Actual Rows'] ?? 0) +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    rows.set(table, (rows.get(table) ?? 0) + Math.round(each * (node['Actual Loops'] ?? 0)));
  }
  for (const inner of node.Plans ?? []) addRows(inner, rows);
}
