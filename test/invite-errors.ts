import type { ErrorCode } from '../src/errors.ts';
import { invite, press, storedLinks } from '../src/invitations/invites.fixture.ts';
import { newUuidV7 } from '../src/kit/ids.ts';
import type { Client, Reply } from './client.ts';
import { makePass } from './factories.ts';
import type { TestApp } from './harness.ts';
import { joinErrors, joinExtras, linkExtras as ofLinks } from './join-errors.ts';
import { sweepExtras } from './sweep-errors.ts';

type Provocations = Partial<Record<ErrorCode, () => Promise<Reply>>>;

/** The fields of refusals of invitations and enrolments besides the text, by code. */
export const inviteExtras = { ...sweepExtras, ...joinExtras };

/** The same where it depends on the operation. */
export const linkExtras: Readonly<Record<string, Record<string, unknown>>> = ofLinks;

/** How the operations on invitations come to answer what they declare, by operation and code. */
export function inviteErrors(app: TestApp, client: Client): Record<string, Provocations> {
  /** The link of an invitation to a pass that has come to this status since. */
  async function claimOf(status: string, design: object = {}): Promise<string> {
    const { passId } = await makePass(client, design);
    const links = await storedLinks(
      app,
      await invite(client, passId, { email: `${newUuidV7()}@example.com` }),
    );
    if (status !== 'published') await client.patch(`/passes/${passId}`, { status });
    return links.claim;
  }
  return {
    ...joinErrors(app, client),
    createInvite: {
      pass_not_active: async () =>
        client.post(`/passes/${(await makePass(client, {}, 'draft')).passId}/invites`, {
          email: 'ada@example.com',
        }),
    },
    getInvitePage: {
      pass_not_active: async () => app.anyone.get(await claimOf('draft')),
      pass_archived: async () => app.anyone.get(await claimOf('archived')),
    },
    acceptInvite: {
      pass_not_active: async () => press(app.anyone, await claimOf('draft')),
      pass_archived: async () => press(app.anyone, await claimOf('archived')),
      pool_exhausted: async () =>
        press(app.anyone, await claimOf('published', { barcode: { mode: 'pool' } })),
    },
  };
}
