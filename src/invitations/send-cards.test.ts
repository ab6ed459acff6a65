import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { decodeId } from '../kit/ids.ts';
import { invite, inviteLinks, press } from './invites.fixture.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  MAIL_PER_MINUTE: '100000',
});
let client: Client;
let passId: string;
let people = 0;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  ({ passId } = await makePass(client));
});
const newAddress = () => `holder-${++people}@example.com`;
const cardOf = (holder: object) => makeCard(client, passId, { holder });
const send = async (body: object = {}): Promise<Json> => {
  const { status, text, body: answer } = await client.post(`/passes/${passId}/invites/cards`, body);
  assert.equal(status, 200, text);
  return answer;
};
const inviteList = async () => (await client.get(`/passes/${passId}/invites`)).body.data as Json[];
const nothing = { mailed: 0, noAddress: 0, suppressed: 0, sentBefore: 0, duplicate: 0, nextCursor: null };

describe('POST /passes/{passId}/invites/cards', () => {
  it('mails each holder without a card in a wallet once, and the mail leads to the card', async () => {
    const [ada, bob, held, invited] = [newAddress(), newAddress(), newAddress(), newAddress()];
    const card = await cardOf({ email: ada.toUpperCase(), name: 'Ada' });
    // A family: one mail.
    await cardOf({ email: ada });
    await cardOf({ email: bob });
    await cardOf({ name: 'No address' });
    await makeCard(client, passId);
    const inWallet = await cardOf({ email: held });
    await app.sql('update instances set installed_at = now() where instance_id = $1', [
      decodeId('inst', inWallet.instanceId),
    ]);
    const voided = await cardOf({ email: newAddress() });
    await client.post(`/instances/${voided.instanceId}/void`);
    await invite(client, passId, { email: invited });
    await mailbox.mailTo(invited);
    await cardOf({ email: invited });
    const expected = { ...nothing, mailed: 2, noAddress: 2, duplicate: 1, sentBefore: 1 };
    assert.deepEqual(await send({ dryRun: true }), expected);
    assert.equal((await inviteList()).length, 1);
    assert.deepEqual(await send(), expected);
    const mail = await mailbox.mailTo(ada);
    await mailbox.mailTo(bob);
    const taken = await press(app.anyone, inviteLinks(app, mail).claim);
    assert.equal(taken.status, 303);
    assert.equal(taken.headers.get('location'), card.links.add);
    await until('it says so', async () =>
      (await inviteList()).some(
        ({ instanceId, acceptedAt }) => instanceId === card.instanceId && acceptedAt !== null,
      ),
    );
    // Again, and by several at once: no one is mailed twice.
    for (const answer of await inParallel(4, () => send()))
      assert.deepEqual(answer, { ...expected, mailed: 0, sentBefore: 4, duplicate: 0 });
    assert.equal(mailbox.to(ada).length, 1);
  });

  it('goes on where it was, card by card of a large pass', async () => {
    const batch = (from: number) => ({
      instances: Array.from({ length: 100 }, (_, at) => ({ holder: { identifier: `c${from + at}` } })),
    });
    for (let from = 0; from < 1_100; from += 100)
      await client.post(`/passes/${passId}/instances/batch`, batch(from));
    const first = await send({ dryRun: true });
    assert.equal(first.noAddress, 1_000);
    const second = await send({ dryRun: true, cursor: first.nextCursor });
    assert.deepEqual(second, { ...nothing, noAddress: 100 });
    assertRefused(
      await client.post(`/passes/${passId}/invites/cards`, { cursor: 'inst_1' }),
      'invalid_request',
      /cursor/,
    );
  });

  it('sends nothing for a card that came into a wallet while its mail was waiting', async () => {
    const email = newAddress();
    const card = await cardOf({ email });
    assert.equal((await send()).mailed, 1);
    await mailbox.mailTo(email);
    const status = async () => (await inviteList())[0]?.status;
    await until('it is sent', async () => (await status()) === 'sent');
    // As one that has waited until now.
    const instanceId = decodeId('inst', card.instanceId);
    await app.sql('update instances set installed = true, web_wallets = 1 where instance_id = $1', [
      instanceId,
    ]);
    await app.sql(
      "update invites set status = 'queued', sent_at = null, due_at = now() where instance_id = $1",
      [instanceId],
    );
    await until('it is left out', async () => (await status()) === 'already_holder');
    assert.equal(mailbox.to(email).length, 1);
  });
});
