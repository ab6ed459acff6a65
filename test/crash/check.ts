import { AssertionError } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../client.ts';
import { assertEventLog } from '../event-log-checks.ts';
import { assertInvariants } from '../invariants.ts';
import type { OrderLife } from './calls.ts';
import { effectsOf, figuresOf, type Sql } from './effects.ts';
import { type Acknowledged, type History, nameOf, type ViolationKind } from './history.ts';

/** Checks during the load that all recently acknowledged calls are kept. */
export async function checkKept(
  sql: Sql,
  history: History,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const claims = await claimsOf(sql);
  for (const one of acknowledged) {
    const name = nameOf(one.call);
    const kept = claims.get(name);
    if (!isDeepStrictEqual(kept, keptOf(one)))
      history.violate('lost', `${name} was acknowledged: ${one.text}; kept: ${kept?.text}`, name);
  }
}

/**
 * The database holds exactly what the clients were answered: each acknowledged call once and with the figures of its answer,
 * nothing of a refused one, and nothing without an answer.
 */
export async function checkHistory(sql: Sql, history: History, orders: readonly OrderLife[]): Promise<void> {
  const { answers } = history;
  compare(
    history,
    'answer',
    await claimsOf(sql),
    new Map(answers.map((one) => [nameOf(one.call), keptOf(one)])),
  );
  const expected = new Map(answers.map((one) => [nameOf(one.call), figuresOf(one)]));
  compare(history, 'effect', await effectsOf(sql, history), expected);
  await checkOrders(sql, history, orders);
  await checkCodes(sql, history);
  await checkFields(sql, history);
  await checkBooks(sql, history);
  await faulted(history, () => assertEventLog(sql));
}

/** What the database keeps twice agrees. */
export async function checkBooks(sql: Sql, history: History): Promise<void> {
  await faulted(history, () => assertInvariants(sql));
}

/** Notes what a check finds to be wrong. */
async function faulted(history: History, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    history.violate('books', error.message);
  }
}

/** What a new workspace begins with. */
const firstCredits = 1_000;

/** Checks, once all pushes are over, that each change to be pushed has cost its credit, and no other has. */
export async function checkCredits(sql: Sql, history: History): Promise<void> {
  const { answers } = history;
  const spent = answers.filter(({ text }) => JSON.parse(text).pushed === true).length;
  const added = answers
    .filter(({ call }) => call.operation === 'addCredits')
    .reduce((sum, { call }) => sum + Number(call.body.amount), 0);
  const expected = { balance: firstCredits + added - spent, reserved: 0, spent };
  const [account] = await sql('select balance::int, reserved::int, spent::int from credit_accounts');
  if (!isDeepStrictEqual({ ...account }, expected))
    history.violate(
      'books',
      `credits are ${JSON.stringify(account)}, expected was ${JSON.stringify(expected)}`,
    );
}

interface Kept {
  readonly status: number;
  readonly text: string;
}

/** The kept answers by the names of their calls. That of a new key is sealed, since it holds a secret. */
async function claimsOf(sql: Sql): Promise<Map<string, Kept>> {
  const rows = await sql<{ operation: string; key: string; status: number; text: string }>(
    'select operation, key, status, body as text from operation_claims',
  );
  return new Map(
    rows.map(({ operation, key, status, text }) => [
      // The keys of an order begin with its source and its number.
      `${operation} ${key.split('\t')[1] ?? key}`,
      { status, text: operation === 'createApiKey' ? 'sealed' : text },
    ]),
  );
}

function keptOf({ call, status, text }: Acknowledged): Kept {
  return { status, text: call.operation === 'createApiKey' ? 'sealed' : text };
}

