import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Mailbox } from '../../tools/fakes/mailbox.ts';
import {
  complete,
  from,
  makeJoinPass,
  press,
  proofLink,
  sendForm,
  stranger,
  workFor,
} from './join.fixture.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  TRUST_PROXY: '127.0.0.1/32',
});
let client: Client;
let pass: Json;
let people = 0;
before(async () => {
  ({ client } = await app.newWorkspace());
});
beforeEach(async () => {
  pass = await makeJoinPass(client);
});
const newAddress = () => `joiner-${++people}@example.com`;
const cards = async (passId = pass.passId) =>
  (await client.get(`/passes/${passId}/instances?limit=100`)).body.data;
const asPage = { accept: 'text/html' };
const join = (change: object) => client.patch(`/passes/${pass.passId}`, { join: change });

const usedLink = { key: 'link', reason: 'link' };

async function mailedLink(email: string): Promise<string> {
  return proofLink(app, await mailbox.mailTo(email));
}

describe('the settings of a page', () => {
  it('are set as a whole, shown, emitted as an event, audited, and change no card', async () => {
    const { revision } =
      (
        await app.sql(
          'select revision from passes where pass_id is not null order by created_at desc limit 1',
        )
      )[0] ?? {};
    const sent = {
      enabled: true,
      fields: [{ key: 'email', required: true }],
      headline: 'Ten stamps, one coffee',
      text: 'Since 1998',
      image: 'logoUrl',
      consents: [{ key: 'news', text: 'News', required: false }],
      proof: 'email',
      limitPerDay: 50,
      domainAllow: ['shop.example', '*.shop.example', 'shop.example:8443'],
    };
    const changed = await join(sent);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.join, {
      ...sent,
      fields: [{ key: 'email', required: true, label: null }],
      url: `https://cards.example.test/join/${pass.passId}`,
    });
    assert.deepEqual((await client.get(`/passes/${pass.passId}`)).body.join, changed.body.join);
    const bare = (await join({ enabled: false })).body.join;
    assert.deepEqual([bare.fields, bare.proof, bare.limitPerDay, bare.domainAllow], [[], 'none', null, []]);
    assert.equal((await join(null as never)).body.join, null);
    const [now] = await app.sql('select revision from passes order by created_at desc limit 1');
    assert.equal(now?.revision, revision);
    const { data } = (await client.get('/events?type=pass.updated')).body;
    assert.deepEqual(data[0].data.join, null);
    assert.equal(data[0].previous.join.enabled, false);
    const audit = (await client.get(`/audit?target=${pass.passId}&action=updatePass`)).body.data;
    assert.equal(audit[0].detail.before.join.enabled, false);
  });

  it('are refused where the form could not be filled in', async () => {
    const form = { enabled: true };
    const wrong: [object, RegExp][] = [
      [{ ...form, fields: [{ key: 'shoe' }] }, /join\.fields\[0\]\.key: the pass has no field "shoe"/],
      [{ ...form, fields: [{ key: 'name' }, { key: 'name' }] }, /join\.fields\[1\]\.key: .*twice/],
      [{ ...form, proof: 'email' }, /join\.proof/],
      [{ ...form, proof: 'email', fields: [{ key: 'email' }] }, /join\.proof/],
      [
        {
          ...form,
          consents: [
            { key: 'a', text: 'A', required: true },
            { key: 'a', text: 'B', required: true },
          ],
        },
        /twice/,
      ],
      [{ ...form, domainAllow: ['x; script-src *'] }, /domainAllow/],
      [{ ...form, domainAllow: ['*'] }, /domainAllow/],
      [{ ...form, limitPerDay: 0 }, /limitPerDay/],
      [{ ...form, colour: 'red' }, /colour/],
      [{}, /enabled/],
    ];
    for (const [change, message] of wrong) assertRefused(await join(change), 'invalid_request', message);
    const fixed = { key: 'fixed', label: 'Fixed', section: 'back', editable: false };
    assertRefused(
      await client.patch(`/passes/${pass.passId}`, {
        fields: [fixed],
        join: { ...form, fields: [{ key: 'fixed' }] },
      }),
      'invalid_request',
      /one value for all holders/,
    );
    // A field that the form asks for cannot be taken away under it.
    assertRefused(await client.patch(`/passes/${pass.passId}`, { fields: [] }), 'invalid_request', /"tier"/);
  });
});

