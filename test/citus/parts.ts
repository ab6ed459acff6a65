import pg from 'pg';
import { type Parameter, parameterOf } from '../../src/kit/db/parameters.ts';

/** A piece of a plan as `explain (format json)` spells it, on a Citus cluster. */
type Piece = Readonly<Record<string, unknown>>;

/**
 * How many shards each part of a statement is sent to, as the coordinator plans it: the statement itself, and what it asks
 * for before, such as a CTE. None for a statement that concerns the coordinator's tables only.
 */
export async function taskCounts(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<number[]> {
  const { rows } = await client.query(`explain (format json) ${withLiterals(text, values)}`);
  return [...countsIn(rows[0]['QUERY PLAN'])];
}

/** EXPLAIN plans the SELECT of an INSERT a second time, and knows no parameters there. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place) => literalOf(parameterOf(values[Number(place) - 1])));
}

function literalOf(value: Parameter): string {
  if (value === null) return 'null';
  return pg.escapeLiteral(typeof value === 'string' ? value : `\\x${value.toString('hex')}`);
}

/** Whether the plan of a statement, on one node and with the names of shards, leads to other nodes or to whole tables. */
export async function leavesShards(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<boolean> {
  const { rows } = await client.query(`explain (format json) ${withLiterals(text, values)}`);
  return JSON.stringify(rows).includes('Citus');
}

function* countsIn(plan: unknown): Generator<number> {
  if (Array.isArray(plan)) for (const inner of plan) yield* countsIn(inner);
  else if (isPiece(plan)) {
    for (const [name, inner] of Object.entries(plan)) {
      if (name === 'Task Count') yield Number(inner);
      // What a shard does with its task is its own matter.
      else if (name !== 'Tasks') yield* countsIn(inner);
    }
  }
}

function isPiece(plan: unknown): plan is Piece {
  return typeof plan === 'object' && plan !== null;
}
