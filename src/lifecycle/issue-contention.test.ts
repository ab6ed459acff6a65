import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
const twin = await app.twin();
/** The same key, served by one process and by two. */
let processes: Record<'one process' | 'two processes', readonly Client[]>;
let client: Client;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  processes = { 'one process': [client], 'two processes': [client, twin.as(client.secret)] };
});

const kinds = ['one process', 'two processes'] as const;
const codesOf = (count: number) => Array.from({ length: count }, (_, index) => `CODE-${index}`);

/** Sends the bodies at once, in turn through each client; answers in their order. */
function issueAll(clients: readonly Client[], passId: string, bodies: readonly object[]): Promise<Reply[]> {
  return inParallel(bodies.length, (index) => {
    const who = clients[index % clients.length] ?? client;
    return who.post(`/passes/${passId}/instances`, bodies[index]);
  });
}

const outcomes = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));
const show = async (passId: string): Promise<Json> => (await client.get(`/passes/${passId}`)).body;

for (const kind of kinds) {
  describe(`with ${kind}`, () => {
    it('one identifier gets one card under 100 concurrent issues', async () => {
      const { passId } = await makePass(client);
      const body = { holder: { identifier: 'ada' } };
      const replies = await issueAll(processes[kind], passId, Array(100).fill(body));
      assert.deepEqual(outcomes(replies), { 200: 99, 201: 1 });
      assert.equal(new Set(replies.map((reply) => reply.body.instanceId)).size, 1);
      assert.equal((await show(passId)).counts.issued, 1);
    });

    it('one externalRef issues one card under 100 concurrent issues', async () => {
      const { passId } = await makePass(client);
      const replies = await issueAll(processes[kind], passId, Array(100).fill({ externalRef: 'signup-1' }));
      assert.deepEqual(outcomes(replies), { 201: 100 });
      assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
      assert.equal((await show(passId)).counts.issued, 1);
    });

    it('ten holders with ten references each get one card each', async () => {
      const { passId } = await makePass(client);
      const bodies = Array.from({ length: 200 }, (_, index) => ({
        externalRef: `ref-${index % 100}`,
        holder: { identifier: `holder-${index % 10}` },
      }));
      const replies = await issueAll(processes[kind], passId, bodies);
      assert.ok(replies.every(({ status }) => status < 300));
      assert.equal(new Set(replies.map((reply) => reply.body.instanceId)).size, 10);
      for (const [index, reply] of replies.entries()) {
        assert.equal(reply.body.holder.identifier, `holder-${index % 10}`);
        assert.equal(reply.text, replies[index % 100]?.text);
      }
      assert.equal((await show(passId)).counts.issued, 10);
    });

    it('a pool of 40 codes serves 40 of 120 concurrent issues, each code once', async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
      await app.fillPool(passId, codesOf(40));
      const replies = await issueAll(processes[kind], passId, Array(120).fill({}));
      assert.deepEqual(outcomes(replies), { 201: 40, pool_exhausted: 80 });
      const issued = replies.flatMap(({ body }) => body.barcode ?? []);
      assert.deepEqual(issued.sort(), codesOf(40).sort());
      const { counts, pool } = await show(passId);
      assert.equal(counts.issued, 40);
      assert.deepEqual(pool, { ...pool, total: 40, available: 0, assigned: 40 });
    });

    it('a refused issue of an empty pool succeeds under its reference after an upload', async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
      await app.fillPool(passId, codesOf(5));
      const bodies = Array.from({ length: 20 }, (_, index) => ({ externalRef: `ref-${index}` }));
      const first = await issueAll(processes[kind], passId, bodies);
      assert.deepEqual(outcomes(first), { 201: 5, pool_exhausted: 15 });
      await app.fillPool(
        passId,
        codesOf(20).map((code) => `SECOND-${code}`),
      );
      const second = await issueAll(processes[kind], passId, bodies);
      assert.deepEqual(outcomes(second), { 201: 20 });
      assert.equal(new Set(second.map(({ body }) => body.barcode)).size, 20);
      for (const [index, reply] of first.entries())
        if (reply.status === 201) assert.equal(second[index]?.text, reply.text);
    });

    it('a brought barcode goes to one of 50 concurrent issues', async () => {
      const { passId } = await makePass(client);
      const bodies = Array.from({ length: 100 }, (_, index) => ({ barcode: `B-${index % 2}` }));
      const replies = await issueAll(processes[kind], passId, bodies);
      assert.deepEqual(outcomes(replies), { 201: 2, barcode_taken: 98 });
      const issued = replies.flatMap(({ status, body }) => (status === 201 ? body.barcode : []));
      assert.deepEqual(issued.sort(), ['B-0', 'B-1']);
    });

    it('imports and issues of one pool never share a code', async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
      await app.fillPool(passId, codesOf(30));
      const imports = processes[kind].flatMap((who) =>
        [0, 10, 20].map((from) => {
          const instances = codesOf(from + 10)
            .slice(from)
            .map((barcode) => ({ barcode }));
          return who.post(`/passes/${passId}/instances/import`, { instances });
        }),
      );
      const [imported, issued] = await Promise.all([
        Promise.all(imports),
        issueAll(processes[kind], passId, Array(30).fill({})),
      ]);
      const codes = [
        ...imported.flatMap(({ body }) => body.results.flatMap((one: Json) => one.instance?.barcode ?? [])),
        ...issued.flatMap(({ body }) => body.barcode ?? []),
      ];
      assert.deepEqual(codes.sort(), codesOf(30).sort());
      const { counts, pool } = await show(passId);
      assert.deepEqual([counts.issued, pool.available, pool.assigned], [30, 0, 30]);
    });

    it('no card is issued once the pass is archived', async () => {
      const { passId } = await makePass(client);
      const before = issueAll(processes[kind], passId, Array(40).fill({}));
      const archived = await client.patch(`/passes/${passId}`, { status: 'archived' });
      const after = await issueAll(processes[kind], passId, Array(20).fill({}));
      for (const reply of after) assertRefused(reply, 'pass_archived');
      assert.equal(archived.status, 200);
      const issued = (await before).filter(({ status }) => status === 201).length;
      assert.equal((await show(passId)).counts.issued, issued);
    });
  });
}

describe('issues of many workspaces at the same time', () => {
  it('are each answered as if they came alone, whatever pool of another one has run out', async () => {
    const shops = await inParallel(6, async (at) => {
      const own = (await app.newWorkspace()).client;
      const isPooled = at < 2;
      const { passId } = await makePass(own, isPooled ? { barcode: { mode: 'pool' } } : {});
      if (isPooled) await app.fillPool(passId, codesOf(at === 0 ? 3 : 20));
      return { own, passId };
    });
    const issue = (at: number) => {
      const { own, passId } = shops[at % 6] as (typeof shops)[number];
      return own.post(`/passes/${passId}/instances`, {
        externalRef: `ref-${at}`,
        holder: { identifier: `h-${at}` },
      });
    };
    const replies = await inParallel(60, issue);
    const of = (place: number) => outcomes(replies.filter((_, at) => at % 6 === place));
    assert.deepEqual(of(0), { 201: 3, pool_exhausted: 7 });
    for (const place of [1, 2, 3, 4, 5]) assert.deepEqual(of(place), { 201: 10 });
    const repeats = await inParallel(60, issue);
    for (const [at, { status, text }] of replies.entries())
      if (status === 201) assert.equal(repeats[at]?.text, text);
    for (const [place, { own, passId }] of shops.entries()) {
      const { counts } = (await own.get(`/passes/${passId}`)).body;
      assert.equal(counts.issued, place === 0 ? 3 : 10);
    }
  });
});
