import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { silentLog } from '../src/kit/embedded-postgres/log.ts';
import { stopAbandonedServer } from '../src/kit/embedded-postgres/postmaster.ts';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import { connectShop, connectStore, newOrder, send } from '../src/stores/stores.fixture.ts';
import { Client } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { temporaryDataDir } from './harness.ts';
import { freePort, ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const ada = {
  identifier: 'cust_in_nobodys_log',
  name: 'Ada Nobodyslog',
  email: 'ada@missing-log.example',
  phone: '+49 30 5550199',
};

describe('the logs, at the lowest level', async () => {
  const dataDir = await temporaryDataDir();
  const service = new ServiceProcess(await freePort(), {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    DRAIN_MS: '0',
  });
  after(async () => {
    await service.end('SIGKILL');
    await stopAbandonedServer(join(dataDir, 'postgres'), silentLog);
  });
  await service.start();
  const { apiKey, operatorToken, url } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  const client = new Client(service.url, url, apiKey);

  it('hold no key, token, link, name or address, whatever goes wrong', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { externalRef: 'ref_in_nobodys_log', holder: ada });
    const other = await makeCard(client, passId, {});
    const made = await client.post('/api-keys', { name: 'Till 4', access: 'read' });
    const token = card.links.add.split('/').at(-1);
    for (const path of ['', '/apple.pkpass', '/google', '/qr.svg', '/no-such-page'])
      await client.as(null).get(`/p/${token}${path}`);

    // Refusals: in the path, the query, the body, the headers, and by a conflict in the database.
    await client.get(`/instances/lookup?barcode=${card.barcode}&identifier=${ada.identifier}`);
    await client.get(`/passes?api_key=${apiKey}`);
    await client.get(`/no/such/path/${token}?email=${ada.email}`);
    await client.post('/passes', `{"title": "${ada.name}", `);
    await client.post(`/passes/${passId}/instances`, { holder: ada, [ada.email]: ada.name });
    await client.patch(`/instances/${other.instanceId}`, { holder: ada });
    await client.as(`${apiKey}x`).get('/me');
    await client.as(operatorToken).get('/me');
    await client.as(operatorToken).get('/operator/workspaces');
    await client.as(made.body.secret).post('/passes', {});

    // Stores: one that cannot be connected, and webhooks with a wrong signature or an unreadable body.
    const keys = { accessToken: 'shpat_in_nobodys_log', webhookSecret: 'whsec_in_nobodys_log' };
    const { accessToken, webhookSecret } = keys;
    await connectStore(client, { credentials: { accessToken }, webhookSecret });
    await client.post('/stores', {
      credentials: { accessToken },
      webhookSecret,
      [accessToken]: webhookSecret,
    });
    const earn = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perOrder: 1 } };
    const { pass } = await makeProgram(client, earn);
    const { storeId } = await connectShop(client, { passId: pass.passId, webhookSecret });
    const order = newOrder('1', { customer: { id: '7', email: ada.email, name: ada.name } });
    assert.equal((await send(client, storeId, order)).status, 401);
    assert.equal((await send(client, storeId, `${order}]`, { secret: webhookSecret })).status, 200);

    // Failures: PostgreSQL quotes whole rows in the details of such an error.
    const database = new pg.Client({ host: join(dataDir, 'postgres'), user: 'postgres', password });
    await database.connect();
    await database.query(`alter table holders add constraint no_name check (name is null) not valid`);
    await database.end();
    const failed = await client.post(`/passes/${passId}/instances`, { holder: { ...ada, identifier: 'x' } });
    assert.equal(failed.status, 500);
    assert.equal((await send(client, storeId, order, { secret: webhookSecret })).status, 200);
    await until('it was tried', () => service.printed.includes('a webhook could not be processed'));
    assert.match(service.printed, /a webhook cannot be read/);

    assert.equal(await service.end('SIGINT'), 0);
    const serverLog = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    // The logs mention all this, or finding nothing in them would mean nothing.
    assert.match(service.printed, /"op":"issueInstance".*"status":201/);
    assert.match(service.printed, /violates check constraint/);
    assert.match(serverLog, /violates check constraint/);
    // Ids are those of the API: they find the lines about a thing, and nothing else names it.
    assert.match(service.printed, /"keyId":"key_[^"]+","workspaceId":"ws_/);
    assert.match(service.printed, /"webhookId":"webhook_/);
    assert.doesNotMatch(service.printed, /Id":"[0-9a-f]{8}-[0-9a-f]{4}-/);
    const logs = service.said + serverLog;
    const secrets = {
      ...ada,
      ...keys,
      apiKey,
      operatorToken,
      password,
      token,
      other: made.body.secret,
      code: card.barcode,
    };
    for (const [what, secret] of Object.entries(secrets)) assert.ok(!logs.includes(secret), what);
    assert.ok(!logs.includes('ref_in_nobodys_log'));
  });
});
