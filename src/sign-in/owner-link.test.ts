import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertRefused } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { refuse, succeed } from '../../test/run-command.ts';
import { makePerson, signIn } from './people.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { publicUrl, dataDir } = app.config;
const settings = { DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, PUBLIC_URL: publicUrl };

describe("an owner's link", () => {
  it('of the first start signs the first owner in, once, within 30 minutes', async () => {
    const { consoleUrl = '' } = app.running.firstRun ?? {};
    const { reply, browser } = await signIn(app, consoleUrl);
    assert.deepEqual(
      [reply.body.person.email, reply.body.person.name, reply.body.workspaces[0].role],
      [null, 'Owner', 'owner'],
    );
    assert.equal((await browser.post('/api-keys', { name: 'Till', access: 'read' })).status, 201);
    assertRefused(await app.anyone.post('/sessions', { link: consoleUrl }), 'invalid_link');
  });

  it('is printed anew by a command, for the same owner, and no longer than 30 minutes', async () => {
    const link = (await succeed(['console-link'], settings)).trim();
    assert.ok(link.startsWith(`${publicUrl}/sign-in/link_`));
    const { reply } = await signIn(app, link);
    assert.equal((await app.client.get('/people')).body.data.length, 1);
    assert.equal(reply.body.person.name, 'Owner');
    const late = (await succeed(['console-link'], settings)).trim();
    app.advance(1_800_000);
    assertRefused(await app.anyone.post('/sessions', { link: late }), 'invalid_link');
  });

  it('has the address that the service had at its last start, where a command is called without its settings', async () => {
    const { PUBLIC_URL: _, ...bare } = settings;
    const link = (await succeed(['console-link'], bare)).trim();
    assert.ok(link.startsWith(`${publicUrl}/sign-in/link_`), link);
    assert.match(await succeed(['console-link'], { ...bare, PORT: '4321' }), /^http:\/\/localhost:4321\//);
    await rm(join(dataDir, 'address.json'));
    const first = JSON.stringify({ url: 'http://localhost:8765' });
    await writeFile(join(dataDir, 'first-run.json'), first);
    assert.match(await succeed(['console-link'], bare), /^http:\/\/localhost:8765\//);
  });

  it('leads to an owner without an address, who is given one, once', async () => {
    const { client, workspaceId } = await app.newWorkspace();
    await succeed(['console-link', workspaceId], settings);
    const [{ personId }] = (await client.get('/people')).body.data;
    const taken = await makePerson(client, 'viewer');
    assertRefused(await client.patch(`/people/${personId}`, { email: taken.email }), 'person_exists');
    const email = `owner@${workspaceId.replace('_', '-')}.example`;
    assert.equal((await client.patch(`/people/${personId}`, { email })).body.email, email);
    assert.equal((await client.get(`/people/${personId}`)).body.email, email);
    assertRefused(
      await client.patch(`/people/${personId}`, { email: 'other@example.com' }),
      'invalid_request',
    );
  });

  it('names the workspace where there are several, and makes an owner where there is none', async () => {
    const { client, workspaceId } = await app.newWorkspace();
    await refuse(/several workspaces/, ['console-link'], settings);
    await refuse(/No workspace/, ['console-link', 'ws_nobodys'], settings);
    const link = (await succeed(['console-link', workspaceId], settings)).trim();
    app.advance(-1_800_000);
    const { reply } = await signIn(app, link);
    assert.equal(reply.body.workspaces[0].workspaceId, workspaceId);
    const { data } = (await client.get('/audit')).body;
    assert.deepEqual(
      data.map(({ action, actor }: { action: string; actor: string }) => `${actor} ${action}`).sort(),
      [
        'operator createPerson',
        'operator createPersonLink',
        'operator createWorkspace',
        `${reply.body.person.personId} createSession`,
      ],
    );
  });
});

describe('CONSOLE=off', async () => {
  const off = await startTestApp({ WORKERS: 'off', CONSOLE: 'off' });

  it('has no people, pages or sessions, and leaves no link', async () => {
    assert.equal(off.running.firstRun?.consoleUrl, undefined);
    for (const path of ['/people', '/sessions', '/sign-in', '/console', '/devices']) {
      const reply = await fetch(`${off.url}${path}`, {
        headers: { authorization: `Bearer ${off.client.secret}` },
      });
      assert.equal(reply.status, 404, path);
    }
    await refuse(/CONSOLE is off/, ['console-link'], { ...settings, CONSOLE: 'off' });
  });

  it('takes a cookie for nothing', async () => {
    const { link } = await makePerson(app.client, 'owner');
    const { browser } = await signIn(app, link);
    const reply = await fetch(`${off.url}/me`, { headers: browser.headers });
    assert.deepEqual(
      [reply.status, ((await reply.json()) as { code: string }).code],
      [401, 'missing_authorization'],
    );
  });
});