describe('GET /join/{passId}', () => {
  it('shows the card and the form, works without scripts, and changes nothing', async () => {
    const page = await app.anyone.get(`/join/${pass.passId}?utm_source=poster`, { headers: asPage });
    assert.equal(page.status, 200);
    assert.match(page.text, /<html lang="en">/);
    assert.match(page.text, /<h1><bdi>Get your card<\/bdi><\/h1>/);
    assert.match(
      page.text,
      /<input type="text" name="name" maxlength="200" autocomplete="name" required dir="auto">/,
    );
    assert.match(page.text, /<input type="email" name="email"(?![^>]*required)/);
    assert.match(page.text, /<bdi>Favourite<\/bdi> <small>optional<\/small>[\s\S]*name="field_tier"/);
    assert.match(page.text, /name="consent_terms" value="yes" required>/);
    assert.match(page.text, /name="consent_news" value="yes">/);
    assert.match(page.text, /<form class="join" method="post"/);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/);
    assert.match(policy, /script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/);
    assert.equal(page.headers.get('cache-control'), 'private, no-store');
    assert.equal(page.headers.get('vary'), 'accept-language');
    assert.deepEqual(await cards(), []);
  });

  it('is in the language of the browser, else of the shop', async () => {
    await client.patch('/workspace', { locale: 'fr' });
    after(() => client.patch('/workspace', { locale: 'en' }));
    const read = (language: string) =>
      app.anyone.get(`/join/${pass.passId}`, { headers: { ...asPage, 'accept-language': language } });
    assert.match((await read('xx, de-AT;q=0.8, en;q=0.3')).text, /<html lang="de-AT">[\s\S]*Karte holen/);
    assert.match((await read('ar')).text, /<html lang="ar" dir="rtl">[\s\S]*احصل على بطاقتك/);
    assert.match((await read('*')).text, /<html lang="fr">[\s\S]*Obtenir ma carte/);
    assert.match((await read('en;q=0, tlh')).text, /<html lang="fr">/);
  });

  it('shows the sample of the card in the language of the page, mirrored where it is read from the right', async () => {
    const { passId } = pass;
    const program = { passId, mode: 'STAMPS', threshold: 10, reward: { title: 'Kaffee' } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const translated = {
      title: 'x',
      fields: { tier: { label: 'x', value: 'x' } },
      program: { rewardTitle: 'Kaffee' },
    };
    await client.patch(`/passes/${passId}`, { translations: { de: translated, ar: translated } });
    const sample = async (language: string) =>
      (
        await app.anyone.get(`/join/${passId}`, { headers: { ...asPage, 'accept-language': language } })
      ).text.match(/<article.*<\/article>/s)?.[0] ?? '';
    assert.match(await sample('de'), /Stempel.*0 von 10.*Prämie.*Kaffee: 10 Stempel/s);
    assert.match(await sample('en'), /Stamps.*0 of 10.*Reward.*Kaffee: 10 stamps/s);
    const places = async (language: string) =>
      [...(await sample(language)).matchAll(/translate\(([\d.]+) /g)].map(([, x]) => Number(x));
    const [first = 0, second = 0] = await places('de');
    const [mirrored = 0, next = 0] = await places('ar');
    assert.ok(first < second && mirrored > next);
    assert.match(await sample('ar'), /dir="rtl"/);
  });

  it('is a page that says so where enrolling is off', async () => {
    const archived = await makeJoinPass(client);
    await client.patch(`/passes/${archived.passId}`, { status: 'archived' });
    const closed = await makeJoinPass(client, { enabled: false });
    const unset = await makeJoinPass(client);
    await client.patch(`/passes/${unset.passId}`, { join: null });
    const known = new Set([archived.passId, closed.passId, unset.passId]);
    for (const passId of [
      archived.passId,
      closed.passId,
      unset.passId,
      'pass_x',
      pass.passId.replace('pass', 'inst'),
    ]) {
      const path = `/join/${passId}`;
      const page = await app.anyone.get(path, { headers: asPage });
      assert.equal(page.status, 404);
      assert.match(page.text, /You cannot enrol here/);
      assert.equal(page.text.includes('<p class="shop"><bdi>Blue Bean</bdi></p>'), known.has(passId));
      for (const more of ['', '/form', '/poster.pdf', '/poster.png', '/confirm/x'])
        assertRefused(await app.anyone.get(path + more), 'pass_not_found');
      assertRefused(await sendForm(stranger(app), passId, complete), 'pass_not_found');
      assertRefused(await stranger(app).post(`${path}/enrolments`, {}), 'pass_not_found');
    }
  });

  it('may be shown in a frame by the hosts of the setting', async () => {
    await join({ enabled: true, domainAllow: ['shop.example', '*.bean.example:8443'] });
    const policy = async () =>
      (await app.anyone.get(`/join/${pass.passId}`, { headers: asPage })).headers.get(
        'content-security-policy',
      );
    assert.match(
      (await policy()) ?? '',
      /frame-ancestors 'self' https:\/\/shop\.example https:\/\/\*\.bean\.example:8443$/,
    );
    const script = await app.anyone.get(`/join/${pass.passId}/scripts/frame.js`);
    assert.match(script.text, /createElement\('iframe'\)/);
  });
});

describe('POST /join/{passId} without an address', () => {
  it('issues the card, keeps the consents with their text, and leads to its page', async () => {
    const client = stranger(app).with({ 'accept-language': 'de-AT,en;q=0.5' });
    const sent = await sendForm(client, pass.passId, {
      ...complete,
      field_tier: ' Espresso ',
      consent_news: 'yes',
      of_an_extension: 'x',
    });
    assert.equal(sent.status, 303, sent.text);
    const [card] = await cards();
    assert.equal(sent.headers.get('location'), card.links.add);
    assert.deepEqual(card.holder, {
      identifier: null,
      name: 'Ada Lovelace',
      email: null,
      phone: null,
      locale: 'de-AT',
    });
    assert.equal(card.fields.tier, 'Espresso');
    assert.equal((await app.anyone.get(card.links.add)).status, 200);
    const { data, nextCursor } = (await consentsOf(card)).body;
    assert.deepEqual(data.map(({ key, text, agreed }: Json) => [key, text, agreed]).sort(), [
      ['news', 'Blue Bean may write to me.', true],
      ['terms', 'I accept the terms of Blue Bean.', true],
    ]);
    assert.equal(nextCursor, null);
    const { data: events } = (await app.client.get('/me').then(() => listEvents())).body;
    assert.equal(events[0].actor, pass.passId);
  });

  const consentsOf = (card: Json, query = '') => client.get(`/instances/${card.instanceId}/consents${query}`);
  const listEvents = () => client.get(`/events?type=instance.issued&passId=${pass.passId}`);

  it('takes a form that is sent again for the one that it was', async () => {
    const person = stranger(app);
    const { challenge, work } = await workFor(person, pass.passId);
    const replies = await inParallel(20, () =>
      sendForm(stranger(app), pass.passId, { ...complete, challenge, work }),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 303: 20 });
    const [card, ...more] = await cards();
    assert.deepEqual(more, []);
    assert.deepEqual(tally(replies.map(({ headers }) => headers.get('location'))), { [card.links.add]: 20 });
  });

  it('refuses what does not fit the form, and says what', async () => {
    const wrong: [Record<string, string>, string, string][] = [
      [{ consent_terms: 'yes' }, 'name', 'required'],
      [{ name: ' \u3000', consent_terms: 'yes' }, 'name', 'required'],
      [{ name: 'Ada' }, 'terms', 'consent'],
      [{ name: 'Ada', consent_terms: '' }, 'terms', 'consent'],
      [{ ...complete, email: 'ada' }, 'email', 'malformed'],
      [{ ...complete, email: 'ada@localhost' }, 'email', 'malformed'],
      [{ ...complete, phone: '1' }, 'phone', 'unknown'],
      [{ ...complete, field_shoe: '44' }, 'shoe', 'unknown'],
      [{ ...complete, consent_soul: 'yes' }, 'soul', 'unknown'],
    ];
    for (const [form, field, reason] of wrong) {
      const reply = await sendForm(stranger(app), pass.passId, form);
      assertRefused(reply, 'invalid_join', /./, { key: field, reason });
    }
    assert.deepEqual(await cards(), []);
  });

  it('sends a browser its form again, with what was entered and what is wrong at its field', async () => {
    const asked = await makeJoinPass(client, {
      fields: [{ key: 'name', required: true }, { key: 'email' }, { key: 'phone' }, { key: 'tier' }],
    });
    const browser = stranger(app).with({ accept: 'text/html', 'accept-language': 'de' });
    const entered = { ...complete, name: '"Ada" <Lovelace>', field_tier: 'Gold & more', consent_news: 'yes' };
    const page = async (form: Record<string, string>) => {
      const reply = await sendForm(browser, asked.passId, form);
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(reply.headers.get('cache-control') ?? '', /no-store/);
      return reply.text;
    };
    const wrongPhone = await page({ ...entered, phone: 'abc' });
    assert.match(
      wrongPhone,
      /name="phone"[^>]* value="abc" aria-invalid="true" aria-describedby="problem" autofocus/,
    );
    assert.match(wrongPhone, /<p class="problem" id="problem">Das ist keine Telefonnummer/);
    assert.match(wrongPhone, /name="name"[^>]* value="&quot;Ada&quot; &lt;Lovelace&gt;"/);
    assert.match(wrongPhone, /name="field_tier"[^>]* value="Gold &amp; more"/);
    assert.match(wrongPhone, /name="consent_news" value="yes" checked/);
    assert.equal(wrongPhone.match(/aria-invalid="true"/g)?.length, 1);
    assert.match(await page({ ...entered, email: 'ada' }), /Das ist keine E-Mail-Adresse/);
    assert.match(await page({ ...entered, name: ' ' }), /Bitte füllen Sie das aus/);
    const { consent_terms: _, ...unticked } = entered;
    assert.match(await page(unticked), /name="consent_terms"[^>]* aria-invalid="true"[\s\S]*Häkchen/);
    // What the form does not ask for has no field to be shown at.
    assert.doesNotMatch(await page({ ...entered, field_shoe: '44' }), /<form/);
    assert.equal((await client.get(`/passes/${asked.passId}/instances`)).body.data.length, 0);
  });

  it('says so where no code is left', async () => {
    const pooled = await makeJoinPass(client, {}, { barcode: { mode: 'pool' } });
    assertRefused(await sendForm(stranger(app), pooled.passId, complete), 'pool_exhausted');
  });
});

