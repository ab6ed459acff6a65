import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeId } from '../../src/kit/ids.ts';
import type { Client, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { until } from '../wallets.ts';
import { type ClusterNode, nodesFolder, nodesIn, withoutNodes } from './nodes.ts';

/** Longer than Citus, as it comes, takes to see to what a lost node has left prepared. */
const mostWaitMs = 120_000;

interface Shop {
  readonly client: Client;
  /** Of the node that holds its rows. */
  readonly port: number;
  award(externalRef: string): Promise<Reply>;
}

describe('a node of the cluster is stopped at once', { skip: withoutNodes }, async () => {
  const app = await startTestApp();
  const nodes = nodesIn(nodesFolder ?? '');
  const [coordinator, ...workers] = nodes;
  const shops = await openShops();

  /** A shop on each worker node. */
  async function openShops(): Promise<Shop[]> {
    const found = new Map<number, Shop>();
    while (found.size < workers.length) {
      const shop = await openShop();
      found.set(shop.port, shop);
    }
    return [...found.values()];
  }

  async function openShop(): Promise<Shop> {
    const { client, workspaceId } = await app.newWorkspace();
    const [place] = await app.sql<{ port: number }>(
      `select nodeport as port from pg_dist_shard_placement
      where shardid = get_shard_id_for_distribution_column('loyalty_entries', $1::uuid)`,
      [decodeId('ws', workspaceId)],
    );
    const { passId } = await makePass(client);
    const program = { passId, mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const { instanceId } = await makeCard(client, passId);
    return {
      client: client.impatient,
      port: place?.port ?? 0,
      award: (externalRef) =>
        client.impatient.post('/loyalty/points', { passId, instanceId, points: 1, externalRef }),
    };
  }

  /** What may be retried, and said so. */
  function assertRetryable({ status, body, headers }: Reply): void {
    if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    else assert.deepEqual([status, body.code, body.retryable], [500, 'internal_error', true], body.error);
  }

  /** Stops the node for the time of `work`. */
  async function without(node: ClusterNode | undefined, work: () => Promise<void>): Promise<void> {
    await node?.stopAtOnce();
    await work().finally(() => node?.start());
  }

  /** Awards until one is acknowledged. All before it may be retried. */
  async function awardUntilDone({ award }: Shop, externalRef: string): Promise<Reply> {
    let reply = await award(externalRef);
    const done = async () => {
      if (reply.status < 300) return true;
      assertRetryable(reply);
      reply = await award(externalRef);
      return false;
    };
    await until(`${externalRef} is acknowledged`, done, mostWaitMs);
    return reply;
  }

  for (const node of workers) {
    it(`${node.name}: its workspaces get what may be retried, the others are shown what they have, and all is well when it is back`, async () => {
      const lost = shops.find(({ port }) => port === node.port);
      const others = shops.filter(({ port }) => port !== node.port);
      assert.ok(lost);
      await without(node, async () => {
        for (let turn = 0; turn < 5; turn++) {
          assertRetryable(await lost.award(`${node.name} lost ${turn}`));
          assertRetryable(await lost.client.get('/passes'));
          for (const other of others) {
            assert.equal((await other.client.get('/passes')).status, 200);
            // What a statement hands on to the next goes to every node.
            const reply = await other.award(`${node.name} ${turn}`);
            if (reply.status !== 200) assertRetryable(reply);
          }
        }
      });
      for (const other of others)
        for (let turn = 0; turn < 5; turn++) await awardUntilDone(other, `${node.name} ${turn}`);
      for (let turn = 0; turn < 5; turn++) await awardUntilDone(lost, `${node.name} lost ${turn}`);
    });

    it(`${node.name}, while awards are under way: each is there once`, async () => {
      const lost = shops.find(({ port }) => port === node.port);
      assert.ok(lost);
      let isOver = false;
      let acknowledged = 0;
      const tills = Array.from({ length: 8 }, async (_, till) => {
        for (let turn = 0; !isOver; turn++) {
          const externalRef = `${node.name} till ${till} ${turn}`;
          const first = await awardUntilDone(lost, externalRef);
          assert.equal((await awardUntilDone(lost, externalRef)).text, first.text, 'the same answer again');
          acknowledged++;
        }
      });
      const made = Promise.all(tills);
      // Said where it is waited for.
      made.catch(() => undefined);
      try {
        for (let stops = 0; stops < 3; stops++) {
          const before = acknowledged;
          await until('awards are made', () => acknowledged > before + 20, 2 * mostWaitMs);
          await without(node, async () => undefined);
        }
      } finally {
        isOver = true;
      }
      await made;
      const entries = await app.sql<{ ref: string; count: number }>(
        `select external_ref as ref, count(*)::int from loyalty_entries
        where external_ref like $1 group by 1`,
        [`${node.name} till %`],
      );
      assert.equal(entries.length, acknowledged);
      assert.deepEqual(
        entries.filter(({ count }) => count !== 1),
        [],
      );
    });
  }

  it('the coordinator: a call is made on its node or gets what may be retried, and all is well when it is back', async () => {
    await without(coordinator, async () => {
      for (const shop of shops) {
        // As long as it is known what its key may do.
        const reply = await shop.award('without a coordinator');
        if (reply.status !== 200) assertRetryable(reply);
      }
      assert.equal((await app.anyone.impatient.get('/readyz')).status, 503);
    });
    await until('it is ready', async () => (await app.anyone.impatient.get('/readyz')).status === 200);
    for (const shop of shops) await awardUntilDone(shop, 'without a coordinator');
  });

  it('books agree afterwards', () => assertInvariants(app.sql));
});
