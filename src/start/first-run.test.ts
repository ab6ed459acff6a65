import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
const { dataDir, publicUrl } = app.config;

const read = (file: string) => readFile(join(dataDir, file), 'utf8');
const mode = async (file: string) => ((await stat(join(dataDir, file))).mode & 0o777).toString(8);

describe('the first start on an empty database', () => {
  it('makes the workspace "Default": entry plan, 1,000 credits, one full-access key', async () => {
    const { body } = await app.client.get('/me');
    const { workspaceId, ...workspace } = body.workspace;
    assert.deepEqual(workspace, { name: 'Default', plan: 'entry', credits: 1_000, drafts: 0 });
    assert.deepEqual([body.access, body.passIds], ['full', null]);
    const { data } = (await app.operator.get('/operator/workspaces')).body;
    assert.deepEqual(
      data.map((one: { workspaceId: string }) => one.workspaceId),
      [workspaceId],
    );
  });

  it('writes first-run.json, which only its owner can read', async () => {
    const { body } = await app.client.get('/me');
    const { consoleUrl, ...rest } = JSON.parse(await read('first-run.json'));
    assert.match(consoleUrl, /^https:\/\/cards\.example\.test\/sign-in\/link_\w{36}$/);
    assert.deepEqual(rest, {
      operatorToken: app.operator.secret,
      workspaceId: body.workspace.workspaceId,
      apiKey: app.client.secret,
      url: publicUrl,
    });
    assert.equal(await mode('first-run.json'), '600');
    assert.equal(await mode('secrets.json'), '600');
  });
});

describe('every later start', () => {
  it('makes no workspace and leaves the file alone; token and keys still work', async () => {
    const before = await read('first-run.json');
    const twin = await app.twin();
    assert.equal(await read('first-run.json'), before);
    assert.deepEqual((await twin.get('/me')).body, (await app.client.get('/me')).body);
    assert.equal((await twin.as(app.operator.secret).get('/operator/workspaces')).body.data.length, 1);
  });

  it('accepts cursors that another process gave out', async () => {
    const twin = await app.twin();
    for (const name of ['A', 'B']) await app.client.post('/api-keys', { name, access: 'read' });
    const { nextCursor } = (await app.client.get('/api-keys?limit=1')).body;
    assert.equal((await twin.get(`/api-keys?limit=1&cursor=${nextCursor}`)).body.data[0].name, 'A');
  });
});
