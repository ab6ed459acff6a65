import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { imageSlots } from './pass-row.ts';

const app = await startTestApp();
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

const minimal = { title: 'Blue Bean Club', type: 'loyalty' };
const create = (body: object) => client.post('/passes', { ...minimal, ...body });
const field = { key: 'tier', label: 'Tier', section: 'secondary' };

async function created(body: object): Promise<Json> {
  const reply = await create(body);
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual((await client.get(`/passes/${reply.body.passId}`)).body, reply.body);
  return reply.body;
}

describe('POST /passes', () => {
  it('needs a title and a type, and fills in the rest', async () => {
    const { passId, createdAt, updatedAt, ...rest } = await created({});
    assert.match(passId, /^pass_[0-9a-z]{26}$/);
    assert.equal(updatedAt, createdAt);
    assert.deepEqual(rest, {
      ...minimal,
      status: 'draft',
      details: null,
      terms: null,
      expiry: { kind: 'none' },
      fields: [],
      colors: { background: null, foreground: null, label: null },
      barcode: { mode: 'unique', format: 'qr', value: null },
      iconUrl: null,
      logoUrl: null,
      stripUrl: null,
      thumbnailUrl: null,
      backgroundUrl: null,
      heroUrl: null,
      posterUrl: null,
      locations: [],
      beacons: [],
      dates: [],
      actions: [],
      modules: [],
      walletOptions: {},
      stamps: { over: 'plain', icon: null, color: null, markColor: null },
      metadata: {},
      language: null,
      translations: {},
      join: null,
      images: {},
      programId: null,
      rollout: null,
      counts: { issued: 0, installed: 0, voided: 0 },
      pool: { total: 0, available: 0, assigned: 0, lowAt: 100, lowSince: null },
    });
  });

  it('keeps what it is given', async () => {
    const design = {
      title: '青い豆 ☕ Клуб',
      type: 'coupon',
      details: 'Ten stamps,\n\tone coffee',
      terms: 'No refunds.\r\nEver.',
      expiry: { kind: 'afterIssue', days: 365 },
      fields: [
        {
          key: 'tier',
          label: 'Tier',
          value: 'Bronze',
          section: 'secondary',
          editable: false,
          changeMessage: 'You are now %@',
        },
        { key: 'note', label: '', value: null, section: 'back', editable: true, changeMessage: null },
      ],
      colors: { background: '#10324a', foreground: '#FFFFFF', label: null },
      barcode: { mode: 'simple', format: 'aztec', value: 'CLUB-2027' },
      locations: [
        { latitude: 52.5, longitude: -13.4, relevantText: 'Welcome' },
        { latitude: 0, longitude: 0 },
      ],
      metadata: { source: 'till', table: 4, vip: true, note: null },
    };
    const { status, ...pass } = await created(design);
    assert.equal(status, 'draft');
    for (const [key, value] of Object.entries(design)) assert.deepEqual(pass[key], value, key);
  });

  it('makes fields editable and empty by default', async () => {
    const { fields } = await created({ fields: [field] });
    assert.deepEqual(fields, [{ ...field, value: null, editable: true, changeMessage: null }]);
  });

  it('keeps a fixed expiry in UTC, whatever zone it came in', async () => {
    const { expiry } = await created({ expiry: { kind: 'fixed', at: '2027-06-30T23:59:59+02:00' } });
    assert.deepEqual(expiry, { kind: 'fixed', at: '2027-06-30T21:59:59.000Z' });
  });

  for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic']) {
    it(`makes a pass of type ${type}`, async () => assert.equal((await created({ type })).type, type));
  }

  it('takes every limit to the full', async () => {
    const fields = Array.from({ length: 40 }, (_, index) => ({ ...field, key: `f${index}`.padEnd(40, '_') }));
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`${index}`.padEnd(64, 'k'), '😀'.repeat(1_000)]),
    );
    await created({
      title: '😀'.repeat(120),
      details: '€'.repeat(5_000),
      terms: 'x'.repeat(5_000),
      fields,
      metadata,
      barcode: { mode: 'simple', format: 'qr', value: '😀'.repeat(255) },
      locations: Array.from({ length: 10 }, () => ({ latitude: -90, longitude: 180 })),
      expiry: { kind: 'afterIssue', days: 36_500 },
    });
  });
});

