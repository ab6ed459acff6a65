import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { decodeId, encodeBase32, uuidBytes } from '../src/kit/ids.ts';
import { Phone } from '../tools/fakes/phone.ts';
import { makePass } from './factories.ts';
import { cardIdOf, deviceOf, fillInstalledCards } from './fill-cards.ts';
import { startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';
import { ServiceProcess } from './service-process.ts';
import { startDevelopmentApns, until } from './wallets.ts';

const cards = 10_000;
const devices = 2_000;
const phonesInDetail = 100;

test(`a worker killed twice in a rollout to ${cards} cards: all are current and paid once, and no device got more than one push again`, async () => {
  const apns = await startDevelopmentApns();
  const app = await startTestApp({ APNS_URL: apns.url, WORKERS: 'off', ROLLOUT_DEVICES_PER_SECOND: '5000' });
  const { client, workspaceId } = await app.newWorkspace('pro', cards + 500);
  const pass = await makePass(client);
  const ids = { workspaceId: decodeId('ws', workspaceId) ?? '', passId: decodeId('pass', pass.passId) ?? '' };
  const { passTypeIdentifier } = app.running.app.apple;
  const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1 });
  await fillInstalledCards(pool, { ...ids, passTypeIdentifier, cards, devices });
  // Dropping the database waits for connections.
  await pool.end();

  const phones = new Map<string, Phone>();
  for (let n = 0; n < phonesInDetail; n++) {
    const phone = new Phone({
      ...deviceOf(n),
      root: app.running.app.apple.root,
      mayBeKnown: true,
      reach: (url) => url.replace(app.config.publicUrl, app.url),
    });
    for (let card = n; card < cards; card += devices) {
      const serialNumber = encodeBase32(
        Buffer.concat([uuidBytes(ids.workspaceId), uuidBytes(cardIdOf(ids.passId, card))]),
      );
      const [row] = await app.sql<{ token: string }>(
        'select authentication_token as token from instances where instance_id = $1',
        [cardIdOf(ids.passId, card)],
      );
      phone.restore({
        passTypeIdentifier,
        serialNumber,
        authenticationToken: row?.token ?? '',
        webServiceURL: `${app.config.publicUrl}/apple`,
      });
    }
    phones.set(phone.pushToken, phone);
  }
  apns.onPush(({ token, topic }) => void phones.get(token)?.pushed(topic));

  const worker = new ServiceProcess(
    0,
    {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: app.config.publicUrl,
      APNS_URL: apns.url,
      ROLLOUT_DEVICES_PER_SECOND: '5000',
    },
    ['work'],
  );
  after(() => worker.end('SIGKILL'));
  const credits = async () => (await client.get('/credits')).body;
  const rollout = async () => (await client.get(`/passes/${pass.passId}`)).body.rollout;
  const fields = [{ key: 'tier', label: 'Level', value: 'Bronze', section: 'secondary' }];
  await client.patch(`/passes/${pass.passId}`, { fields });

  worker.launch();
  await until('some cards were reached', async () => (await rollout()).done > 1_000, 60_000);
  await worker.end('SIGKILL');
  worker.launch();
  await until('some devices were pushed to', () => apns.delivered > 200, 60_000);
  await worker.end('SIGKILL');
  worker.launch();
  await until('the rollout is finished', async () => (await rollout()).state === 'finished', 60_000);
  await until('all is settled', async () => (await credits()).reserved === 0, 120_000);
  await sleep(200);
  await worker.end('SIGTERM');

  assert.deepEqual(await credits(), { balance: 500, reserved: 0, spent: cards });
  const pushes = Array.from({ length: devices }, (_, n) => apns.deliveriesTo(deviceOf(n).pushToken));
  assert.ok(Math.min(...pushes) >= 1, 'every device was notified');
  assert.ok(Math.max(...pushes) <= 2, `a device got ${Math.max(...pushes)} pushes`);
  for (const phone of phones.values()) {
    await until('the phone shows it', () =>
      phone.cards.every((card) => JSON.stringify(card.pass).includes('Level')),
    );
    assert.deepEqual(phone.complaints, []);
  }
  // Without statistics the checks would be planned for empty tables.
  await app.sql('analyze');
  await assertInvariants(app.sql);
});
