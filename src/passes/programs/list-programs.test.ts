import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { makeKey, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { decodeId, newUuidV7 } from '../../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let workspaceId: string;
const programs: Json[] = [];
before(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  for (let count = 0; count < 5; count++) programs.unshift(await makeProgram(client));
  await client.patch(`/loyalty/programs/${programs[1].programId}`, { status: 'active' });
});

async function makeProgram(by: Client): Promise<Json> {
  const { passId } = await makePass(by);
  const reward = { title: 'Free coffee', cost: 100 };
  return (await by.post('/loyalty/programs', { passId, mode: 'POINTS', reward })).body;
}

const ids = (rows: readonly Json[]) => rows.map(({ programId }) => programId);

describe('GET /loyalty/programs', () => {
  it('lists the programs of the workspace, newest first and page by page', async () => {
    await makeProgram((await app.newWorkspace()).client);
    const found: Json[] = [];
    for (let path: string | null = '/loyalty/programs?limit=2'; path !== null; ) {
      const { body } = await client.get(path);
      assert.ok(body.data.length <= 2);
      found.push(...body.data);
      path = body.nextCursor && `/loyalty/programs?limit=2&cursor=${body.nextCursor}`;
    }
    assert.deepEqual(ids(found), ids(programs));
    const { history: _, ...listed } = programs[0];
    assert.deepEqual(found[0], listed);
  });

  it('lists those in one status', async () => {
    const inStatus = async (status: string) =>
      ids((await client.get(`/loyalty/programs?status=${status}`)).body.data);
    assert.deepEqual(await inStatus('active'), [programs[1].programId]);
    assert.deepEqual(await inStatus('paused'), []);
    assert.equal((await inStatus('not_launched')).length, 4);
    assertRefused(
      await client.get('/loyalty/programs?status=launched'),
      'invalid_request',
      /parameter status must/,
    );
  });

  it('lists what a restricted key reaches, and everything to a read-only key', async () => {
    const passIds = [programs[3].passId, programs[0].passId];
    const restricted = (await makeKey(client, { passIds })).client;
    const reader = (await makeKey(client, { access: 'read' })).client;
    const seen = async (by: Client) => ids((await by.get('/loyalty/programs')).body.data);
    assert.deepEqual(await seen(restricted), ids([programs[0], programs[3]]));
    assert.deepEqual(await seen(reader), ids(programs));
    assert.deepEqual(await seen((await app.newWorkspace()).client), []);
  });

  it('takes only its own cursor', async () => {
    const cursor = (await client.get('/loyalty/programs?limit=1')).body.nextCursor;
    const stranger = (await app.newWorkspace()).client;
    for (const [by, path] of [
      [client, `/loyalty/programs?status=active&cursor=${cursor}`],
      [client, `/loyalty/programs?cursor=${cursor}x`],
      [client, `/passes?cursor=${cursor}`],
      [stranger, `/loyalty/programs?cursor=${cursor}`],
    ] as const) {
      assertRefused(await by.get(path), 'invalid_request', /^cursor/);
    }
  });
});

describe('GET /loyalty/programs/{programId}/summary', () => {
  const summaryOf = async ({ programId }: Json) =>
    (await client.get(`/loyalty/programs/${programId}/summary`)).body;
  const nothing = { issued: 0, redeemed: 0, expired: 0, reversed: 0, adjusted: 0, outstanding: 0 };
  const addTotals = (program: Json, shard: number, totals: readonly number[]) =>
    app.sql(
      `insert into program_totals
         (workspace_id, program_id, shard, issued, redeemed, expired, reversed, adjusted, outstanding)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [decodeId('ws', workspaceId), decodeId('prog', program.programId), shard, ...totals],
    );
  const addAudit = (finishedAt: string, findings: object[]) =>
    app.sql(
      `insert into ledger_audits (workspace_id, audit_id, accounts, entries, findings, started_at, finished_at)
       values ($1, $2, 1, 1, $3, $4, $4)`,
      [decodeId('ws', workspaceId), newUuidV7(), JSON.stringify(findings), finishedAt],
    );

  it('has nothing to sum up at first', async () => {
    assert.deepEqual(await summaryOf(programs[0]), {
      programId: programs[0].programId,
      ...nothing,
      trialBalance: { entries: 0, balances: 0, difference: 0 },
      lastAudit: null,
    });
  });

  it('adds up the shards of the program, and only those', async () => {
    await addTotals(programs[0], 0, [1_000, 300, 20, 5, -7, 668]);
    await addTotals(programs[0], 15, [10, 0, 0, 0, 50, 60]);
    await addTotals(programs[1], 0, [9, 0, 0, 0, 0, 9]);
    const { trialBalance, programId: _, lastAudit: __, ...totals } = await summaryOf(programs[0]);
    const added = { issued: 1_010, redeemed: 300, expired: 20, reversed: 5, adjusted: 43, outstanding: 728 };
    assert.deepEqual(totals, added);
    assert.deepEqual(trialBalance, { entries: 728, balances: 728, difference: 0 });
  });

  it('says by how much the two sides differ', async () => {
    await addTotals(programs[2], 3, [100, 0, 0, 0, 0, 90]);
    const { trialBalance } = await summaryOf(programs[2]);
    assert.deepEqual(trialBalance, { entries: 100, balances: 90, difference: 10 });
  });

  it('says when the ledger was last recounted and how much was wrong', async () => {
    await addAudit('2026-01-02T03:00:00.000Z', [{ rule: 'I1' }, { rule: 'I3' }]);
    const { lastAudit } = await summaryOf(programs[0]);
    assert.deepEqual(lastAudit, { at: '2026-01-02T03:00:00.000Z', findings: 2 });
    await addAudit('2026-01-03T03:00:00.000Z', []);
    const later = { at: '2026-01-03T03:00:00.000Z', findings: 0 };
    assert.deepEqual((await summaryOf(programs[0])).lastAudit, later);
    const stranger = (await app.newWorkspace()).client;
    const { programId } = await makeProgram(stranger);
    assert.equal((await stranger.get(`/loyalty/programs/${programId}/summary`)).body.lastAudit, null);
  });
});
