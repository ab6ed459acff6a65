import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { foldAll } from './fold-texts.ts';

const app = await startTestApp({ WORKERS: 'off' });

it('folds the code and the name of a card that a former version has written', async () => {
  const { client } = await app.newWorkspace();
  const { passId } = await makePass(client);
  const { instanceId } = await makeCard(client, passId, { barcode: 'CODE-1', holder: { name: 'Ada' } });
  await app.sql("update instances set barcode = 'ÄÖÜ-7' where barcode = 'CODE-1'");
  await app.sql("update holders set name = 'Weiß', folding = null where name = 'Ada'");
  const found = async (query: string) => {
    const { data } = (await client.get(`/passes/${passId}/instances?q=${encodeURIComponent(query)}`)).body;
    return data.map((card: { instanceId: string }) => card.instanceId);
  };
  assert.deepEqual(await found('äöü-7'), []);
  assert.equal(await foldAll(app.running.app.database), 2);
  assert.deepEqual(await found('äöü-7'), [instanceId]);
  assert.deepEqual(await found('WEISS'), [instanceId]);
  assert.equal(await foldAll(app.running.app.database), 0);
});
