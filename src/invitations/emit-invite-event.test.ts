import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { invite, inviteByMail, inviteLinks, press } from './invites.fixture.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  MAIL_PER_MINUTE: '100000',
});

describe('the event log of invitations', () => {
  it('reports once that one was sent, accepted and unsubscribed from, and names no person', async () => {
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const person = { email: 'ada@example.com', name: 'Ada Lovelace' };
    const links = inviteLinks(app, await inviteByMail({ client, mailbox }, passId, person));
    await invite(client, passId, person);
    const sent = async () => (await eventsOf(client, 'type=invite.sent')).length > 0;
    await until('the mail is reported', sent);
    const pressed = await inParallel(5, () => press(app.anyone, links.claim));
    assert.deepEqual(
      pressed.map(({ status }) => status),
      pressed.map(() => 303),
    );
    for (const { status } of await inParallel(3, () => press(app.anyone, links.unsubscribe)))
      assert.equal(status, 200);
    const events = (await eventsOf(client, `passId=${passId}`)).filter(({ type }) =>
      type.startsWith('invite.'),
    );
    const [{ email: _, ...shown }] = (await client.get(`/passes/${passId}/invites`)).body.data;
    assert.deepEqual(
      events.map(({ type, actor, instanceId, previous }) => [type, actor, instanceId, previous]),
      [
        ['invite.sent', 'system', null, { status: 'sending', sentAt: null }],
        ['invite.accepted', 'holder', shown.instanceId, { instanceId: null, acceptedAt: null }],
        ['invite.unsubscribed', 'holder', shown.instanceId, {}],
      ],
    );
    assert.deepEqual(events.at(-1)?.data, shown);
    assert.doesNotMatch(JSON.stringify(events), /ada@example|Lovelace/);
  });

  it('reports that queued mails are not sent to people who have unsubscribed', async () => {
    const { client } = await app.newWorkspace();
    const [first, second] = [await makePass(client), await makePass(client)];
    const person = { email: 'bob@example.com' };
    const links = inviteLinks(app, await inviteByMail({ client, mailbox }, first.passId, person));
    await press(app.anyone, links.unsubscribe);
    assert.equal((await invite(client, second.passId, person)).status, 'suppressed');
    const sent = async () => (await eventsOf(client, 'type=invite.sent')).length > 0;
    await until('the mail is reported', sent);
    const types = (await eventsOf(client))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('invite.'));
    assert.deepEqual(types.toSorted(), ['invite.sent', 'invite.unsubscribed']);
  });
});
