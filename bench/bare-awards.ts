import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type BareClient, bareLoad } from './bare-postgres.ts';
import type { Load } from './http-load.ts';
import { type BenchServer, createDatabase } from './service.ts';

/** The least that keeps a ledger: two plain tables in a database of their own, and clients that award on them. */
export interface BareLedger {
  readonly clients: readonly BareClient[];
  readonly accounts: readonly string[];
}

/** Makes `accounts` accounts with an entry each, and connects the clients. */
export async function openBareLedger(
  server: BenchServer,
  accounts: number,
  connections: number,
): Promise<BareLedger> {
  const connectionString = await createDatabase(server, 'bare');
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  server.onEnd(() => Promise.all(clients.map((client) => client.end())));
  const [first] = clients;
  await first?.query(tablesSql);
  await first?.query({ text: fillSql, values: [workspaceId, accounts] });
  await first?.query('vacuum (analyze) account, entry');
  const found = await first?.query<{ account: string }>('select account from account');
  return { clients, accounts: (found?.rows ?? []).map((row) => row.account) };
}

/** Keeps the clients busy for `ms`: an award to one of the accounts each time, and a transaction each. */
export function bareAwards({ clients, accounts }: BareLedger, ms: number): Promise<Load> {
  return bareLoad(clients, ms, (client) =>
    award(client, accounts[Math.floor(Math.random() * accounts.length)] ?? ''),
  );
}

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
