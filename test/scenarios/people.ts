import { errors } from '../../src/errors.ts';
import { newSecret } from '../../src/kit/crypto/tokens.ts';
import { decodeId, newUuidV7 } from '../../src/kit/ids.ts';
import { leave, startProvider } from '../../src/sign-in/oidc.fixture.ts';
import {
  addPasskey,
  firstOwner,
  mailedProof,
  makePerson,
  signIn,
  signInAs,
} from '../../src/sign-in/people.fixture.ts';
import { Authenticator } from '../../tools/fakes/authenticator.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import type { Client, Json, Reply } from '../client.ts';
import { startTestApp } from '../harness.ts';
import type { Provocations, Request, Scenario, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

const address = () => `${newUuidV7()}@example.com`;

/** People and the devices of a workspace. */
export function peopleScenarios({ app, client, missing }: World): Scenarios {
  const newPerson = (more: Json = {}) => ({ email: address(), name: 'Ada', role: 'staff', ...more });
  const newPath = async () => `/people/${(await makePerson(client, 'viewer')).personId}`;
  const onPerson = async (rest = ''): Promise<Request> => ({
    path: `${await newPath()}${rest}`,
    also: { 'key of another workspace': 'person_not_found' },
  });
  /** A workspace with one owner: a client of its key, and the path of that owner. */
  const withOneOwner = async (): Promise<{ own: Client; path: string }> => {
    const { client: own } = await app.newWorkspace();
    return { own, path: `/people/${(await makePerson(own, 'owner')).personId}` };
  };
  /** A person who has no address yet. */
  const nameless = async (): Promise<string> => {
    const path = await newPath();
    const uuid = decodeId('person', path.slice('/people/'.length));
    await app.sql('update memberships set email = null where person_id = $1', [uuid]);
    await app.sql('update people set email = null where person_id = $1', [uuid]);
    return path;
  };
  const { partnerId } = missing;
  return {
    createPerson: {
      good: () => ({ body: newPerson(), status: 201 }),
      errors: {
        person_exists: async () =>
          client.post('/people', newPerson({ email: (await makePerson(client, 'staff')).email })),
        partner_not_found: () => client.post('/people', newPerson({ partnerId })),
      },
    },
    listPeople: { good: () => ({}) },
    getPerson: { good: () => onPerson() },
    updatePerson: {
      good: async () => ({ ...(await onPerson()), body: { name: 'Ada L.' } }),
      errors: {
        async last_owner() {
          const { own, path } = await withOneOwner();
          return own.patch(path, { role: 'manager' });
        },
        async person_exists() {
          const { email } = await makePerson(client, 'staff');
          return client.patch(await nameless(), { email });
        },
        partner_not_found: async () => client.patch(await newPath(), { partnerId }),
      },
    },
    deletePerson: {
      good: async () => ({ ...(await onPerson()), status: 204 }),
      errors: {
        async last_owner() {
          const { own, path } = await withOneOwner();
          return own.delete(path);
        },
      },
    },
    createPersonLink: { good: async () => ({ ...(await onPerson('/links')), status: 201 }) },
    sendSignInLink: { good: () => ({ body: { email: address() }, status: 202, isLimited: true }) },
    createDevice: {
      good: () => ({ body: { name: 'Till' }, other: { name: 'Other till' }, status: 201 }),
      errors: { partner_not_found: () => client.post('/devices', { name: 'Till', partnerId }) },
    },
    listDevices: { good: () => ({}) },
    revokeDevice: {
      good: async () => ({
        path: `/devices/${(await client.post('/devices', { name: 'Till' })).body.deviceId}`,
        status: 204,
        also: { 'key of another workspace': 'device_not_found' },
      }),
    },
    pairDevice: {
      good: async () => ({
        body: { code: (await client.post('/devices', { name: 'Till' })).body.code },
        isLimited: true,
        status: 201,
      }),
      errors: { invalid_link: () => app.anyone.post('/devices/pair', { code: '0000-0000' }) },
    },
    getCurrentDevice: { good: () => ({ client: app.anyone, status: errors.invalid_session[0] }) },
  };
}

/** What people do who are signed in, or who sign in. */
export function sessionScenarios({ app, client, missing }: World): Scenarios {
  const viewer = () => signInAs(app, 'viewer', client);
  /** A request of a person who has just signed in. */
  const signedIn = (request: Request = {}, errors?: Provocations): Scenario => ({
    good: async () => ({ client: await viewer(), ...request }),
    ...(errors && { errors }),
  });
  const onPasskey = async (): Promise<Request> => {
    const browser = await viewer();
    return { client: browser, path: `/passkeys/${(await addPasskey(app, browser)).passkeyId}` };
  };
  const answer = { workspaceId: missing.workspaceId, answer: 'accept' };
  const wrong = () => ({ email: address(), password: 'not this one' });
  const password = { password: 'correct horse battery' };
  const unknownLink = () => `/sign-in/${newSecret('link_')}`;
  const onlyOwner = async (send: (owner: Client, workspaceId: string) => Promise<Reply>) => {
    const { client: own, workspaceId } = await app.newWorkspace();
    return send(await signInAs(app, 'owner', own), workspaceId);
  };
  /** A service that people sign in to with a provider. */
  const withProvider = async () => {
    const { provider } = await startProvider();
    return { provider, own: await startTestApp({ WORKERS: 'off', ...provider.settings }) };
  };
  return {
    createSession: {
      good: () => ({ body: { link: 'link_0' }, status: errors.invalid_link[0] }),
      errors: {
        invalid_link: () => app.anyone.post('/sessions', { link: newSecret('link_') }),
        invalid_credentials: () => app.anyone.post('/sessions', wrong()),
      },
    },
    listSessions: { good: () => ({ also: { 'paired till': 'role_required' } }) },
    getCurrentSession: { good: () => ({}) },
    endCurrentSession: signedIn({ status: 204 }),
    endSession: {
      async good() {
        const browser = await viewer();
        const { sessionId } = (await browser.get('/sessions/current')).body;
        return { client: browser, path: `/sessions/${sessionId}`, status: 204 };
      },
    },
    updateOwnPerson: {
      good: async () => ({ client: await signInAs(app, 'owner', client), body: { name: 'Ada' } }),
      errors: {
        async person_exists() {
          const { client: own, link } = await firstOwner(app);
          const { email } = await makePerson(own, 'staff');
          return (await signIn(app, link)).browser.patch('/sessions/current/person', { email });
        },
      },
    },
    confirmOwnAddress: {
      good: async () => ({ client: await viewer(), body: { token: 'v1.0' }, status: errors.invalid_link[0] }),
      errors: {
        invalid_link: async () => (await viewer()).post('/sessions/current/address', { token: 'v1.0' }),
        async person_exists() {
          const mailbox = await Mailbox.start();
          const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'cards@shop.example' };
          const own = await startTestApp({ WORKERS: 'off', ...mail });
          const { client: theirs, link } = await firstOwner(own);
          const { browser } = await signIn(own, link);
          const email = address();
          await browser.patch('/sessions/current/person', { email: address() });
          await browser.patch('/sessions/current/person', { email });
          const token = await mailedProof(mailbox, email);
          await makePerson(theirs, 'staff', { email });
          await mailbox.close();
          return browser.post('/sessions/current/address', { token });
        },
      },
    },
    setPassword: signedIn({ body: password, status: 204 }),
    acceptInvitation: signedIn(
      { body: { workspaceId: missing.workspaceId }, status: errors.invitation_not_found[0] },
      {
        invitation_not_found: async () =>
          (await viewer()).post('/sessions/current/workspaces', { workspaceId: missing.workspaceId }),
      },
    ),
    leaveWorkspace: {
      async good() {
        const browser = await viewer();
        const [own] = (await browser.get('/sessions/current')).body.workspaces;
        return { client: browser, path: `/sessions/current/workspaces/${own.workspaceId}`, status: 204 };
      },
      errors: {
        last_owner: () =>
          onlyOwner((owner, workspaceId) => owner.delete(`/sessions/current/workspaces/${workspaceId}`)),
      },
    },
    answerInvitation: {
      good: () => ({ client: app.anyone, body: answer, status: errors.invalid_session[0] }),
      errors: {
        invitation_not_found: async () => (await viewer()).post('/account/workspaces', answer),
        last_owner: () =>
          onlyOwner((owner, workspaceId) =>
            owner.post('/account/workspaces', { workspaceId, answer: 'decline' }),
          ),
      },
    },
    beginOidc: {
      good: () => ({ status: 303 }),
      errors: {
        async provider_unavailable() {
          const { provider, own } = await withProvider();
          provider.server.fail({ outcome: { status: 503 } });
          return own.anyone.get('/sign-in/oidc');
        },
      },
    },
    finishOidc: {
      good: () => ({ status: errors.invalid_credentials[0] }),
      errors: {
        invalid_credentials: () => app.anyone.get('/sign-in/oidc/callback'),
        async provider_unavailable() {
          const { provider, own } = await withProvider();
          const { browser, back } = await leave(own);
          provider.server.fail({ outcome: 'cut' });
          return browser.get(back);
        },
      },
    },
    getSignInOptions: { good: () => ({}) },
    getPasskeyScript: { good: () => ({}) },
    getPasskeyOptions: signedIn(),
    listPasskeys: { good: () => ({ also: { 'paired till': 'role_required' } }) },
    createPasskey: {
      async good() {
        const browser = await viewer();
        const options = (await browser.get('/passkeys/options')).body;
        const body = new Authenticator(new URL(app.config.publicUrl).origin).create(options);
        return { client: browser, body, status: 201 };
      },
    },
    updatePasskey: { good: async () => ({ ...(await onPasskey()), body: { name: 'Old telephone' } }) },
    deletePasskey: { good: async () => ({ ...(await onPasskey()), status: 204 }) },
    choosePassword: {
      good: () => ({ client: app.anyone, body: password, status: errors.invalid_session[0] }),
    },
    getSignInPage: { good: () => ({}) },
    askForLink: {
      good: () => ({ body: { email: address() }, isLimited: true }),
      errors: { invalid_credentials: () => app.anyone.post('/sign-in', wrong()) },
    },
    getLinkPage: {
      good: () => ({ path: unknownLink() }),
      errors: { invalid_link: () => app.anyone.get('/sign-in/link_0') },
    },
    followLink: {
      good: () => ({ path: '/sign-in/link_0', status: errors.invalid_link[0] }),
      errors: { invalid_link: () => app.anyone.post(unknownLink()) },
    },
    signOut: signedIn({ status: 303 }),
    // Only people are signed in.
    getAccountPage: { good: () => ({ client: app.anyone, status: 303 }) },
  };
}
