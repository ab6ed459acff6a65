import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
let client: Client;
let workspaceId: string;
before(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
});

describe('GET /me', () => {
  it('shows which key calls, what it may do, and for which workspace', async () => {
    const { status, body } = await client.get('/me');
    assert.equal(status, 200);
    assert.match(body.keyId, /^key_[0-9a-z]{26}$/);
    assert.deepEqual(body, {
      keyId: body.keyId,
      personId: null,
      role: null,
      partnerId: null,
      name: 'First key',
      access: 'full',
      passIds: null,
      workspace: { workspaceId, name: 'Blue Bean', plan: 'pro', credits: 100, drafts: 0 },
      rateLimit: 100_000,
    });
  });

  it('is served at /v1 and at the bare path', async () => {
    assert.deepEqual((await client.get('/v1/me')).body, (await client.get('/me')).body);
  });

  it('counts drafts', async () => {
    const { client: other } = await app.newWorkspace();
    await makePass(other, {}, 'draft');
    await makePass(other, {}, 'published');
    assert.equal((await other.get('/me')).body.workspace.drafts, 1);
  });

  it('answers a read-only and a restricted key, with its own limits', async () => {
    const pass = await makePass(client);
    const restricted = await makeKey(client, {
      name: 'Till 4',
      access: 'read',
      passIds: [pass.passId],
      rateLimit: 20,
    });
    const { body } = await restricted.client.get('/me');
    assert.equal(body.keyId, restricted.key.keyId);
    assert.equal(body.access, 'read');
    assert.deepEqual(body.passIds, [pass.passId]);
    assert.equal(body.rateLimit, 20);
  });
});

describe('GET /workspace', () => {
  it('shows the settings of a new workspace', async () => {
    const { body } = await client.get('/workspace');
    assert.deepEqual(
      { ...body, createdAt: null, drafts: null },
      {
        workspaceId,
        name: 'Blue Bean',
        timezone: 'UTC',
        locale: 'en',
        currency: 'EUR',
        country: null,
        defaults: {},
        plan: 'pro',
        credits: 100,
        drafts: null,
        suspended: false,
        createdAt: null,
      },
    );
    assert.ok(Math.abs(Date.parse(body.createdAt) - Date.now()) < 60_000);
  });
});

describe('PATCH /workspace', () => {
  it('changes what is sent and leaves the rest alone', async () => {
    const before = (await client.get('/workspace')).body;
    const changes = { timezone: 'Europe/Berlin', locale: 'de-AT', currency: 'JPY' };
    const changed = await client.patch('/workspace', changes);
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body, { ...before, ...changes });
    assert.deepEqual((await client.get('/workspace')).body, changed.body);
    assert.equal((await client.patch('/workspace', { name: 'Zoë’s Café ☕' })).body.name, 'Zoë’s Café ☕');
  });

  it('gives new passes its defaults, and only where the body leaves them out', async () => {
    const { client: own } = await app.newWorkspace();
    const colors = { background: '#10324a', foreground: '#ffffff', label: null };
    await own.patch('/workspace', { defaults: { colors, terms: 'No refunds' } });
    const plain = await makePass(own);
    assert.deepEqual([plain.colors, plain.terms], [colors, 'No refunds']);
    const special = await makePass(own, { terms: null });
    assert.deepEqual([special.colors, special.terms], [colors, null]);
    await own.patch('/workspace', { defaults: {} });
    assert.equal((await makePass(own)).terms, null);
  });

  const wrong: [object, RegExp][] = [
    [{}, /at least 1 property/],
    [{ name: '' }, /name/],
    [{ name: ' ' }, /^name must not be blank/],
    [{ name: null }, /name/],
    [{ name: 'a\nb' }, /control character/],
    [{ name: 'x'.repeat(121) }, /120/],
    [{ timezone: 'Mars/Olympus' }, /timezone: this value is not known/],
    [{ timezone: '+05' }, /timezone: this value is not known/],
    [{ timezone: 'IST' }, /timezone: this value is not known/],
    [{ timezone: 'Europe/Berlin; drop' }, /timezone/],
    [{ currency: 'XXQ' }, /currency: this value is not known/],
    [{ currency: 'eur' }, /currency/],
    [{ locale: 'en_US' }, /locale/],
    [{ locale: 'en-a' }, /locale/],
    [{ defaults: { colors: { background: 'red', foreground: null, label: null } } }, /background/],
    [{ defaults: { title: 'x' } }, /title/],
    [{ plan: 'pro' }, /plan is not known/],
    [{ suspended: false }, /suspended is not known/],
  ];
  for (const [body, message] of wrong) {
    it(`refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
      assertRefused(await client.patch('/workspace', body), 'invalid_request', message);
    });
  }
});
