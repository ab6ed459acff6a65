import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jobs } from '../../src/jobs.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { Till } from '../../src/loyalty/till.fixture.ts';
import {
  deliveriesOf,
  makeWebhook,
  startReceiver,
  startWebhookApp,
} from '../../src/webhooks/webhooks.fixture.ts';
import { startTestApp } from '../harness.ts';

/*
 * On a cluster a job looks for its rows in the workspaces that are noted, by a statement that a single PostgreSQL is sent in another
 * form.
 */
it('each job looks for its work in a workspace without a failure', async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const { workspaceId } = await Till.open(app);
  for (const { name } of jobs)
    await app.sql(
      `insert into due_workspaces (job, workspace_id, look_at, note_id) values ($1, $2, now(), gen_random_uuid())
       on conflict do nothing`,
      [name, decodeId('ws', workspaceId)],
    );
  const failed: string[] = [];
  for (const { name, run } of jobs)
    await run({ app: app.running.app, requestId: `job_${name}` }).catch((error) => {
      failed.push(`${name}: ${error.message}`);
    });
  assert.deepEqual(failed, []);
});

it('an event is posted to a webhook', async () => {
  const app = await startWebhookApp();
  const { client } = await Till.open(app);
  const receiver = await startReceiver();
  const { webhookId } = await makeWebhook(client, receiver.url, { types: ['webhook.test'] });
  assert.equal((await client.post(`/webhooks/${webhookId}/test`)).status, 202);
  await deliveriesOf(client, webhookId, ([first]) => first?.status === 'delivered');
});
