import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused } from '../../test/client.ts';
import { makeKey } from '../../test/factories.ts';
import { createTestDatabase, startTestApp } from '../../test/harness.ts';
import { startTcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import { decodeId } from '../kit/ids.ts';

const proxy = await startTcpProxy(await createTestDatabase());
const app = await startTestApp({ DATABASE_URL: proxy.url, WORKERS: 'off' });
after(() => proxy.close());

it('a look-up that is held up holds up no later request, nor is its answer believed by them', async () => {
  const till = await makeKey(app.client);
  app.running.app.keyCache.clear();
  const [asked, revoked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  proxy.holdOn('api_key_secrets', 'reply', async () => {
    asked.resolve();
    await revoked.promise;
    return 'goes on';
  });
  const early = till.client.get('/me');
  await asked.promise;
  // As another process would: this one forgets what it has when it revokes a key itself.
  await app.sql('update api_keys set revoked_at = now() where key_id = $1', [
    decodeId('key', till.key.keyId),
  ]);
  await sleep(1_001);
  assertRefused(await till.client.get('/me'), 'invalid_api_key');
  revoked.resolve();
  await early;
  assertRefused(await till.client.get('/me'), 'invalid_api_key');
});