function compare(
  history: History,
  what: string,
  found: ReadonlyMap<string, unknown>,
  answered: ReadonlyMap<string, unknown>,
): void {
  for (const name of new Set([...found.keys(), ...answered.keys()])) {
    const [there, expected] = [found.get(name), answered.get(name)];
    if (isDeepStrictEqual(there, expected)) continue;
    const kind: ViolationKind = expected === undefined ? 'unasked' : 'lost';
    const story = expected === undefined && history.wasRefused(name) ? ', which was refused' : '';
    history.violate(
      kind,
      `${what} of ${name}${story}: there is ${JSON.stringify(there)}, expected was ${JSON.stringify(expected)}`,
      name,
    );
  }
}

/** Each order counts once, whichever of its calls came first; a customer has one card. */
async function checkOrders(sql: Sql, history: History, lives: readonly OrderLife[]): Promise<void> {
  const rows = await sql<{
    orderId: string;
    points: number;
    credited: number;
    entered: number;
    earns: number;
  }>(`
    select o.order_id as "orderId", o.points::int, o.credited::int, coalesce(e.points, 0)::int as entered,
      coalesce(e.earns, 0)::int as earns
    from orders o
    left join (
      select workspace_id, order_id, sum(points) as points, count(*) filter (where kind = 'earn') as earns
      from loyalty_entries group by 1, 2
    ) as e using (workspace_id, order_id)`);
  const known = new Map(rows.map((row) => [row.orderId, row]));
  for (const { orderId, points, isUndoneFirst } of lives) {
    // An order that was cancelled before it came has earned nothing.
    const earns = isUndoneFirst && points === 0 ? 0 : 1;
    const expected = { orderId, points, credited: points, entered: points, earns };
    const found = known.get(orderId);
    if (!isDeepStrictEqual({ ...found }, expected))
      history.violate(
        (found?.earns ?? 0) > earns ? 'doubled' : 'lost',
        `order ${orderId} should be ${JSON.stringify(expected)}, is ${JSON.stringify(found)}`,
        `processOrder ${orderId}`,
      );
  }
  const customers = new Set(lives.map(({ customer }) => customer)).size;
  const [cards] = await sql(
    'select count(distinct i.instance_id)::int as cards from instances i join orders o using (workspace_id, pass_id)',
  );
  if (cards?.cards !== customers)
    history.violate('doubled', `${customers} customers have ordered and have ${cards?.cards} cards`);
}

/** Two cards of a pass never share a code, and a code is taken out of the pool for a card that a holder was given. */
async function checkCodes(sql: Sql, history: History): Promise<void> {
  const given = history.answers
    .filter(({ call }) => call.operation === 'issueInstance')
    .map(({ call, text }) => ({ path: call.path, barcode: JSON.parse(text).barcode as string }));
  const codes = new Set(given.map(({ path, barcode }) => `${path} ${barcode}`));
  if (codes.size !== given.length) history.violate('doubled', 'two cards share a code');
  const [pool] = await sql('select count(*)::int as taken from pool_barcodes where instance_id is not null');
  const pooled = given.filter(({ barcode }) => barcode.startsWith('code-')).length;
  if (pool?.taken !== pooled)
    history.violate(
      'lost',
      `${pool?.taken} codes were taken out of the pools, ${pooled} were given to cards`,
    );
}

/** Checks that each value on a card was set by a call that was acknowledged. */
async function checkFields(sql: Sql, history: History): Promise<void> {
  const rows = await sql<{ tier: string }>(
    "select fields->>'tier' as tier from instances where fields ? 'tier'",
  );
  const acknowledged = new Set(
    history.answers.filter(({ call }) => call.operation === 'updateFields').map(({ call }) => call.ref),
  );
  for (const { tier } of rows)
    if (!acknowledged.has(tier)) history.violate('unasked', `a card shows ${tier}`, `updateFields ${tier}`);
}

/** Connections that wait for what another one holds, or hold what others may want, for longer than they may. */
export async function leftOver(sql: Sql): Promise<readonly Json[]> {
  return sql(`
    select pid, state, wait_event, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and xact_start < now() - interval '11 seconds'
    union all
    select null, 'prepared', null, gid from pg_prepared_xacts
    where database = current_database() and prepared < now() - interval '11 seconds'`);
}