describe('POST /passes refuses with invalid_request', () => {
  const wrong: [string, object, RegExp][] = [
    ['no title', { title: undefined }, /^title is required/],
    ['an empty title', { title: '' }, /^title must not be empty/],
    ['a blank title', { title: ' \u00a0 ' }, /^title must not be blank/],
    ['a title of 121 characters', { title: 'x'.repeat(121) }, /^title must have at most 120/],
    ['a line break in the title', { title: 'a\nb' }, /^title must not hold the control character U\+000A/],
    ['a line separator in the title', { title: 'a\u2028b' }, /^title.*U\+2028/],
    ['a number as title', { title: 5 }, /^title must be a string/],
    ['null as title', { title: null }, /^title must be a string/],
    ['no type', { type: undefined }, /^type is required/],
    ['an unknown type', { type: 'stampCard' }, /^type must be .*loyalty.*generic/],
    ['empty details', { details: '' }, /^details/],
    ['details of 5,001 characters', { details: 'x'.repeat(5_001) }, /^details .*5000/],
    ['a control character in details', { details: 'a\u0007b' }, /^details .*U\+0007/],
    ['a control character in terms', { terms: 'a\u001bb' }, /^terms .*U\+001B/],
    ['an unknown kind of expiry', { expiry: { kind: 'never' } }, /^expiry\.kind must be/],
    ['an expiry without its moment', { expiry: { kind: 'fixed' } }, /^expiry\.at is required/],
    ['an expiry at a day', { expiry: { kind: 'fixed', at: '2027-01-31' } }, /^expiry\.at /],
    ['an expiry without zone', { expiry: { kind: 'fixed', at: '2027-01-31T00:00:00' } }, /^expiry\.at /],
    ['an expiry on no real day', { expiry: { kind: 'fixed', at: '2027-02-30T00:00:00Z' } }, /^expiry\.at /],
    ['an expiry after 0 days', { expiry: { kind: 'afterIssue', days: 0 } }, /^expiry\.days .*1/],
    [
      'an expiry after 36,501 days',
      { expiry: { kind: 'afterIssue', days: 36_501 } },
      /^expiry\.days .*36500/,
    ],
    ['days for a fixed expiry', { expiry: { kind: 'none', days: 5 } }, /^expiry\.days is not known/],
    ['null as expiry', { expiry: null }, /^expiry/],
    [
      '41 fields',
      { fields: Array.from({ length: 41 }, (_, at) => ({ ...field, key: `f${at}` })) },
      /^fields .*40/,
    ],
    ['null as fields', { fields: null }, /^fields/],
    [
      'a field without key',
      { fields: [{ label: 'Tier', section: 'back' }] },
      /^fields\[0\]\.key is required/,
    ],
    ['a field without label', { fields: [{ key: 'a', section: 'back' }] }, /^fields\[0\]\.label is required/],
    ['a field without section', { fields: [{ key: 'a', label: 'A' }] }, /^fields\[0\]\.section is required/],
    ['an unknown section', { fields: [{ ...field, section: 'top' }] }, /^fields\[0\]\.section must be/],
    ['a label with a line break', { fields: [{ ...field, label: 'a\nb' }] }, /^fields\[0\]\.label/],
    ['a label of 121 characters', { fields: [{ ...field, label: 'x'.repeat(121) }] }, /^fields\[0\]\.label/],
    ['a number as value', { fields: [{ ...field, value: 5 }] }, /^fields\[0\]\.value must be/],
    ['a value of 1,001 characters', { fields: [{ ...field, value: 'x'.repeat(1_001) }] }, /\.value .*1000/],
    [
      'a change message of 201',
      { fields: [{ ...field, changeMessage: 'x'.repeat(201) }] },
      /\.changeMessage/,
    ],
    ['"yes" as editable', { fields: [{ ...field, editable: 'yes' }] }, /^fields\[0\]\.editable must be/],
    [
      'an unknown property of a field',
      { fields: [{ ...field, icon: 'x' }] },
      /^fields\[0\]\.icon is not known/,
    ],
    ['a colour by name', { colors: { background: 'red' } }, /^colors\.background/],
    ['a colour of three digits', { colors: { background: '#fff' } }, /^colors\.background/],
    ['an unknown colour', { colors: { border: '#ffffff' } }, /^colors\.border is not known/],
    ['null as colours', { colors: null }, /^colors/],
    [
      'a 1,001st location',
      { locations: Array(1_001).fill({ latitude: 0, longitude: 0 }) },
      /^locations .*1000/,
    ],
    ['a latitude of 91', { locations: [{ latitude: 91, longitude: 0 }] }, /^locations\[0\]\.latitude .*90/],
    ['a longitude of -181', { locations: [{ latitude: 0, longitude: -181 }] }, /^locations\[0\]\.longitude/],
    ['a latitude as text', { locations: [{ latitude: '0', longitude: 0 }] }, /^locations\[0\]\.latitude/],
    [
      '51 metadata entries',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, i])) },
      /^metadata/,
    ],
    ['nested metadata', { metadata: { a: { b: 1 } } }, /^metadata/],
    ['metadata under a name with a space', { metadata: { 'a b': 1 } }, /^metadata/],
    ['null as metadata', { metadata: null }, /^metadata/],
    ['an unknown property', { owner: 'me' }, /^owner is not known/],
    ['a property of the answer', { status: 'published' }, /^status is not known/],
  ];
  for (const [what, body, message] of wrong) {
    it(what, async () => {
      const { text } = await client.get('/passes?limit=100');
      assertRefused(await create(body), 'invalid_request', message);
      assert.equal((await client.get('/passes?limit=100')).text, text);
    });
  }

  for (const body of ['null', '[]', '"x"', '5', '{', '']) {
    it(`the body ${body || '(nothing)'}`, async () => {
      assertRefused(await client.post('/passes', body), 'invalid_request');
    });
  }
});

