import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestApp } from '../../../test/harness.ts';
import { FaultProxy } from '../../../tools/fakes/fault-proxy.ts';
import { installClient, needsPython } from './python.ts';

const program = fileURLToPath(new URL('follow_events.py', import.meta.url));

describe('events of the Python client', needsPython, async () => {
  const app = await startTestApp();
  const python = await installClient();
  for (const kind of ['sync', 'async']) {
    it(`are followed in their order, none twice, whatever becomes of the connection (${kind})`, async () => {
      const { client } = await app.newWorkspace();
      const proxy = await FaultProxy.start(app.url);
      after(() => proxy.close());
      const create = (title: string) => client.post('/passes', { title, type: 'coupon' });
      await create('before 1');
      await client.patch('/workspace', { name: 'Not wanted' });
      await create('before 2');
      proxy.plan = ['dropped before', 'cut off', 'none', 'dropped after', 'none'];
      const child = python.start([program, kind], { API_KEY: client.secret ?? '', BASE_URL: proxy.url });
      after(() => child.kill());
      if (child.stdout === null) throw new Error('it has no output');
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const heard: string[] = [];
      const hear = async () => heard.push(String((await lines.next()).value));
      await hear();
      await hear();
      await create('during');
      await hear();
      proxy.plan = ['bad gateway', 'overloaded', 'none'];
      await create('later');
      await hear();
      assert.deepEqual(
        heard.map((line) => line.replace(/^\d+ /, '')),
        ['before 1', 'before 2', 'during', 'later'],
      );
      const { body } = await client.get('/events?type=pass.created&afterSeq=0');
      assert.deepEqual(
        heard.map((line) => Number(line.split(' ')[0])),
        body.data.map(({ seq }: { seq: number }) => seq),
      );
      child.kill();
      await once(child, 'exit');
      // So that nothing is left waiting at the service.
      await create('last');
    });
  }
});
