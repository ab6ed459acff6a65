import pg from 'pg';
import { firstId, lastId } from '../../src/kit/ids.ts';

/** A node of a plan, as `explain (format json)` spells it. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly 'Total Cost': number;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** The plan of a statement with values; without them, one that would do for any. */
export async function explain(
  client: pg.Client,
  text: string,
  values?: readonly unknown[],
): Promise<PlanNode> {
  const how = values === undefined ? '(generic_plan, format json)' : '(format json)';
  const { rows } = await client.query({
    text: `explain ${how} ${text}`,
    ...(values !== undefined && { values: [...values] }),
  });
  return rows[0]['QUERY PLAN'][0].Plan;
}

/** All nodes of a plan, with those above each, nearest last. */
export function* nodesOf(
  plan: PlanNode,
  above: readonly PlanNode[] = [],
): Generator<{ node: PlanNode; above: readonly PlanNode[] }> {
  yield { node: plan, above };
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner, [...above, plan]);
}

/** The columns that a statement holds against each parameter, with how: `['workspace_id', '=']`. */
export async function comparedColumns(
  client: pg.Client,
  text: string,
): Promise<Map<number, [column: string, operator: string]>> {
  try {
    return columnsIn(await explain(client, text));
  } catch (error) {
    // ON CONFLICT of an index with a condition finds it by the value only; there is nothing else to compare with.
    if (error instanceof pg.DatabaseError && error.code === '42P10') return new Map();
    throw new Error(`cannot be explained: ${text}`, { cause: error });
  }
}

function columnsIn(plan: PlanNode): Map<number, [column: string, operator: string]> {
  const columns = new Map<number, [string, string]>();
  for (const { node } of nodesOf(plan)) {
    for (const condition of [node['Index Cond'], node['Recheck Cond'], node.Filter, ...joinsOf(node)]) {
      for (const [, column = '', operator = '', place] of (condition ?? '').matchAll(comparison))
        columns.set(Number(place), [column, operator]);
    }
  }
  return columns;
}

const comparison = /\b(\w+)\)?(?:::\w+)? (=|<>|<=|>=|<|>) (?:ANY )?\(*\$(\d+)/g;

function joinsOf(node: PlanNode): string[] {
  const record: Readonly<Record<string, unknown>> = { ...node };
  return ['Hash Cond', 'Merge Cond', 'Join Filter', 'One-Time Filter'].flatMap((name) =>
    typeof record[name] === 'string' ? [record[name]] : [],
  );
}

/** Ids of whatever has the most rows, by the name of the column that holds them. */
export type Busiest = Readonly<Record<string, string | number>>;

/** The largest workspace and pass, and the busiest card, account and partner of them. */
export async function findBusiest(client: pg.Client): Promise<Busiest> {
  const { rows } = await client.query(`
    select i.workspace_id, i.pass_id, i.instance_id, a.account_id, a.program_id, r.device_id, s.store_id,
      s.store_id as source, 'issueInstance' as operation,
      (select partner_id from partners p where p.workspace_id = i.workspace_id order by partner_id limit 1) as partner_id,
      (select sweep_id from sweeps w where w.workspace_id = i.workspace_id and w.pass_id = i.pass_id
        order by sweep_id limit 1) as sweep_id,
      (select rollout_id from apple_devices where rollout_id is not null limit 1) as rollout_id
    from loyalty_accounts a
    join instances i using (workspace_id, instance_id)
    join apple_registrations r using (workspace_id, instance_id)
    join stores s using (workspace_id)
    order by a.seq desc limit 1`);
  return rows[0];
}

const isId = (value: unknown) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

/** The values, with the busiest ids in their places; ranges of ids begin where all is still to come. */
export function busyValues(
  values: readonly unknown[],
  compared: ReadonlyMap<number, [string, string]>,
  busiest: Busiest,
): unknown[] {
  const replaced = new Map<unknown, unknown>();
  for (const [place, [column, operator]] of compared) {
    const value = values[place - 1];
    if (Array.isArray(value) ? !value.some((one) => isId(one)) : !isId(value)) continue;
    if (operator.startsWith('>')) replaced.set(value, firstId);
    else if (operator.startsWith('<') && operator !== '<>') replaced.set(value, lastId);
    else if (busiest[column] !== undefined && !Array.isArray(value)) replaced.set(value, busiest[column]);
    else if (busiest[column] !== undefined && Array.isArray(value)) replaced.set(value[0], busiest[column]);
  }
  const by = (value: unknown) => (replaced.has(value) ? replaced.get(value) : value);
  return values.map((value) => (Array.isArray(value) ? value.map(by) : by(value)));
}