describe('the key of a field', () => {
  for (const key of ['a', 'tier', 'a1_', 'points_2027', 'x'.repeat(40), 'tostring', 'null']) {
    it(`may be ${key}`, async () => {
      assert.equal((await created({ fields: [{ ...field, key }] })).fields[0].key, key);
    });
  }

  for (const key of ['', 'Tier', '1a', '_a', 'a-b', 'a b', 'ä', 'x'.repeat(41), 'a\n', 'hasOwnProperty']) {
    it(`may not be ${JSON.stringify(key)}`, async () => {
      assertRefused(await create({ fields: [{ ...field, key }] }), 'invalid_request', /^fields\[0\]\.key/);
    });
  }

  for (const key of ['title', 'details', 'terms', 'expiry']) {
    it(`may not be ${key}, which belongs to the pass itself`, async () => {
      const reply = await create({ fields: [field, { ...field, key }] });
      assertRefused(reply, 'invalid_request', /^fields\[1\]\.key: ".*" belongs to the pass itself/);
    });
  }

  for (const key of ['constructor', 'prototype']) {
    it(`may not be ${key}, which no JSON body may name`, async () => {
      assertRefused(await create({ fields: [{ ...field, key }] }), 'invalid_request', /^fields\[0\]\.key/);
    });
  }

  it('must be unique', async () => {
    const reply = await create({ fields: [field, { ...field, key: 'other' }, field] });
    assertRefused(reply, 'invalid_request', /^fields\[2\]\.key: "tier" is used twice/);
  });
});

