import type pg from 'pg';
import { isCitus, listMisplaced } from '../kit/citus/citus.ts';
import { type ClusterNode, explainUnbounded, inspectNodes } from '../kit/citus/nodes.ts';
import { placement } from '../start/placement.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

/** What the doctor finds of a Citus cluster: its nodes, and where the tables are; nothing where there is none. */
export async function checkCluster(pool: pg.Pool): Promise<Finding[]> {
  if (!(await isCitus(pool))) return [];
  const nodes = await inspectNodes(pool);
  const unbounded = explainUnbounded(nodes);
  return [
    ...nodes.flatMap(judgeNode),
    ...judgeVersions(nodes),
    ...(unbounded === null
      ? []
      : [
          {
            level: 'error' as const,
            what: 'A lock could be waited for too long on a node',
            advice: unbounded,
          },
        ]),
    ...(await checkPlacement(pool)),
  ];
}

function judgeNode({ name, failure, aheadMs, undecided }: ClusterNode): Finding[] {
  if (failure !== null) {
    const advice = `Workspaces that live there are not served. Start it, or see to the network: ${failure}`;
    return [{ level: 'error', what: `Node ${name} does not answer`, advice }];
  }
  const findings: Finding[] = [];
  if (Math.abs(aheadMs) > mostOff)
    findings.push({
      level: 'error',
      what: `The clock of node ${name} is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the coordinator's`,
      advice: 'Let all nodes keep time by NTP: leases and due times go by the clock.',
    });
  if (undecided > 0)
    findings.push({
      level: 'warning',
      what: `Node ${name} holds ${undecided} parts of transactions that are neither committed nor rolled back`,
      advice:
        'Rows that they wrote stay locked. Citus decides them each minute: see why not in the log of the coordinator, or run: select recover_prepared_transactions()',
    });
  return findings;
}

/** In milliseconds; so much is no matter of the network. */
const mostOff = 1_000;

function judgeVersions(nodes: readonly ClusterNode[]): Finding[] {
  const answering = nodes.filter(({ failure }) => failure === null);
  const versions = answering.map(({ postgres, citus }) => `PostgreSQL ${postgres}, Citus ${citus}`);
  const what = `${answering.length} of ${nodes.length} nodes of the Citus cluster answer`;
  if (new Set(versions).size <= 1)
    return answering.length === nodes.length ? [{ level: 'ok', what: `${what}: ${versions[0]}` }] : [];
  const each = answering.map(({ name }, at) => `${name} has ${versions[at]}`).join('; ');
  return [
    {
      level: 'warning',
      what: 'The nodes of the cluster have different versions',
      advice: `Upgrade those behind: ${each}.`,
    },
  ];
}

async function checkPlacement(pool: pg.Pool): Promise<Finding[]> {
  const misplaced = await listMisplaced(pool, placement);
  const { rows: inactive } = await pool.query<{ name: string }>(
    "select nodename || ':' || nodeport as name from pg_dist_node where not isactive order by 1",
  );
  const { rows: shards } = await pool.query<{ name: string; count: number }>(
    `select nodename || ':' || nodeport as name, count(p.placementid)::int as count
    from pg_dist_node n
    left join (pg_dist_placement p join pg_dist_shard s using (shardid)
      join pg_dist_partition t on t.logicalrelid = s.logicalrelid and t.partmethod = 'h') using (groupid)
    where n.shouldhaveshards and n.noderole = 'primary'
    group by 1 order by 1`,
  );
  const findings: Finding[] = [];
  if (misplaced.length > 0)
    findings.push({
      level: 'error',
      what: `Tables are not distributed: ${misplaced.map(({ table }) => table).join(', ')}`,
      advice: 'Run: punchcard migrate',
    });
  if (inactive.length > 0)
    findings.push({
      level: 'warning',
      what: `Nodes are not active: ${inactive.map(({ name }) => name).join(', ')}`,
      advice: 'Take them in again with citus_activate_node, or remove them with citus_remove_node.',
    });
  const empty = shards.filter(({ count }) => count === 0);
  if (empty.length > 0 && misplaced.length === 0)
    findings.push({
      level: 'warning',
      what: `No shards are on ${empty.map(({ name }) => name).join(', ')}`,
      advice: 'Move some there: select citus_rebalance_start()',
    });
  else if (shards.length > 0)
    findings.push({
      level: 'ok',
      what: `Shards: ${shards.map(({ name, count }) => `${count} on ${name}`).join(', ')}`,
    });
  return findings;
}
