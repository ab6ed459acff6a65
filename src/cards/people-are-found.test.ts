import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp, type TestApp } from '../../test/harness.ts';
import { complete, makeJoinPass, sendForm, stranger } from '../enrolment/join.fixture.ts';
import { decodeId } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { rereadSome } from './fold-texts.ts';

/** A database of locale C, whose lower() knows only ASCII. */
async function plainDatabase(): Promise<string> {
  const server = process.env.PUNCHCARD_TEST_SERVERS?.split(' ')[0] ?? '';
  const name = `people_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
  return Object.assign(new URL(server), { pathname: name }).href;
}

const app = await startTestApp({
  DATABASE_URL: await plainDatabase(),
  WORKERS: 'off',
  TRUST_PROXY: '127.0.0.1/32',
});

/** The names of the cards that a search finds. */
async function found(client: Client, path: string, query: Record<string, string>): Promise<string[]> {
  const { status, body, text } = await client.get(
    `${path}?${new URLSearchParams({ ...query, limit: '100' })}`,
  );
  assert.equal(status, 200, text);
  return body.data.map((one: Json) => String((one.holder ?? one).name)).sort();
}

async function shop(settings: object = {}) {
  const { client, workspaceId } = await app.newWorkspace();
  if (Object.keys(settings).length > 0)
    assert.equal((await client.patch('/workspace', settings)).status, 200);
  const { passId } = await makePass(client);
  const path = `/passes/${passId}/instances`;
  return { client, workspaceId, passId, path };
}

describe('texts in a database of locale C', () => {
  let client: Client;
  let path: string;
  const names = [
    '\u039d\u03af\u03ba\u03bf\u03c2',
    '\u0130pek',
    'Gro\u00df',
    'S\u00f8ren',
    'O\u2019Neil',
    'Anne-Marie L\u00fcders',
  ];
  before(async () => {
    const own = await shop();
    ({ client, path } = own);
    for (const [at, name] of names.entries())
      await makeCard(client, own.passId, {
        holder: {
          name,
          email: at === 0 ? '\u00c4da@example.test' : null,
          identifier: at === 1 ? 'K\u00c4SE-1' : null,
        },
        ...(at === 2 && { barcode: '\u00c4PFEL-7' }),
      });
  });

  it('are found in whatever case, with and without accents', async () => {
    const searches: readonly (readonly [q: string, at: number])[] = [
      ['\u039d\u038a\u039a\u039f\u03a3', 0],
      ['\u03bd\u03b9\u03ba\u03bf\u03c3', 0],
      ['ipek', 1],
      ['IPEK', 1],
      ['\u0131PEK', 1],
      ['GROSS', 2],
      ['gro\u1e9e', 2],
      ['soren', 3],
      ['S\u00d8REN', 3],
      ["o'neil", 4],
      ['ONEIL', 4],
      ['anne  marie luders', 5],
      ['ANNE\u2010MARIE L\u00dc', 5],
      ['\u00e4DA@', 0],
      ['k\u00e4se', 1],
      ['\u00e4pfel-7', 2],
    ];
    for (const [q, at] of searches) assert.deepEqual(await found(client, path, { q }), [names[at]], q);
    for (const [q, at] of searches.slice(0, 15))
      assert.deepEqual(await found(client, '/holders', { q }), [names[at]], q);
    for (const asked of ['/holders', path])
      assert.deepEqual(await found(client, asked, { email: '\u00e4da@EXAMPLE.test' }), [names[0]]);
    assert.deepEqual(await found(client, path, { q: '\u00b4' }), []);
  });
});

describe('people, by a part of their name or number,', () => {
  let client: Client;
  let path: string;
  let passId: string;
  const people = [
    '\u0141ukasz \u0160imi\u0107',
    'Sin\u00e9ad O\u2019Neill',
    'Hans Kr\u00fcger',
    'Erika Mueller',
    'J\u00fcrgen M\u00fcller',
    'Mar\u00eda del Carmen L\u00f3pez',
    'Joel Jolly',
    'Nguy\u1ec5n Th\u1ecb Minh Khai Anh',
  ] as const;
  before(async () => {
    const own = await shop({ country: 'DE' });
    ({ client, path, passId } = own);
    for (const [at, name] of people.entries())
      await makeCard(client, passId, { holder: { name, phone: `0151 1000003${at}` } });
  });
  const cases: readonly (readonly [q: string, names: readonly string[]])[] = [
    ['\u0160imi\u0107', [people[0]]],
    ['simic', [people[0]]],
    ['lukasz', [people[0]]],
    ['\u0160imi\u0107 \u0141ukasz', [people[0]]],
    ['sim luk', [people[0]]],
    ['sim hans', []],
    ["O'Neill", [people[1]]],
    ['krug', [people[2]]],
    ['kr\u00fcger h', [people[2]]],
    ['krueger', [people[2]]],
    ['Muller', [people[4]]],
    ['mueller', [people[3], people[4]]],
    ['m\u00fcller', [people[3], people[4]]],
    ['MU\u0308LLER', [people[3], people[4]]],
    ['carmen', [people[5]]],
    ['lopez maria', [people[5]]],
    ['del carmen lo', [people[5]]],
    ['joel', [people[6]]],
    ['jol', [people[6]]],
    ['anh', [people[7]]],
    ['thi nguyen', [people[7]]],
    ['10000037', [people[7]]],
    ['0037', [people[7]]],
    ['151 10000037', [people[7]]],
    ['+4915110000037', [people[7]]],
    ['0049 151 10000037', [people[7]]],
    ['015110000037', [people[7]]],
    ['037', []],
    ['+0037', []],
  ];
  for (const [q, names] of cases)
    it(`are found by ${q}: ${names.length}`, async () => {
      for (const asked of ['/holders', path])
        assert.deepEqual(await found(client, asked, { q }), [...names].sort(), asked);
    });

  it('are on one page only, whichever of their words fit', async () => {
    const own = await shop();
    for (let at = 0; at < 7; at++)
      await makeCard(own.client, own.passId, { holder: { name: `Ann${at} Anna Annabel Anne` } });
    for (const asked of ['/holders', own.path]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { body } = await own.client.get(`${asked}?q=ann&limit=2${next}`);
        seen.push(...body.data.map((one: Json) => String((one.holder ?? one).name)));
        cursor = body.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(
        seen.sort(),
        [0, 1, 2, 3, 4, 5, 6].map((at) => `Ann${at} Anna Annabel Anne`),
        asked,
      );
    }
  });

  it('of another workspace are not', async () => {
    const other = await app.newWorkspace();
    for (const q of ['simic', '0037', 'lopez maria'])
      assert.deepEqual(await found(other.client, '/holders', { q }), []);
  });
});

describe('a telephone number', () => {
  it('is read with the country of the workspace, and found by any spelling', async () => {
    const { client, path, passId } = await shop({ country: 'IT' });
    const card = await makeCard(client, passId, {
      holder: { name: 'Ada', phone: '\u202a06\u00a0968\u20116541\u202c' },
    });
    assert.equal(card.holder.phone, '+39069686541');
    for (const phone of [
      '06 9686541',
      '+39 (0)6 9686541',
      '0039 06 9686541',
      'tel:+39-06-9686541',
      '\uff10\uff16 9686541',
    ])
      for (const asked of ['/holders', path])
        assert.deepEqual(await found(client, asked, { phone }), ['Ada'], phone);
    for (const q of ['069', '+39 06', '0039069686', '06 968'])
      assert.deepEqual(await found(client, path, { q }), ['Ada'], q);
    assert.deepEqual(await found(client, path, { q: '6968' }), []);
    const twin = await makeCard(client, passId, { holder: { name: 'Eve', phone: '0039 06 9686541' } });
    assert.equal(twin.holder.phone, '+39069686541');
    assert.deepEqual(await found(client, path, { phone: '069686541' }), ['Ada', 'Eve']);
  });

  it('is of the country that the time zone or the locale names, where none is set', async () => {
    for (const [settings, phone, number] of [
      [{ timezone: 'Europe/Budapest' }, '06 30 123 4567', '+36301234567'],
      [{ locale: 'de-AT' }, '0664 1234567', '+436641234567'],
      [{ timezone: 'Europe/Berlin', country: 'FR' }, '06 12 34 56 78', '+33612345678'],
    ] as const) {
      const { client, passId } = await shop(settings);
      assert.equal((await makeCard(client, passId, { holder: { phone } })).holder.phone, number);
    }
  });

  it('is refused by its path where it is none, alone in a batch', async () => {
    const { client, path, passId } = await shop();
    const says = /^holder\.phone: write it with its country/;
    const own = await makeCard(client, passId, { holder: { name: 'Ada' } });
    for (const phone of ['0171 1234567', 'call me', '+999 123456', ' ']) {
      assertRefused(await client.post(path, { holder: { phone } }), 'invalid_request', says);
      assertRefused(
        await client.patch(`/instances/${own.instanceId}`, { holder: { phone } }),
        'invalid_request',
        says,
      );
    }
    const instances = [
      { holder: { phone: '0171 1234567' } },
      { holder: { name: 'Eve', phone: '+49 171 1234567' } },
    ];
    const { results } = (await client.post(`${path}/batch`, { instances })).body;
    assert.match(results[0].error.error ?? results[0].error.message, says);
    assert.deepEqual(await found(client, path, { phone: '+491711234567' }), ['Eve']);
    assertRefused(await client.patch('/workspace', { country: 'XX' }), 'invalid_request', /^country/);
    assertRefused(await client.patch('/workspace', { country: 'de' }), 'invalid_request', /^country/);
  });
});

describe('a telephone number that comes in by another way', () => {
  it('of the page of enrolment, is read as it was pasted, or refused', async () => {
    const { client, workspaceId } = await shop({ country: 'DE' });
    const { passId } = await makeJoinPass(client, {
      fields: [{ key: 'name', required: true }, { key: 'phone' }],
    });
    const enrol = (phone: string) => sendForm(stranger(app), passId, { ...complete, phone });
    assert.equal((await enrol('\u202a0171 \u0661\u0662\u0663\u0664\u0665\u0666\u0667\u202c')).status, 303);
    assert.deepEqual(await found(client, '/holders', { phone: '0171 1234567' }), ['Ada Lovelace']);
    const refused = { key: 'phone', reason: 'malformed' };
    assertRefused(await enrol('call me'), 'invalid_join', /^phone: is no telephone number/, refused);
    assert.ok(!(await rowsOf(app, workspaceId)).includes('call me'));
  });

  it('of an order, names its customer in any spelling, and is kept where it is none', async () => {
    const { client } = await shop({ country: 'HU' });
    const { passId } = (
      await makeProgram(client, {
        mode: 'POINTS',
        reward: { title: 'Tea', cost: 5 },
        earn: { perCurrencyUnit: 1 },
      })
    ).pass;
    const process = async (orderId: string, customer: object) => {
      const total = { amount: '3.00', currency: 'EUR' };
      const { status, body, text } = await client.post('/orders/process', {
        passId,
        orderId,
        customer,
        total,
      });
      assert.equal(status, 200, text);
      return body.instanceId;
    };
    const first = await process('1', { phone: '06 30 123 4567' });
    assert.equal(await process('2', { phone: '+36 (06) 30/123-4567' }), first);
    const earned = await client.post('/loyalty/points', { passId, phone: '0036 30 1234567', points: 1 });
    assert.equal(earned.body.instanceId, first, earned.text);
    const { holder, phoneGiven } = (
      await client.get(`/instances/${await process('3', { id: 'c3', phone: 'ask Bob' })}`)
    ).body;
    assert.deepEqual([holder.phone, phoneGiven], [null, 'ask Bob']);
  });
});

describe('rows of a former version', () => {
  /** A card as the version before writes it, which knows none of the new columns. */
  async function former(own: { client: Client; passId: string }, holder: Json): Promise<string> {
    const { instanceId } = await makeCard(own.client, own.passId, { holder: { name: holder.name } });
    const id = decodeId('inst', instanceId);
    await app.sql(
      `with gone as (delete from holders where instance_id = $1 returning workspace_id, pass_id)
       insert into holders (workspace_id, instance_id, pass_id, name, email, phone)
       select workspace_id, $1, pass_id, $2, $3, $4 from gone`,
      [id, holder.name, holder.email ?? null, holder.phone ?? null],
    );
    return instanceId;
  }
  const cardOf = async (client: Client, instanceId: string) =>
    (await client.get(`/instances/${instanceId}`)).body;

  it('are found as it finds them, and as all others once they are folded', async () => {
    const own = await shop({ country: 'DE' });
    const { client, path } = own;
    const id = await former(own, {
      name: 'Zo\u00eb Gro\u00df',
      email: 'Zoe@Example.test',
      phone: '0171/123 45 67',
    });
    assert.deepEqual(await found(client, path, { email: 'zoe@example.TEST' }), ['Zo\u00eb Gro\u00df']);
    assert.deepEqual(await found(client, path, { q: 'zoe@' }), ['Zo\u00eb Gro\u00df']);
    await app.twin();
    assert.equal((await cardOf(client, id)).holder.phone, '+491711234567');
    assert.deepEqual(await found(client, path, { q: 'ZOE GROSS' }), ['Zo\u00eb Gro\u00df']);
    assert.deepEqual(await found(client, path, { phone: '0171 1234567' }), ['Zo\u00eb Gro\u00df']);
    const [kept] = await app.sql('select phone_given from holders where instance_id = $1', [
      decodeId('inst', id),
    ]);
    assert.equal(kept?.phone_given, '0171/123 45 67');
    // A former version still writes while this one runs.
    await app.sql(`update holders set name = 'Ida', phone = '0171 7654321' where instance_id = $1`, [
      decodeId('inst', id),
    ]);
    assert.deepEqual(await found(client, path, { q: 'ida' }), ['Ida']);
    assert.deepEqual(await found(client, path, { q: 'zoe g' }), []);
    await app.twin();
    assert.equal((await cardOf(client, id)).holder.phone, '+491717654321');
  });

  it('keep what is no number, which is read once there is a country', async () => {
    const own = await shop();
    const { client, path, workspaceId } = own;
    const [ada, eve] = [
      await former(own, { name: 'Ada', phone: '0171 1234567' }),
      await former(own, { name: 'Eve', phone: '12' }),
    ];
    await app.twin();
    for (const [id, given] of [
      [ada, '0171 1234567'],
      [eve, '12'],
    ] as const) {
      const { holder, phoneGiven } = await cardOf(client, id ?? '');
      assert.deepEqual([holder.phone, phoneGiven], [null, given]);
    }
    assert.deepEqual(await found(client, path, { q: '0171 12' }), ['Ada']);
    await client.patch('/workspace', { country: 'DE' });
    while (await rereadSome(app.running.app.database));
    assert.equal((await cardOf(client, ada ?? '')).holder.phone, '+491711234567');
    assert.deepEqual(await found(client, path, { phone: '0171/1234567' }), ['Ada']);
    assert.equal((await cardOf(client, eve ?? '')).phoneGiven, '12');
    const changed = await client.patch(`/instances/${eve}`, { holder: { phone: '+49 30 901820' } });
    assert.deepEqual([changed.body.holder.phone, changed.body.phoneGiven], ['+4930901820', undefined]);
    await client.delete(`/instances/${ada}`);
    const rows = await rowsOf(app, workspaceId);
    assert.ok(!rows.includes('1234567'), rows);
  });
});

/** What the database still knows of holders and cards of a workspace. */
async function rowsOf({ sql }: TestApp, workspaceId: string): Promise<string> {
  const id = decodeId('ws', workspaceId);
  const rows = await sql(
    `select h::text as row from holders h where workspace_id = $1
     union all select i::text from instances i where workspace_id = $1`,
    [id],
  );
  return rows.map(({ row }) => row).join('\n');
}