describe('the barcode of a pass', () => {
  const allowed: [object, object][] = [
    [{ mode: 'unique' }, { mode: 'unique', format: 'qr', value: null }],
    [
      { mode: 'pool', format: 'code128' },
      { mode: 'pool', format: 'code128', value: null },
    ],
    [
      { mode: 'none', value: null },
      { mode: 'none', format: 'qr', value: null },
    ],
    [{ format: 'pdf417' }, { mode: 'unique', format: 'pdf417', value: null }],
    [
      { mode: 'simple', format: 'code128', value: '~'.repeat(80) },
      { mode: 'simple', format: 'code128', value: '~'.repeat(80) },
    ],
  ];
  for (const [barcode, expected] of allowed) {
    it(`may be ${JSON.stringify(barcode).slice(0, 50)}`, async () => {
      assert.deepEqual((await created({ barcode })).barcode, expected);
    });
  }

  const refused: [object | null, RegExp][] = [
    [{ mode: 'simple' }, /^barcode\.value: is required with mode "simple"/],
    [{ mode: 'simple', value: null }, /^barcode\.value: is required/],
    [{ mode: 'simple', value: '' }, /^barcode\.value/],
    [{ mode: 'simple', value: 'a\nb' }, /^barcode\.value/],
    [{ mode: 'simple', value: 'x'.repeat(256) }, /^barcode\.value .*255/],
    [{ mode: 'unique', value: 'A-1' }, /^barcode\.value: only mode "simple" has a shared value/],
    [{ mode: 'pool', value: 'A-1' }, /^barcode\.value: only mode "simple"/],
    [{ mode: 'none', value: 'A-1' }, /^barcode\.value: only mode "simple"/],
    [{ mode: 'simple', format: 'code128', value: 'é' }, /^barcode\.value: a Code 128 barcode/],
    [{ mode: 'simple', format: 'code128', value: 'x'.repeat(81) }, /^barcode\.value: a Code 128 barcode/],
    [{ mode: 'shared' }, /^barcode\.mode must be/],
    [{ mode: 'unique', format: 'ean8' }, /^barcode\.format must be/],
    [{ mode: 'unique', message: 'x' }, /^barcode\.message is not known/],
    [null, /^barcode/],
  ];
  for (const [barcode, message] of refused) {
    it(`may not be ${JSON.stringify(barcode).slice(0, 60)}`, async () => {
      assertRefused(await create({ barcode }), 'invalid_request', message);
    });
  }
});

describe('the image URLs of a pass', () => {
  for (const slot of imageSlots) {
    it(`${slot} may be null`, async () => assert.equal((await created({ [slot]: null }))[slot], null));
    it(`${slot} is refused by its name`, async () => {
      const reply = await create({ type: 'generic', [slot]: 'http://example.com/a.png' });
      assertRefused(reply, 'asset_fetch_failed', new RegExp(`^${slot}: .*https`), {
        slot,
        reason: 'invalid_url',
      });
    });
  }
});

describe('POST /passes with Idempotency-Key', () => {
  const keyed = (key: string, body: object = minimal) =>
    client.post('/passes', body, { headers: { 'idempotency-key': key } });

  it('makes one pass, however often and concurrently it is sent', async () => {
    const replies = await inParallel(20, () => keyed('once'));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.ok(replies.every(({ status }) => status === 201));
    assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 19);
  });

  it('replays the first answer after the pass was changed, and after it was deleted', async () => {
    const first = await keyed('changed');
    const path = `/passes/${first.body.passId}`;
    await client.patch(path, { title: 'New', status: 'published' });
    assert.equal((await keyed('changed')).text, first.text);
    await client.delete(path);
    assert.equal((await keyed('changed')).text, first.text);
    assert.equal((await client.get(path)).status, 404);
  });

  it('does not mind the order of properties', async () => {
    const first = await keyed('order', { title: 'A', type: 'coupon', metadata: { a: 1, b: 2 } });
    const repeat = await keyed('order', { metadata: { b: 2, a: 1 }, type: 'coupon', title: 'A' });
    assert.equal(repeat.text, first.text);
  });

  it('refuses another pass under the same key', async () => {
    await keyed('other');
    assertRefused(await keyed('other', { ...minimal, title: 'Other' }), 'external_ref_reused', /"other"/);
  });

  it('does not keep a refusal', async () => {
    assertRefused(await keyed('refused', { ...minimal, barcode: { mode: 'simple' } }), 'invalid_request');
    assert.equal((await keyed('refused')).status, 201);
  });

  for (const key of ['', 'x'.repeat(256), 'é']) {
    it(`refuses the key ${JSON.stringify(key).slice(0, 20)}`, async () => {
      assertRefused(await keyed(key), 'invalid_request', /1 to 255 printable ASCII/);
    });
  }
});
