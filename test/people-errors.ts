import type { ErrorCode } from '../src/errors.ts';
import { newSecret } from '../src/kit/crypto/tokens.ts';
import { decodeId, encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { leave, startProvider } from '../src/sign-in/oidc.fixture.ts';
import { makePerson, signIn, signInAs } from '../src/sign-in/people.fixture.ts';
import type { Client, Json, Reply } from './client.ts';
import { startTestApp, type TestApp } from './harness.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;
type TwoEffects = [path: string, body: Json, otherPath: string, otherBody: Json];

/** How operations on people, sessions and keys are refused, and two effects of each that keeps a key. */
export function peopleErrors(app: TestApp, client: Client) {
  const newPerson = (more: Json = {}) => ({
    email: `${newUuidV7()}@example.com`,
    name: 'Ada',
    role: 'staff',
    ...more,
  });
  const nobodysPasskey = `/passkeys/${encodeId('passkey', newUuidV7())}`;
  const nobodysWorkspace = encodeId('ws', newUuidV7());
  const nobodysPartner = encodeId('part', newUuidV7());
  const pathOf = async () => `/people/${(await makePerson(client, 'staff')).personId}`;
  const wrong = () => ({ email: `${newUuidV7()}@example.com`, password: 'not this one' });
  const unknownLink = () => newSecret('link_');

  /** A workspace with one owner: a client of its key, and the path of that owner. */
  async function withOneOwner(): Promise<{ own: Client; path: string }> {
    const { client: own } = await app.newWorkspace();
    return { own, path: `/people/${(await makePerson(own, 'owner')).personId}` };
  }

  /** A person who has no address yet. */
  async function nameless(): Promise<string> {
    const { personId } = await makePerson(client, 'viewer');
    const uuid = decodeId('person', personId);
    await app.sql('update memberships set email = null where person_id = $1', [uuid]);
    await app.sql('update people set email = null where person_id = $1', [uuid]);
    return `/people/${personId}`;
  }

  const onTwo =
    (body: Json, rest = '') =>
    async (): Promise<TwoEffects> => [`${await pathOf()}${rest}`, body, `${await pathOf()}${rest}`, body];

  async function onOnlyKey(act: (own: Client, path: string) => Promise<Reply>): Promise<Reply> {
    const { client: own } = await app.newWorkspace();
    return act(own, `/api-keys/${(await own.get('/me')).body.keyId}`);
  }

  const provoke: Record<string, Provocations> = {
    updateApiKey: { last_key: () => onOnlyKey((own, path) => own.patch(path, { access: 'read' })) },
    revokeApiKey: { last_key: () => onOnlyKey((own, path) => own.delete(path)) },
    createPerson: {
      person_exists: async () =>
        client.post('/people', newPerson({ email: (await makePerson(client, 'staff')).email })),
      partner_not_found: () => client.post('/people', newPerson({ partnerId: nobodysPartner })),
    },
    updatePerson: {
      async last_owner() {
        const { own, path } = await withOneOwner();
        return own.patch(path, { role: 'manager' });
      },
      async person_exists() {
        const { email } = await makePerson(client, 'staff');
        return client.patch(await nameless(), { email });
      },
      partner_not_found: async () => client.patch(await pathOf(), { partnerId: nobodysPartner }),
    },
    createDevice: {
      partner_not_found: () => client.post('/devices', { name: 'Till', partnerId: nobodysPartner }),
    },
    pairDevice: { invalid_link: () => app.anyone.post('/devices/pair', { code: 'pair_0' }) },
    deletePerson: {
      async last_owner() {
        const { own, path } = await withOneOwner();
        return own.delete(path);
      },
    },
    createSession: {
      invalid_link: () => app.anyone.post('/sessions', { link: unknownLink() }),
      invalid_credentials: () => app.anyone.post('/sessions', wrong()),
    },
    askForLink: { invalid_credentials: () => app.anyone.post('/sign-in', wrong()) },
    beginOidc: {
      async provider_unavailable() {
        const { provider } = await startProvider();
        const own = await startTestApp({ WORKERS: 'off', ...provider.settings });
        provider.server.fail({ outcome: { status: 503 } });
        return own.anyone.get('/sign-in/oidc');
      },
    },
    finishOidc: {
      invalid_credentials: () => app.anyone.get('/sign-in/oidc/callback'),
      async provider_unavailable() {
        const { provider } = await startProvider();
        const own = await startTestApp({ WORKERS: 'off', ...provider.settings });
        const { browser, back } = await leave(own);
        provider.server.fail({ outcome: 'cut' });
        return browser.get(back);
      },
    },
    getLinkPage: { invalid_link: () => app.anyone.get('/sign-in/link_0') },
    followLink: { invalid_link: () => app.anyone.post(`/sign-in/${unknownLink()}`) },
    updatePasskey: {
      passkey_not_found: async () =>
        (await signInAs(app, 'viewer', client)).patch(nobodysPasskey, { name: 'Telephone' }),
    },
    deletePasskey: {
      passkey_not_found: async () => (await signInAs(app, 'viewer', client)).delete(nobodysPasskey),
    },
    acceptInvitation: {
      invitation_not_found: async () =>
        (await signInAs(app, 'viewer', client)).post('/sessions/current/workspaces', {
          workspaceId: nobodysWorkspace,
        }),
    },
    leaveWorkspace: {
      invitation_not_found: async () =>
        (await signInAs(app, 'viewer', client)).delete(`/sessions/current/workspaces/${nobodysWorkspace}`),
      async last_owner() {
        const { client: own, workspaceId } = await app.newWorkspace();
        return (await signInAs(app, 'owner', own)).delete(`/sessions/current/workspaces/${workspaceId}`);
      },
    },
    answerInvitation: {
      invitation_not_found: async () =>
        (await signInAs(app, 'viewer', client)).post('/account/workspaces', {
          workspaceId: nobodysWorkspace,
          answer: 'accept',
        }),
      async last_owner() {
        const { client: own, workspaceId } = await app.newWorkspace();
        const body = { workspaceId, answer: 'decline' };
        return (await signInAs(app, 'owner', own)).post('/account/workspaces', body);
      },
    },
    endSession: {
      session_not_found: async () => {
        const browser = await signInAs(app, 'viewer', client);
        return browser.delete(`/sessions/${encodeId('session', newUuidV7())}`);
      },
    },
  };

  const device = async () => `/devices/${(await client.post('/devices', { name: 'Till' })).body.deviceId}`;

  const effects = {
    createDevice: async (): Promise<TwoEffects> => ['/devices', { name: 'A' }, '/devices', { name: 'B' }],
    revokeDevice: async (): Promise<TwoEffects> => [await device(), undefined, await device(), undefined],
    createPerson: async (): Promise<TwoEffects> => ['/people', newPerson(), '/people', newPerson()],
    updatePerson: onTwo({ name: 'Ada L.' }),
    deletePerson: onTwo(undefined),
    createPersonLink: onTwo(undefined, '/links'),
  };

  const anywhere: Provocations = {
    invalid_session: () => app.anyone.get('/sessions/current'),
    role_required: async () => (await signInAs(app, 'viewer', client)).post('/passes', {}),
    async recent_sign_in_required() {
      const { link } = await makePerson(client, 'owner');
      const { browser } = await signIn(app, link);
      await app.sql("update sessions set signed_in_at = signed_in_at - interval '11 minutes'");
      app.running.app.sessionCache.clear();
      return browser.post('/api-keys', { name: 'Till', access: 'read' });
    },
  };

  const nobodys = { personId: encodeId('person', newUuidV7()), deviceId: encodeId('device', newUuidV7()) };
  const missing: Partial<Record<ErrorCode, readonly string[]>> = {
    person_not_found: ['personId'],
    device_not_found: ['deviceId'],
  };
  return { provoke, effects, anywhere, nobodys, missing };
}
