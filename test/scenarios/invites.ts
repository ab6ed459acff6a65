import {
  askingForm,
  complete,
  makeJoinPass,
  press,
  sendForm,
  storedLink,
  workFor,
} from '../../src/enrolment/join.fixture.ts';
import { errors } from '../../src/errors.ts';
import { invite, storedLinks } from '../../src/invitations/invites.fixture.ts';
import { newUuidV7 } from '../../src/kit/ids.ts';
import type { Json } from '../client.ts';
import { makePass } from '../factories.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** Invitations. */
export function inviteScenarios({ app, client, pass, onPass }: World): Scenarios {
  const linksTo = async (passId: string) =>
    storedLinks(app, await invite(client, passId, { email: `${newUuidV7()}@example.com` }));
  const onInvite = async (link: 'claim' | 'unsubscribe'): Promise<Request> => ({
    path: (await linksTo(pass.passId))[link],
  });
  /** The link of an invitation to a pass that has come to this status since. */
  const claimOf = async (status: string, design: object = {}): Promise<string> => {
    const { passId } = await makePass(client, design);
    const { claim } = await linksTo(passId);
    if (status !== 'published') await client.patch(`/passes/${passId}`, { status });
    return claim;
  };
  const invitation = (email: string) => ({ email });
  return {
    createInvite: {
      good: () => ({
        ...onPass('/invites'),
        body: invitation('ada@example.com'),
        other: invitation('bob@example.com'),
        status: 202,
      }),
      errors: {
        pass_not_active: async () =>
          client.post(
            `/passes/${(await makePass(client, {}, 'draft')).passId}/invites`,
            invitation('ada@example.com'),
          ),
      },
    },
    sendCards: {
      good: () => ({ ...onPass('/invites/cards'), body: {}, other: { dryRun: true } }),
      errors: {
        pass_not_active: async () =>
          client.post(`/passes/${(await makePass(client, {}, 'draft')).passId}/invites/cards`, {}),
      },
    },
    listInvites: { good: () => onPass('/invites') },
    getInvitePage: {
      good: () => onInvite('claim'),
      errors: {
        pass_not_active: async () => app.anyone.get(await claimOf('draft')),
        pass_archived: async () => app.anyone.get(await claimOf('archived')),
      },
    },
    acceptInvite: {
      good: async () => ({ ...(await onInvite('claim')), status: 303 }),
      errors: {
        pass_not_active: async () => press(app.anyone, await claimOf('draft')),
        pass_archived: async () => press(app.anyone, await claimOf('archived')),
        pool_exhausted: async () =>
          press(app.anyone, await claimOf('published', { barcode: { mode: 'pool' } })),
      },
    },
    getUnsubscribePage: { good: () => onInvite('unsubscribe') },
    unsubscribe: { good: () => onInvite('unsubscribe') },
  };
}

/** Enrolment to a pass by people themselves. */
export async function joinScenarios({ app, client, onCard }: World): Promise<Scenarios> {
  const pass = await makeJoinPass(client);
  const onJoin = (rest = ''): Request => ({ path: `/join/${pass.passId}${rest}` });
  const work = () => workFor(app.anyone, pass.passId);
  const bare = { ...askingForm, consents: [], fields: [] };
  const emptyPool = () => makeJoinPass(client, bare, { barcode: { mode: 'pool' } });
  const byApp = ({ passId }: Json) => app.anyone.post(`/join/${passId}/enrolments`, {});
  // No enrolment waits for a proof.
  const used = { ...onJoin('/confirm/x'), status: errors.invalid_join[0] };
  return {
    getJoinPage: { good: () => onJoin() },
    submitJoinForm: {
      good: async () => ({
        ...onJoin(),
        body: new URLSearchParams({ ...complete, ...(await work()) }).toString(),
        contentType: 'application/x-www-form-urlencoded',
        status: 303,
        isLimited: true,
      }),
      errors: {
        invalid_join: () => sendForm(app.anyone, pass.passId, {}),
        pool_exhausted: async () => sendForm(app.anyone, (await emptyPool()).passId, {}),
      },
    },
    getJoinForm: { good: () => onJoin('/form') },
    joinByApp: {
      good: async () => ({
        ...onJoin('/enrolments'),
        body: { values: { name: 'Ada' }, consents: { terms: true }, ...(await work()) },
        isLimited: true,
      }),
      errors: { invalid_join: () => byApp(pass), pool_exhausted: async () => byApp(await emptyPool()) },
    },
    getProofPage: {
      good: () => used,
      errors: { invalid_join: () => app.anyone.get(used.path ?? '') },
    },
    confirmJoin: {
      good: () => used,
      errors: {
        invalid_join: () => press(app.anyone, used.path ?? ''),
        async pool_exhausted() {
          const { passId } = await makeJoinPass(client, {}, { barcode: { mode: 'pool' } });
          await sendForm(app.anyone, passId, { ...complete, email: 'ada@example.com' });
          return press(app.anyone, await storedLink(app, passId));
        },
      },
    },
    getJoinQr: { good: () => onJoin('/qr.svg') },
    getPosterPdf: { good: () => onJoin('/poster.pdf') },
    getPosterPng: { good: () => onJoin('/poster.png') },
    getJoinScript: { good: () => onJoin('/scripts/join.js') },
    listConsents: { good: () => onCard('/consents') },
  };
}