describe('POST /join/{passId} with an address', () => {
  it('answers alike for who has a card and who has none, and issues nothing', async () => {
    const [held, unknown] = [newAddress(), newAddress()];
    await makeCard(client, pass.passId, { holder: { identifier: 'c1', email: held } });
    const sent = [held, unknown].map(async (email) => {
      const reply = await sendForm(stranger(app), pass.passId, { ...complete, email });
      return [reply.status, reply.text.replaceAll(email, 'E'), [...reply.headers.keys()].sort()];
    });
    const [one, other] = await Promise.all(sent);
    assert.equal(one?.[0], 200);
    assert.deepEqual(one, other);
    assert.match(String(one?.[1]), /Look into your mail/);
    assert.equal((await cards()).length, 1);
    const [first, second] = [await mailbox.mailTo(held), await mailbox.mailTo(unknown)];
    assert.equal(first.text.replaceAll(/\S+\/join\/\S+/g, ''), second.text.replaceAll(/\S+\/join\/\S+/g, ''));
  });

  it('issues the card to who presses the button of the mail', async () => {
    const email = newAddress();
    await sendForm(stranger(app), pass.passId, { ...complete, email: ` ${email.toUpperCase()} ` });
    const link = await mailedLink(email);
    for (let look = 0; look < 3; look++) {
      const page = await app.anyone.get(link, { headers: asPage });
      assert.equal(page.status, 200);
      assert.match(page.text, new RegExp(`<bdi>${email}</bdi>[\\s\\S]*Confirm and open`));
      assert.doesNotMatch(page.text, /<script/);
    }
    assert.deepEqual(await cards(), []);
    const taken = await press(app.anyone, link);
    assert.equal(taken.status, 303, taken.text);
    const [card] = await cards();
    assert.equal(taken.headers.get('location'), card.links.add);
    assert.deepEqual([card.holder.identifier, card.holder.email], [email, email]);
    // Once: a person who finds the mail later gets no card.
    assertRefused(await press(app.anyone, link), 'invalid_join', /./, usedLink);
    const gone = await app.anyone.get(link, { headers: asPage });
    assert.equal(gone.status, 400);
    assert.equal(gone.body.toString().includes(card.links.add), false);
    assert.deepEqual(
      await app.sql(
        'select 1 from join_proofs where email_hash is not null and pass_id = (select pass_id from passes order by created_at desc limit 1)',
      ),
      [],
    );
  });

  it('gives the same person the same card, and keeps what they agree to now', async () => {
    const email = newAddress();
    const holder = { identifier: 'c7', email, name: 'Ada' };
    const card = await makeCard(client, pass.passId, { holder, fields: { tier: 'Gold' } });
    await sendForm(stranger(app), pass.passId, { ...complete, name: 'Other', email, field_tier: 'Tin' });
    const taken = await press(app.anyone, await mailedLink(email));
    assert.equal(taken.headers.get('location'), card.links.add);
    const now = (await client.get(`/instances/${card.instanceId}`)).body;
    assert.deepEqual([now.holder.name, now.fields.tier], ['Ada', 'Gold']);
    const { data } = (await client.get(`/instances/${card.instanceId}/consents`)).body;
    assert.deepEqual(data.map(({ key, agreed }: Json) => [key, agreed]).sort(), [
      ['news', false],
      ['terms', true],
    ]);
    assert.equal((await cards()).length, 1);
  });

  it('gives one person who asks 20 times at once one card', async () => {
    const email = newAddress();
    const replies = await inParallel(20, () => sendForm(stranger(app), pass.passId, { ...complete, email }));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 20 });
    const proofs = await waitFor(() => (mailbox.to(email).length === 3 ? mailbox.to(email) : null));
    const links = proofs.map((mail) => proofLink(app, mail));
    const pressed = await inParallel(20, (at) => press(app.anyone, links[at % 3] ?? ''));
    const [card, ...more] = await cards();
    assert.deepEqual(more, []);
    for (const reply of pressed)
      if (reply.status === 303) assert.equal(reply.headers.get('location'), card.links.add);
      else assertRefused(reply, 'invalid_join', /./, usedLink);
    assert.ok(pressed.some(({ status }) => status === 303));
    await assertInvariants(app.sql);
  });

  it('refuses other links, and those of a day ago', async () => {
    const email = newAddress();
    await sendForm(stranger(app), pass.passId, { ...complete, email });
    const link = await mailedLink(email);
    const token = link.split('/').at(-1) ?? '';
    const other = await makeJoinPass(client);
    const wrong = ['x', `${token}A`, `${token.slice(0, 43)}${'A'.repeat(21)}`].map(
      (text) => `/join/${pass.passId}/confirm/${text}`,
    );
    for (const path of [...wrong, `/join/${other.passId}/confirm/${token}`]) {
      assertRefused(await app.anyone.get(path), 'invalid_join', /24 hours/, usedLink);
      assertRefused(await press(app.anyone, path), 'invalid_join', /./, usedLink);
    }
    app.advance(86_400_001);
    assertRefused(await press(app.anyone, link), 'invalid_join', /./, usedLink);
    assert.deepEqual(await cards(), []);
  });

  it('mails an address three times at most, however many ask', async () => {
    const email = newAddress();
    for (let ask = 0; ask < 6; ask++)
      assert.equal((await sendForm(stranger(app), pass.passId, { ...complete, email })).status, 200);
    await waitFor(() => (mailbox.to(email).length === 3 ? true : null));
    const [row] = await app.sql(
      "select count(*)::int as proofs from join_proofs where person->>'email' = $1",
      [email],
    );
    assert.equal(row?.proofs, 3);
  });

  it('is asked for by `proof: "email"`', async () => {
    await join({ enabled: true, proof: 'email', fields: [{ key: 'email', required: true }] });
    assertRefused(await sendForm(stranger(app), pass.passId, {}), 'invalid_join', /./, {
      key: 'email',
      reason: 'required',
    });
    assert.equal((await sendForm(stranger(app), pass.passId, { email: newAddress() })).status, 200);
    assert.deepEqual(await cards(), []);
  });

  it('is forgotten with the person', async () => {
    const email = newAddress();
    await sendForm(stranger(app), pass.passId, { ...complete, email });
    await press(app.anyone, await mailedLink(email));
    await sendForm(stranger(app), pass.passId, { ...complete, name: 'Augusta King', email });
    await waitFor(() => (mailbox.to(email).length === 2 ? true : null));
    const [card] = await cards();
    assert.match(await app.dump(), new RegExp(email));
    await client.delete(`/instances/${card.instanceId}`);
    const left = await app.dump();
    assert.ok(!left.includes(email) && !left.includes('Augusta King'));
    assert.deepEqual((await client.get(`/instances/${card.instanceId}/consents`)).body.data, []);
  });
});

