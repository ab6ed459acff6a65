import type pg from 'pg';
import { nodesOf, type PlanNode } from './explain.ts';

/** What the rules need to know of the database. */
export interface Indexes {
  /** By index: its columns, if it is unique, and its condition; as PostgreSQL spells them. */
  readonly byName: ReadonlyMap<string, Index>;
}

export interface Index {
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly predicate: string | null;
}

export async function readIndexes(client: pg.Client): Promise<Indexes> {
  const { rows } = await client.query<Index & { name: string }>(
    `select c.relname as name, i.indisunique as unique, pg_get_expr(indpred, indrelid) as predicate,
       array(select pg_get_indexdef(i.indexrelid, k, true) from generate_series(1, i.indnkeyatts) k) as columns
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace`,
  );
  return { byName: new Map(rows.map((row) => [row.name, row])) };
}

/** Tables with a row for each thing that the operator has set up: as many in ten years as today. */
const settings = new Set(['google_pace', 'wallet_stops', 'schema_migrations']);

/**
 * What few rows have in common, besides the columns of unique indexes: a card is on few devices, an account has a few
 * lots. What has a history, as a card's events or an account's entries, is not among them.
 */
const fewOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  apple_registrations: [['workspace_id', 'instance_id'], ['device_id']],
  web_cards: [['workspace_id', 'instance_id']],
  holders: [
    ['workspace_id', 'identifier'],
    ['workspace_id', 'folded_email'],
    ['workspace_id', 'folded_phone'],
  ],
  instances: [['instance_id'], ['workspace_id', 'barcode']],
  invites: [
    ['workspace_id', 'email_hash'],
    ['workspace_id', 'instance_id'],
    ['workspace_id', 'store_id', 'identifier'],
  ],
  consents: [['workspace_id', 'instance_id']],
  join_proofs: [['workspace_id', 'email_hash']],
  join_days: [['workspace_id', 'pass_id']],
  loyalty_lots: [['workspace_id', 'account_id']],
  loyalty_lot_uses: [['workspace_id', 'account_id', 'seq']],
  loyalty_entries: [['entry_id']],
  order_refunds: [['workspace_id', 'source', 'order_id']],
  // What a workspace or an operator has made by hand: tens, at most some hundreds.
  passes: [['workspace_id'], ['pass_id']],
  pass_counters: [['workspace_id', 'pass_id'], ['pass_id']],
  programs: [['workspace_id'], ['program_id'], ['pass_id']],
  program_states: [['workspace_id', 'program_id']],
  program_totals: [['workspace_id', 'program_id'], ['program_id']],
  erasure_walks: [['pass_id']],
  unlock_walks: [['program_id']],
  statistics_walks: [['pass_id']],
  // What processes send at the moment.
  webhook_claims: [['workspace_id']],
  // Some kinds of each day.
  statistics_days: [['pass_id', 'partner_id', 'day']],
  api_keys: [['workspace_id'], ['key_id']],
  api_key_secrets: [['workspace_id']],
  partners: [['workspace_id']],
  stores: [['workspace_id'], ['store_id']],
  webhooks: [['workspace_id']],
  apple_identities: [['workspace_id']],
  apple_signing_keys: [['workspace_id']],
  google_identities: [['workspace_id']],
  google_own_classes: [['workspace_id', 'pass_id']],
  memberships: [['workspace_id'], ['person_id']],
  people: [['email']],
  devices: [['workspace_id'], ['device_id']],
  sessions: [['person_id']],
  sign_in_links: [['person_id']],
  passkeys: [['person_id']],
  google_classes: [['workspace_id']],
  image_files: [['hash']],
  image_uploads: [['workspace_id'], ['hash']],
  sweeps: [['workspace_id', 'pass_id'], ['sweep_id']],
  rollouts: [['workspace_id', 'pass_id']],
};

/** Nodes that hand on row by row, so that a limit above them ends what is below. */
const streaming = new Set([
  'Limit',
  'LockRows',
  'Nested Loop',
  'Subquery Scan',
  'Result',
  'Append',
  'Merge Append',
  'Unique',
  'Memoize',
  'Materialize',
  'ProjectSet',
  'Group',
]);

