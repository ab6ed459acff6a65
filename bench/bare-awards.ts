import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type BareClient, bareLoad } from './bare-postgres.ts';
import type { Load } from './load-plan.ts';
import { options } from './options.ts';
import { createDatabase } from './service.ts';

/** So many awards as a server takes from bare clients: the least that keeps a ledger, two plain tables. */
export interface BareAwards {
  /** How the figures call it. */
  readonly name: string;
  /** A turn; the clients connect for it, since the server has not room for all contenders' at once. */
  run(): Promise<Load>;
}

/** Clients of `pg`, as many as the connections of the service, on a database of this name on the server with this URL. */
export async function openBareClients(serverUrl: string, name: string, clients: number): Promise<BareAwards> {
  const connectionString = await createDatabase({ url: serverUrl }, name);
  const connect = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  };
  const first = await connect();
  await first.query(tablesSql);
  await first.query({ text: fillSql, values: [workspaceId, accountCount] });
  await first.query('vacuum (analyze) account, entry');
  const found = await first.query<{ account: string }>('select account from account');
  await first.end();
  const accounts = found.rows.map(({ account }) => account);
  return {
    name: 'award straight from pg',
    async run() {
      const all = await Promise.all(Array.from({ length: clients }, connect));
      const load = await bareLoad(all, options.seconds * 1_000, (client) =>
        award(client, accounts[Math.floor(Math.random() * accounts.length)] ?? ''),
      );
      await Promise.all(all.map((client) => client.end()));
      return load;
    },
  };
}

const accountCount = 1_000;

/** The account first: the entry needs the number and the balance that it leaves. */
async function award(client: BareClient, account: string): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ seq: string; balance: string }>({
    name: 'account',
    text: accountSql,
    values: [workspaceId, account, points],
  });
  const ref = randomBytes(8).toString('hex');
  await client.query({
    name: 'entry',
    text: entrySql,
    values: [workspaceId, account, rows[0]?.seq, points, rows[0]?.balance, ref],
  });
  await client.query('commit');
}

const workspaceId = '01890000-0000-7000-8000-000000000000';
const points = 5;

const tablesSql = `
  create table account (
    workspace uuid, account uuid, seq bigint not null, balance bigint not null,
    primary key (workspace, account)
  ) with (fillfactor = 80);
  create table entry (
    workspace uuid, account uuid, seq bigint, points bigint not null, balance bigint not null, ref text not null,
    primary key (workspace, account, seq), unique (workspace, ref)
  )`;
const fillSql = `
  with made as (
    insert into account select $1, uuidv7(), 1, 5 from generate_series(1, $2::int) returning account
  )
  insert into entry select $1, account, 1, 5, 5, substr(md5(account::text), 1, 16) from made`;
const accountSql = `update account set seq = seq + 1, balance = balance + $3
  where workspace = $1 and account = $2 returning seq, balance`;
const entrySql = `insert into entry (workspace, account, seq, points, balance, ref) values ($1, $2, $3, $4, $5, $6)`;
