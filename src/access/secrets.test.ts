import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import type { Client } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const logged: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk));
    done();
  },
});
const app = await startTestApp({}, pino({ level: 'trace' }, sink));

/** Makes secrets in every way there is. */
async function makeSecrets(): Promise<{ client: Client; secrets: string[] }> {
  const headers = { 'idempotency-key': 'kept' };
  const created = await app.operator.post('/operator/workspaces', { name: 'Blue Bean' }, { headers });
  const client = app.anyone.as(created.body.apiKey);
  const key = await client.post('/api-keys', { name: 'Till 4', access: 'full' }, { headers });
  const rotated = await client.post(
    `/api-keys/${key.body.keyId}/rotate`,
    { overlapSeconds: 60 },
    { headers },
  );
  const unkept = await client.post('/api-keys', { name: 'Till 5', access: 'full' });
  const secrets = [created.body.apiKey, key.body.secret, rotated.body.secret, unkept.body.secret];
  return { client, secrets };
}

describe('the secret of a key', () => {
  it('is in no table and no log, although the answer that showed it is kept for replays', async () => {
    const { client, secrets } = await makeSecrets();
    for (const secret of secrets) {
      await client.as(secret).get('/me');
      // Refused requests are logged, too.
      await client.as(secret).post('/operator/workspaces', {});
      await client.as(`${secret}x`).get('/me');
    }
    const everything = `${await app.dump()}\n${logged.join('')}`;
    assert.ok(everything.includes('Till 4') && everything.includes('"op":"createApiKey"'));
    for (const secret of [...secrets, app.client.secret, app.operator.secret]) {
      assert.ok(secret);
      assert.ok(!everything.includes(secret), `${secret.slice(0, 12)}… was kept`);
      assert.ok(!everything.includes(Buffer.from(secret).toString('hex')), 'kept as bytes');
      assert.ok(!everything.includes(Buffer.from(secret).toString('base64').slice(0, 40)), 'kept as base64');
    }
    assert.ok(!everything.includes('pk_live_'));
  });

  it('is shown once: no other answer has it', async () => {
    const { client, secrets } = await makeSecrets();
    const { data } = (await client.get('/api-keys')).body;
    const replies = [
      await client.get('/api-keys'),
      await client.get('/me'),
      await client.get('/workspace'),
      await client.patch(`/api-keys/${data[0].keyId}`, { name: 'New' }),
      await client.get(`/api-keys/${data[0].keyId}`),
      await client.delete(`/api-keys/${data[0].keyId}`),
      await app.operator.get('/operator/workspaces'),
    ];
    for (const { text } of replies) {
      assert.ok(!text.includes('pk_live_'));
      for (const secret of secrets) assert.ok(!text.includes(secret.slice(8, 20)));
    }
  });
});

describe('a kept answer that holds a secret', () => {
  it('does not open in another place', async () => {
    const { client } = await makeSecrets();
    const headers = { 'idempotency-key': 'other place' };
    await client.post('/api-keys', { name: 'Till 6', access: 'full' }, { headers });
    await app.sql(`update operation_claims o set body = k.body, fingerprint = o.fingerprint
      from operation_claims k
      where o.key = 'other place' and k.key = 'kept' and k.operation = 'createApiKey'
        and k.workspace_id = o.workspace_id`);
    const replay = await client.post('/api-keys', { name: 'Till 6', access: 'full' }, { headers });
    assert.equal(replay.body.code, 'internal_error');
    assert.ok(!replay.text.includes('pk_live_'));
  });
});

describe('the secrets of a card', () => {
  it('are not logged when its links are opened', async () => {
    const { client } = await app.newWorkspace();
    const { links } = await makeCard(client, (await makePass(client)).passId);
    const token = links.add.split('/').at(-1);
    for (const path of ['', '/apple.pkpass', '/qr.svg']) await app.anyone.get(`/p/${token}${path}`);
    const [row] = await app.sql(
      'select authentication_token from instances order by created_at desc limit 1',
    );
    const lines = logged.join('');
    assert.ok(lines.includes('"op":"openLink"'));
    assert.ok(!lines.includes(token));
    assert.ok(!lines.includes(String(row?.authentication_token)));
  });
});