/** How a plan reads what grows without a bound, a sentence each; none where it costs the same whatever there is. */
export function unboundedReads(plan: PlanNode, indexes: Indexes): string[] {
  return [...nodesOf(plan)].flatMap(({ node, above }) => {
    const table = tableOf(node, above);
    if (table === undefined || settings.has(table)) return [];
    if (node['Node Type'] === 'Seq Scan')
      return hasLimit(above) && node.Filter === undefined ? [] : [`reads all of ${table}`];
    const index = indexes.byName.get(node['Index Name'] ?? '');
    if (index === undefined) return [];
    const equal = equalColumns(node['Index Cond'] ?? '', index.columns);
    if (isFew(table, equal, index) || isAsGood(node, equal)) return [];
    const by = `${table} by ${[...equal].join(', ') || 'nothing'} (${node['Index Name']})`;
    if (!hasLimit(above) || node['Node Type'] === 'Bitmap Index Scan') return [`reads everything of ${by}`];
    const filter = withoutPredicate(withoutWorkspace(node.Filter, index), index.predicate);
    return filter === null ? [] : [`looks in ${by} for ${filter}`];
  });
}

function tableOf(node: PlanNode, above: readonly PlanNode[]): string | undefined {
  if (node['Node Type'] !== 'Bitmap Index Scan') return node['Relation Name'];
  return above.findLast((one) => one['Relation Name'] !== undefined)?.['Relation Name'];
}

/** Whether a limit ends the reading below it: nothing in between has to see all rows first. */
function hasLimit(above: readonly PlanNode[]): boolean {
  for (const node of [...above].reverse()) {
    if (node['Node Type'] === 'Limit') return true;
    if (!streaming.has(node['Node Type'])) return false;
  }
  return false;
}

/**
 * Those of the index's columns and expressions that the condition holds equal to something. A text behind the beginning of
 * its workspace's id counts for both.
 */
function equalColumns(condition: string, columns: readonly string[]): Set<string> {
  const asked = plain(condition);
  const equal = columns.filter((column) => {
    const name = plain(column).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\w.])${name} (?:= |IS NULL)`).test(asked);
  });
  return new Set(
    equal.flatMap((column) => {
      const text = textOfWorkspace(column);
      return text === null ? [column] : ['workspace_id', text];
    }),
  );
}

/** An expression as indexes and plans have in common: without what they put around it. */
function plain(expression: string): string {
  return expression.replaceAll(/::\w+|[()"]|, NFC\b/g, '');
}

/** The text of a column that begins with that of its workspace; null for another column. */
function textOfWorkspace(column: string): string | null {
  return /^\("left"\(workspace_id::text, 13\) \|\| (.+)\)$/.exec(column)?.[1] ?? null;
}

function isFew(table: string, equal: ReadonlySet<string>, { columns, unique }: Index): boolean {
  if (unique && columns.every((column) => equal.has(column))) return true;
  return (fewOf[table] ?? []).some((few) => few.every((column) => equal.has(column)));
}

/**
 * Where an index of a few columns finds nothing else than the one that was meant, they cost the same, and the planner
 * takes either.
 */
function isAsGood(node: PlanNode, equal: ReadonlySet<string>): boolean {
  return [...equal].some((column) => column !== 'workspace_id') && node['Total Cost'] < 10;
}

/** The condition without the workspace, where the index finds its texts alone. */
function withoutWorkspace(filter: string | undefined, { columns }: Index): string | undefined {
  if (columns.every((column) => textOfWorkspace(column) === null)) return filter;
  const rest = filter?.replace(/(?: AND )?\(workspace_id = [^)]*\)/, '') ?? '';
  return rest === '' ? undefined : rest;
}

/** The condition without what each row of the index already fulfils. */
function withoutPredicate(filter: string | undefined, predicate: string | null): string | null {
  // The statement itself lists what is left out.
  if (filter === undefined || /^\(\w+ <> ALL \([^)]*\)\)$/.test(filter)) return null;
  const bare = (text: string) => text.replace(/[()\s]/g, '').toLowerCase();
  if (predicate === null) return filter;
  const promised = bare(predicate).split('and');
  return bare(filter)
    .split('and')
    .every((part) => promised.includes(part))
    ? null
    : filter;
}
