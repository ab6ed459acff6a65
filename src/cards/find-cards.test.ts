import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { award, makeProgram } from '../loyalty/account.fixture.ts';

const app = await startTestApp();

/** Follows the cursors to the end. */
async function all(client: Client, path: string, query: Record<string, string>, limit = 2): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const asked = new URLSearchParams({ ...query, limit: `${limit}`, ...(cursor !== '' && { cursor }) });
    const { status, body, text } = await client.get(`${path}?${asked}`);
    assert.equal(status, 200, text);
    assert.ok(body.data.length <= limit);
    found.push(...body.data);
    cursor = body.nextCursor;
  }
  return found;
}

describe('the filters and q of GET /passes/{passId}/instances', () => {
  let client: Client;
  let path: string;
  const cards: Record<string, Json> = {};
  let partner: Json;
  before(async () => {
    ({ client } = await app.newWorkspace());
    const { passId } = await makePass(client);
    path = `/passes/${passId}/instances`;
    partner = (await client.post('/partners', { name: 'Harbour' })).body;
    const people: Record<string, object> = {
      ada: {
        externalRef: 'signup 1',
        holder: {
          identifier: 'C-100',
          name: 'Ada Lovelace',
          email: 'Ada@Example.test',
          phone: '+49 (0)171 123456',
        },
      },
      adam: {
        externalRef: 'signup-2',
        holder: { identifier: 'ada@example.test', name: 'ADAM', email: 'ada@example.test' },
        partnerId: partner.partnerId,
      },
      zoe: { holder: { identifier: 'Zoe\u0308', name: 'Zoë' }, barcode: 'ADA-CODE' },
      guest: { partnerId: partner.partnerId },
    };
    for (const [name, body] of Object.entries(people)) cards[name] = await makeCard(client, passId, body);
    const second = await makePass(client);
    await makeCard(client, second.passId, { ...people.ada, externalRef: 'elsewhere' });
    const stranger = await app.newWorkspace();
    await makeCard(stranger.client, (await makePass(stranger.client)).passId, people.ada ?? {});
    await client.post(`/instances/${cards.adam?.instanceId}/void`);
  });
  const namesOf = async (query: Record<string, string>, limit = 2) =>
    (await all(client, path, query, limit)).map(
      ({ instanceId }) => Object.entries(cards).find(([, card]) => card.instanceId === instanceId)?.[0],
    );

  it('filters, alone and together, page by page', async () => {
    const { partnerId } = partner;
    const filters: [query: Record<string, string>, found: string[]][] = [
      [{ email: 'ADA@example.TEST' }, ['adam', 'ada']],
      [{ email: 'ada@example.test', status: 'active' }, ['ada']],
      [{ email: 'ada@example' }, []],
      [{ phone: '+49171123456' }, ['ada']],
      [{ phone: '0049 171 123456' }, ['ada']],
      [{ phone: '+49171123456', email: 'ada@example.test' }, ['ada']],
      [{ phone: '+49171123456', identifier: 'C-100' }, ['ada']],
      [{ phone: '+49171123456', identifier: 'c-100' }, []],
      [{ phone: '+4917112345' }, []],
      [{ externalRef: 'signup 1' }, ['ada']],
      [{ externalRef: 'signup-2', email: 'ada@example.test' }, ['adam']],
      [{ externalRef: 'signup-2', identifier: 'C-100' }, []],
      [{ externalRef: 'signup' }, []],
      [{ partnerId }, ['guest', 'adam']],
      [{ partnerId, status: 'active' }, ['guest']],
    ];
    for (const [query, found] of filters)
      for (const limit of [1, 100])
        assert.deepEqual(await namesOf(query, limit), found, JSON.stringify(query));
    const other = await makePass(client);
    for (const query of ['email=ada@example.test', 'externalRef=signup-2', `partnerId=${partnerId}`, 'q=ada'])
      assert.deepEqual((await client.get(`/passes/${other.passId}/instances?${query}`)).body.data, [], query);
  });

  it('finds each card once, in the order of the first of its texts that fit', async () => {
    const found: [q: string, cards: string[]][] = [
      ['ada', ['ada', 'adam', 'zoe']],
      ['ADA@', ['ada', 'adam']],
      ['Ada L', ['ada']],
      ['c-1', ['ada']],
      ['c 10', ['ada']],
      ['Zoë', ['zoe']],
      ['ZOE\u0308', ['zoe']],
      ['0171', []],
      ['+49 171', ['ada']],
      ['0049 (0)171', ['ada']],
      ['171', []],
      ['lovelace', ['ada']],
      ['lov ada', ['ada']],
      ['ovelace', []],
      ['%', []],
      ['ada\\', []],
      [String(cards.ada?.barcode).slice(0, 8).toLowerCase(), ['ada']],
      [String(cards.guest?.barcode), ['guest']],
    ];
    for (const [q, expected] of found)
      for (const limit of [1, 100])
        assert.deepEqual((await namesOf({ q }, limit)).sort(), expected.sort(), q);
    assert.deepEqual(await namesOf({ q: 'ada' }, 1), ['ada', 'adam', 'zoe']);
    assert.deepEqual((await all(client, path, { q: 'ada l' }))[0], cards.ada);
  });

  it('takes the other filters besides q', async () => {
    assert.deepEqual(await namesOf({ q: 'ada', status: 'voided' }), ['adam']);
    assert.deepEqual(await namesOf({ q: 'ada', partnerId: partner.partnerId }), ['adam']);
    assert.deepEqual(await namesOf({ q: 'ada', installed: 'true' }), []);
    assert.deepEqual(await namesOf({ q: 'ada', createdAfter: '2099-01-01T00:00:00Z' }), []);
    assert.deepEqual(
      await namesOf({ q: 'ada', createdBefore: '2099-01-01T00:00:00Z', status: 'active' }, 1),
      ['ada', 'zoe'],
    );
  });

  it('pages through many cards with one name, and through what is not asked for', async () => {
    const own = await app.newWorkspace();
    const { passId } = await makePass(own.client);
    const instances = Array.from({ length: 230 }, (_, at) => ({
      holder: { identifier: `maria-${at}`, name: 'Maria', email: `maria${at}@example.test` },
    }));
    const { body } = await own.client.post(`/passes/${passId}/instances/batch`, { instances });
    const last = body.results[229].instance.instanceId;
    await own.client.post(`/instances/${last}/void`);
    const ofPass = `/passes/${passId}/instances`;
    const found = await all(own.client, ofPass, { q: 'maria' }, 7);
    assert.equal(found.length, 230);
    assert.equal(new Set(found.map(({ instanceId }) => instanceId)).size, 230);
    const voided = await all(own.client, ofPass, { q: 'maria', status: 'voided' }, 7);
    assert.deepEqual(
      voided.map(({ instanceId }) => instanceId),
      [last],
    );
  });

  it('refuses what it cannot mean', async () => {
    const wrong: [query: string, message: RegExp][] = [
      ['q=', /parameter q/],
      [`q=${'a'.repeat(101)}`, /parameter q/],
      ['q=a%00', /q/],
      ['q=ada&email=ada@example.test', /q: does not go together with email/],
      ['q=ada&externalRef=1', /q: does not go together with externalRef/],
      ['phone=0171123', /phone: write it with its country/],
      ['phone=+49171123456', /%2B/],
      ['phone=ada', /phone/],
      ['email=', /email/],
      ['externalRef=', /externalRef/],
      ['cursor=abc&q=ada', /cursor/],
    ];
    for (const [query, message] of wrong)
      assertRefused(await client.get(`${path}?${query}`), 'invalid_request', message);
    const { nextCursor } = (await client.get(`${path}?q=ada&limit=1`)).body;
    for (const query of [`q=adam&cursor=${nextCursor}`, `cursor=${nextCursor}`])
      assertRefused(await client.get(`${path}?${query}`), 'invalid_request', /cursor/);
    assertRefused(await client.get(`${path}?partnerId=part_1`), 'partner_not_found');
  });
});