describe('limits', () => {
  it('take 1,000 enrolments of as many addresses within a minute', async () => {
    const replies = await inParallel(1_000, (at) =>
      sendForm(from(app, `172.16.${at >> 8}.${at & 255}`), pass.passId, complete),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 303: 1_000 });
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.counts.issued, 1_000);
  });

  it('take few of one address, and more where its browsers have worked for it', async () => {
    const flooder = from(app, '203.0.113.7');
    const since = performance.now();
    const bare = await inParallel(40, () => sendForm(flooder, pass.passId, complete));
    assertSome(bare, 5, 60, since);
    assert.ok(Number(bare.find(({ status }) => status === 429)?.headers.get('retry-after')) >= 1);
    const works: object[] = [];
    for (let done = 0; done < 44; done++) works.push(await workFor(stranger(app), pass.passId));
    const begun = performance.now();
    const worked = await Promise.all(
      works.map((work) => sendForm(flooder, pass.passId, { ...complete, ...work })),
    );
    assertSome(worked, 40, 4, begun);
    assert.equal((await sendForm(stranger(app), pass.passId, complete)).status, 303);
  });

  it('count work once for a form, and none of another pass, of old or of made-up challenges', async () => {
    const flooder = from(app, '203.0.113.8');
    for (let sent = 0; sent < 5; sent++) await sendForm(flooder, pass.passId, complete);
    const send = (work: object) => sendForm(flooder, pass.passId, { ...complete, ...work });
    const other = await makeJoinPass(client);
    const good = await workFor(stranger(app), pass.passId);
    const bad = [
      await workFor(stranger(app), other.passId),
      { challenge: good.challenge, work: 'x' },
      { challenge: good.challenge.replace(/^./, 'z'), work: good.work },
    ];
    for (const work of bad) assertRefused(await send(work), 'rate_limited');
    assert.equal((await send(good)).status, 303);
    const old = await workFor(stranger(app), pass.passId);
    app.advance(3_600_001);
    assertRefused(await send(old), 'rate_limited');
  });

  it('end a day of a pass exactly, in the time zone of the workspace', async () => {
    const { client: own } = await app.newWorkspace();
    await own.patch('/workspace', { timezone: 'Pacific/Auckland' });
    const limited = await makeJoinPass(own, { limitPerDay: 7 });
    const replies = await inParallel(20, () => sendForm(stranger(app), limited.passId, complete));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 303: 7, 429: 13 });
    const wait = Number(replies.find(({ status }) => status === 429)?.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 90_000);
    // The answer to an address is the same, whether or not it has a card.
    assertRefused(
      await sendForm(stranger(app), limited.passId, { ...complete, email: newAddress() }),
      'rate_limited',
    );
    app.advance(wait * 1_000);
    assert.equal((await sendForm(stranger(app), limited.passId, complete)).status, 303);
  });
});

