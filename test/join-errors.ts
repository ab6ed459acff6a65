import {
  askingForm,
  complete,
  makeJoinPass,
  press,
  sendForm,
  storedLink,
} from '../src/enrolment/join.fixture.ts';
import type { ErrorCode } from '../src/errors.ts';
import type { Client, Json, Reply } from './client.ts';
import type { TestApp } from './harness.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

/** The fields of `invalid_join` besides the text. */
export const joinExtras = { invalid_join: { key: 'name', reason: 'required' } };

/** The same of a link that was used, by operation and code. */
export const linkExtras = {
  'getProofPage invalid_join': { key: 'link', reason: 'link' },
  'confirmJoin invalid_join': { key: 'link', reason: 'link' },
};

/** How the operations on enrolment come to answer what they declare, by operation and code. */
export function joinErrors(app: TestApp, client: Client): Record<string, Provocations> {
  const bare = { ...askingForm, consents: [], fields: [] };
  const emptyPool = () => makeJoinPass(client, bare, { barcode: { mode: 'pool' } });
  const asking = () => makeJoinPass(client);
  const byApp = ({ passId }: Json) => app.anyone.post(`/join/${passId}/enrolments`, {});
  const usedLink = async () => `/join/${(await asking()).passId}/confirm/x`;
  return {
    submitJoinForm: {
      invalid_join: async () => sendForm(app.anyone, (await asking()).passId, {}),
      pool_exhausted: async () => sendForm(app.anyone, (await emptyPool()).passId, {}),
    },
    joinByApp: {
      invalid_join: async () => byApp(await asking()),
      pool_exhausted: async () => byApp(await emptyPool()),
    },
    getProofPage: { invalid_join: async () => app.anyone.get(await usedLink()) },
    confirmJoin: {
      invalid_join: async () => press(app.anyone, await usedLink()),
      async pool_exhausted() {
        const { passId } = await makeJoinPass(client, {}, { barcode: { mode: 'pool' } });
        await sendForm(app.anyone, passId, { ...complete, email: 'ada@example.com' });
        return press(app.anyone, await storedLink(app, passId));
      },
    },
  };
}