describe('GET /holders', () => {
  let client: Client;
  let cafe: Json;
  let bakery: Json;
  const cards: Record<string, Json> = {};
  before(async () => {
    ({ client } = await app.newWorkspace());
    cafe = (await makeProgram(client)).pass;
    bakery = await makePass(client);
    const issue = async (name: string, pass: Json, holder: object) => {
      cards[name] = await makeCard(client, pass.passId, { holder });
    };
    await issue('adaOld', cafe, { identifier: 'ada', name: 'Ada King', email: 'ada@example.test' });
    await client.post(`/instances/${cards.adaOld?.instanceId}/void`);
    await issue('adaCafe', cafe, {
      identifier: 'ada',
      name: 'Ada Lovelace',
      email: 'Ada@Example.test',
      phone: '0049 171 123',
      locale: 'en',
    });
    await issue('adaBakery', bakery, { identifier: 'ada', name: 'Ada L.' });
    await issue('family', bakery, { identifier: 'byron', email: 'ada@example.test', phone: '+49 171 999' });
    await issue('guestCafe', cafe, { name: 'Grace', email: 'grace@example.test', phone: '+1 555 0100' });
    await issue('guestBakery', bakery, { name: 'Grace Hopper', email: 'GRACE@example.test' });
    await issue('caller', cafe, { phone: '+1 555 0200' });
    await issue('callerToo', bakery, { phone: '001 555 0200' });
    await issue('named', cafe, { name: 'Grace' });
    await award(client, cards.adaCafe ?? {}, 2);
    for (const [name, { instanceId }] of Object.entries(cards))
      cards[name] = (await client.get(`/instances/${instanceId}`)).body;
    const stranger = await app.newWorkspace();
    await makeCard(stranger.client, (await makePass(stranger.client)).passId, {
      holder: { identifier: 'ada', name: 'Ada', email: 'ada@example.test' },
    });
  });
  const peopleOf = async (query: Record<string, string>, who = client, limit = 2) =>
    (await all(who, '/holders', query, limit)).map(({ cards: own }) =>
      own.map(
        ({ instanceId }: Json) =>
          Object.entries(cards).find(([, card]) => card.instanceId === instanceId)?.[0],
      ),
    );
  const ada = ['adaBakery', 'adaCafe', 'adaOld'];
  const grace = ['guestBakery', 'guestCafe'];

  it('shows a person with all cards and balances, the number in E.164 form', async () => {
    const { body } = await client.get('/holders?identifier=ada');
    assert.deepEqual(body, {
      data: [
        {
          identifier: 'ada',
          name: 'Ada L.',
          email: null,
          phone: null,
          locale: null,
          cards: [cards.adaBakery, cards.adaCafe, cards.adaOld],
        },
      ],
      nextCursor: null,
    });
    assert.equal(body.data[0]?.cards[1].loyalty.balance, 2);
    const { key: _, client: till } = await makeKey(client, { passIds: [cafe.passId] });
    const [atCafe] = (await till.get('/holders?identifier=ada')).body.data;
    assert.equal(atCafe.phone, '+49171123');
    assert.deepEqual(atCafe.cards, [cards.adaCafe, cards.adaOld]);
    const [family] = (await client.get('/holders?identifier=byron')).body.data;
    assert.equal(family.phone, '+49171999');
  });

  it('finds people by each of the parameters, once each, page by page', async () => {
    const found: [query: Record<string, string>, people: string[][]][] = [
      [{ identifier: 'Ada' }, await peopleOf({ identifier: 'ada' })],
      [{ identifier: 'nobody' }, []],
      [{ email: 'ADA@example.test' }, [ada, ['family']]],
      [{ email: 'grace@example.test' }, [grace]],
      [{ phone: '+49171123' }, [ada]],
      [{ phone: '+1 5550200' }, [['callerToo', 'caller']]],
      [{ phone: '+4917112' }, []],
      [{ q: 'ada' }, [ada, ['family']]],
      [{ q: 'ADA L' }, [ada]],
      [{ q: 'grace' }, [['named'], grace]],
      [{ q: '+1555' }, [grace, ['callerToo', 'caller']]],
      // Without a country of the workspace it begins no number.
      [{ q: '0171' }, []],
      [{ q: '+49 171 9' }, [['family']]],
    ];
    for (const [query, people] of found)
      for (const limit of [1, 100])
        assert.deepEqual(
          new Set(await peopleOf(query, client, limit)),
          new Set(people),
          JSON.stringify(query),
        );
  });

  it('shows a restricted key the cards of its passes, and who has one of these', async () => {
    const { client: till } = await makeKey(client, { passIds: [bakery.passId] });
    assert.deepEqual(await peopleOf({ q: 'ada' }, till), [['adaBakery'], ['family']]);
    assert.deepEqual(await peopleOf({ email: 'ada@example.test' }, till), [['family']]);
    assert.deepEqual(await peopleOf({ phone: '+49171123' }, till), []);
    assert.deepEqual(await peopleOf({ q: 'grace' }, till), [['guestBakery']]);
    const both = await makeKey(client, { passIds: [bakery.passId, cafe.passId] });
    assert.deepEqual(await peopleOf({ email: 'ada@example.test' }, both.client), [ada, ['family']]);
    const { nextCursor } = (await client.get('/holders?q=ada&limit=1')).body;
    assertRefused(await till.get(`/holders?q=ada&cursor=${nextCursor}`), 'invalid_request', /cursor/);
  });

  it('no longer finds who was erased', async () => {
    const card = await makeCard(client, cafe.passId, {
      holder: { identifier: 'gone', phone: '+4930123456' },
    });
    assert.equal((await peopleOf({ phone: '+4930123456' })).length, 1);
    await client.delete(`/instances/${card.instanceId}`);
    assert.deepEqual(await peopleOf({ phone: '+4930123456' }), []);
    assert.deepEqual(await peopleOf({ identifier: 'gone' }), []);
  });

  it('wants exactly one of them', async () => {
    const wrong: [query: string, message: RegExp][] = [
      ['', /send an identifier, an email, a phone or a q/],
      ['limit=5', /send an identifier/],
      ['identifier=ada&q=ada', /q: does not go together with identifier/],
      ['email=ada@example.test&phone=%2B49171123', /phone: does not go together with email/],
      ['phone=0171123', /phone: write it with its country/],
      ['email=ada', /email/],
      ['q=', /parameter q/],
      ['name=ada', /name/],
      ['identifier=ada&limit=0', /limit/],
    ];
    for (const [query, message] of wrong)
      assertRefused(await client.get(`/holders?${query}`), 'invalid_request', message);
  });
});