describe("a merchant's own app", () => {
  it('reads what is asked for, and enrols', async () => {
    const form = await app.anyone.get(`/join/${pass.passId}/form`, { headers: { 'accept-language': 'es' } });
    assert.deepEqual(form.body.fields, [
      { key: 'name', label: 'Nombre', required: true },
      { key: 'email', label: 'Correo electrónico', required: false },
      { key: 'tier', label: 'Favourite', required: false },
    ]);
    const path = `/join/${pass.passId}/enrolments`;
    const sent = { values: { name: 'Ada', tier: 'Mocha' }, consents: { terms: true } };
    const made = await stranger(app).post(path, sent);
    assert.equal(made.status, 200, made.text);
    const [card] = await cards();
    assert.deepEqual(made.body, { link: card.links.add, mailed: false });
    const mailed = await stranger(app).post(path, {
      ...sent,
      values: { ...sent.values, email: newAddress() },
    });
    assert.deepEqual(mailed.body, { link: null, mailed: true });
    assertRefused(await stranger(app).post(path, { ...sent, values: { shoe: '44' } }), 'invalid_join', /./, {
      key: 'shoe',
      reason: 'unknown',
    });
    assertRefused(await stranger(app).post(path, { ...sent, values: { name: 7 } }), 'invalid_request');
    assertRefused(await stranger(app).post(path, { ...sent, consents: { terms: 'yes' } }), 'invalid_request');
  });
});

