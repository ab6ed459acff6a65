import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { p12For } from '../wallet-credentials/identities.fixture.ts';

describe('GET /workspace/obstacles', () => {
  it('says what a new installation lacks', async () => {
    const app = await startTestApp({ WORKERS: 'off', PUBLIC_URL: 'http://cards.example.com' });
    const { client } = await app.newWorkspace();
    const { status, body } = await client.get('/workspace/obstacles');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      apple: 'development',
      google: 'no_account',
      address: 'not_https',
      mail: 'no_server',
    });
  });

  it('says nothing where nothing is missing, and what a workspace mends itself', async () => {
    const app = await startTestApp({
      WORKERS: 'off',
      PUBLIC_URL: 'https://cards.example.com',
      SMTP_URL: 'smtp://localhost:2525',
      MAIL_FROM: 'cards@example.com',
    });
    const { client } = await app.newWorkspace();
    const obstacles = async () => (await client.get('/workspace/obstacles')).body;
    assert.deepEqual(await obstacles(), {
      apple: 'development',
      google: 'no_account',
      address: null,
      mail: null,
    });
    const p12 = { p12: p12For('pass.com.example.own'), passphrase: 'secret' };
    assert.equal((await client.put('/workspace/wallets/apple', p12)).status, 200);
    assert.equal((await obstacles()).apple, null);
    app.advance(5 * 365 * 86_400_000);
    assert.equal((await obstacles()).apple, 'expired');
  });

  it('is for those who see the whole workspace', async () => {
    const app = await startTestApp({ WORKERS: 'off' });
    const { client } = await app.newWorkspace();
    const statuses: number[] = [];
    for (const role of ['owner', 'viewer', 'staff'] as const)
      statuses.push((await (await signInAs(app, role, client)).get('/workspace/obstacles')).status);
    assert.deepEqual(statuses, [200, 200, 403]);
  });
});
