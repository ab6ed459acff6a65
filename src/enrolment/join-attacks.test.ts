import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import { complete, makeJoinPass, press, proofLink, sendForm, stranger, workFor } from './join.fixture.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  TRUST_PROXY: '127.0.0.1/32',
});
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});
let people = 0;
const newAddress = () => `joined-${++people}@example.com`;
const cardsOf = async (passId: string): Promise<Json[]> =>
  (await client.get(`/passes/${passId}/instances?limit=100`)).body.data;

describe('the challenge of a page', () => {
  it('makes one card of what is sent twice, and two of what two people send', async () => {
    const { passId } = await makeJoinPass(client);
    const { challenge } = await workFor(stranger(app), passId);
    const send = (name: string) => sendForm(stranger(app), passId, { ...complete, name, challenge });
    const [ada, repeat, eve] = [await send('Ada'), await send('Ada'), await send('Eve')];
    assert.equal(ada.headers.get('location'), repeat.headers.get('location'));
    assert.notEqual(ada.headers.get('location'), eve.headers.get('location'));
    assert.deepEqual((await cardsOf(passId)).map(({ holder }) => holder.name).sort(), ['Ada', 'Eve']);
    const page = await app.anyone.get(eve.headers.get('location') ?? '', {
      headers: { accept: 'text/html' },
    });
    assert.ok(!page.text.includes('Ada'));
  });

  it('counts only where a page of this pass was given it', async () => {
    const [one, other] = [await makeJoinPass(client), await makeJoinPass(client)];
    const { challenge } = await workFor(stranger(app), other.passId);
    for (const made of ['mine', challenge, `${challenge}x`])
      for (let sent = 0; sent < 2; sent++)
        assert.equal(
          (await sendForm(stranger(app), one.passId, { ...complete, challenge: made })).status,
          303,
        );
    assert.equal((await cardsOf(one.passId)).length, 6);
  });

  it('is known by the page that stayed open for longer than its work counts', async () => {
    const { passId } = await makeJoinPass(client);
    const { challenge } = await workFor(stranger(app), passId);
    app.advance(3_600_001);
    const links = await inParallel(5, () => sendForm(stranger(app), passId, { ...complete, challenge }));
    assert.equal(new Set(links.map(({ headers }) => headers.get('location'))).size, 1);
  });

  it('is in no message of a refusal, nor is a key made of it', async () => {
    const { passId } = await makeJoinPass(client);
    const { challenge } = await workFor(stranger(app), passId);
    const languages = ['en', 'fr', 'de'];
    const replies = await inParallel(3, (at) =>
      sendForm(stranger(app).with({ 'accept-language': languages[at] ?? '' }), passId, {
        ...complete,
        challenge,
      }),
    );
    for (const { text } of replies) assert.ok(!/external_?ref|join:/i.test(text), text);
  });
});

describe('the button of a mail', () => {
  it('keeps the consents once, however often it is pressed at once', async () => {
    const { passId } = await makeJoinPass(client);
    for (const held of [false, true]) {
      const email = newAddress();
      if (held) await client.post(`/passes/${passId}/instances`, { holder: { identifier: email, email } });
      await sendForm(stranger(app), passId, { ...complete, email });
      const link = proofLink(app, await mailbox.mailTo(email));
      const pressed = await inParallel(10, () => press(stranger(app), link));
      const links = pressed.flatMap(({ status, headers }) =>
        status === 303 ? [headers.get('location')] : [],
      );
      assert.equal(new Set(links).size, 1);
      const [card] = (await client.get(`/passes/${passId}/instances?email=${email}`)).body.data;
      const { data } = (await client.get(`/instances/${card.instanceId}/consents`)).body;
      assert.deepEqual(tally(data.map(({ key }: Json) => key)), { news: 1, terms: 1 });
    }
  });
});

describe('mails to people', () => {
  it('go to one mailbox three times at once, by whichever spelling, form and invitation of a workspace', async () => {
    const passes = [await makeJoinPass(client), await makeJoinPass(client)];
    const tag = () => `Ada.Flooded+${++people}@gmail.com`;
    for (let sent = 0; sent < 8; sent++) {
      const reply = await sendForm(stranger(app), passes[sent % 2]?.passId, { ...complete, email: tag() });
      assert.equal(reply.status, 200, reply.text);
    }
    const invited = await client.post('/people', {
      email: 'adaflooded@googlemail.com',
      name: 'Ada',
      role: 'staff',
    });
    assertRefused(invited, 'rate_limited');
    assert.equal(invited.headers.get('retry-after'), '900');
    await until('three mails arrived', async () => flooded().length >= 3);
    assert.equal(flooded().length, 3);
    const [{ proofs } = {}] = await app.sql(
      "select count(*)::int as proofs from join_proofs where person->>'email' like 'ada.flooded%'",
    );
    assert.equal(proofs, 3);
  });

  const flooded = () => mailbox.mails.filter(({ recipients }) => /^ada\.?flooded/i.test(recipients[0] ?? ''));

  it('go to one mailbox ten times at once from all workspaces', async () => {
    const email = newAddress();
    const answers: number[] = [];
    for (let workspace = 0; workspace < 5; workspace++) {
      const own = (await app.newWorkspace()).client;
      for (const tag of ['a', 'b', 'c']) {
        const body = { email: email.replace('@', `+${tag}@`), name: 'Ada', role: 'staff' };
        answers.push((await own.post('/people', body)).status);
      }
    }
    assert.deepEqual(tally(answers), { 201: 10, 429: 5 });
  });

  it('hold invitations back that are too many for a mailbox, and say when they may leave', async () => {
    const { client: own } = await app.newWorkspace();
    const email = newAddress();
    for (let pass = 0; pass < 4; pass++) {
      const { passId } = await makeJoinPass(own);
      assert.equal((await own.post(`/passes/${passId}/invites`, { email })).status, 202);
    }
    await until('three invitations arrived', async () => mailbox.to(email).length >= 3);
    await until('the fourth was put off', async () => {
      const waiting = await app.sql(
        "select 1 from invites where email = $1 and status = 'queued' and due_at > created_at + interval '10 minutes'",
        [email],
      );
      return waiting.length === 1;
    });
    assert.equal(mailbox.to(email).length, 3);
  });

  it('greet by a name alone, and come from no address that a shop has made its name', async () => {
    const { client: own } = await app.newWorkspace();
    await own.patch('/workspace', { name: 'Bank <security@bank.example>' });
    const { passId } = await makeJoinPass(own);
    const email = newAddress();
    await sendForm(stranger(app), passId, {
      ...complete,
      name: 'You have won. Open bank。example now',
      email,
    });
    const mail = await mailbox.mailTo(email);
    assert.match(mail.text, /^Hello,/);
    assert.match(mail.headers.get('from') ?? '', /^Punchcard </);
    const invited = newAddress();
    await own.post('/people', { email: invited, name: 'Call 0900 12345', role: 'staff' });
    assert.match((await mailbox.mailTo(invited)).text, /^Hello,/);
  });
});