describe('GET /instances/{instanceId}/consents', () => {
  it('is listed in pages, and only to whom the card belongs', async () => {
    const email = newAddress();
    const { instanceId } = await makeCard(client, pass.passId, { holder: { email } });
    for (let round = 0; round < 2; round++) {
      await sendForm(stranger(app), pass.passId, { ...complete, email });
      const mails = await waitFor(() => (mailbox.to(email).length > round ? mailbox.to(email) : null));
      await press(app.anyone, proofLink(app, mails[round] as never));
    }
    const path = `/instances/${instanceId}/consents`;
    const first = (await client.get(`${path}?limit=3`)).body;
    const second = (await client.get(`${path}?limit=3&cursor=${first.nextCursor}`)).body;
    assert.deepEqual([first.data.length, second.data.length, second.nextCursor], [3, 1, null]);
    const { client: other } = await app.newWorkspace();
    assertRefused(await other.get(path), 'forbidden');
  });
});

/** So many got through, and one more for each of so many seconds that have passed since. */
function assertSome(replies: readonly Reply[], most: number, everyS: number, since: number): void {
  const { 303: through = 0, 429: refused = 0 } = tally(replies.map(({ status }) => status));
  assert.equal(through + refused, replies.length);
  const later = Math.ceil((performance.now() - since) / 1_000 / everyS);
  assert.ok(through >= most && through <= most + later, `${through} of ${replies.length} got through`);
}

async function waitFor<T>(look: () => T | null): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null) return found;
    await new Promise((go) => setImmediate(go));
  }
}
