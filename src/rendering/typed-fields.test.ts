import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../tools/validator/zip-reader.ts';

const app = await startTestApp();
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));
const field = (key: string, format: string | undefined, value: string | null, more: object = {}) => ({
  ...{ key, label: key, section: 'back', value },
  ...(format !== undefined && { format }),
  ...more,
});
const typed = [
  field('visits', 'number', '1234.5', { section: 'secondary', align: 'right' }),
  field('off', 'percent', '12.5', { section: 'primary' }),
  field('spent', 'currency', '0.00', { currency: 'EUR', align: 'center' }),
  field('since', 'date', '2027-03-01'),
  field('from', 'time', '18:30'),
  field('show', 'dateTime', '2027-03-01T18:30:00Z'),
  field('ends', 'relative', '2027-04-01T00:00:00+02:00'),
  field('note', undefined, '12.5'),
];

let client: Client;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
  await client.patch('/workspace', { timezone: 'Europe/Berlin', locale: 'de' });
});

/** The fields in the pass file of a card, by their keys; Wallet has nothing against the file. */
async function inWallet(card: Json): Promise<Record<string, Json>> {
  const { body } = await app.anyone.get(card.links.apple);
  assert.deepEqual(validatePkpass(body, { root, now: new Date() }), []);
  const silent = () => undefined;
  const files = extractZip(body, listZip(body, silent) ?? [], { entries: 100, bytes: 1e7 }, silent);
  const { coupon } = JSON.parse(String(files?.get('pass.json')));
  return Object.fromEntries(
    Object.values(coupon as Record<string, Json[]>).flatMap((fields) =>
      fields.map(({ key, label: _, ...rest }) => [key, rest]),
    ),
  );
}

describe('fields with a format', () => {
  it('are written by Apple Wallet itself, and by the page in the language of the card', async () => {
    const pass = await makePass(client, { type: 'coupon', fields: typed });
    assert.deepEqual(
      pass.fields.map(({ format, currency, align }: Json) => [format, currency, align]),
      typed.map(({ format, currency, align }: Json) => [format, currency, align]),
    );
    const card = await makeCard(client, pass.passId, { fields: { spent: '12.50' } });
    assert.equal(card.fields.spent, '12.50');
    const asWritten = { ignoresTimeZone: true };
    assert.deepEqual(await inWallet(card), {
      'latest-news': { value: '–' },
      visits: { value: 1234.5, numberStyle: 'PKNumberStyleDecimal', textAlignment: 'PKTextAlignmentRight' },
      off: { value: 0.125, numberStyle: 'PKNumberStylePercent' },
      spent: { value: 12.5, currencyCode: 'EUR' },
      since: {
        value: '2027-03-01T00:00:00Z',
        dateStyle: 'PKDateStyleMedium',
        timeStyle: 'PKDateStyleNone',
        ...asWritten,
      },
      from: {
        value: '2000-01-01T18:30:00Z',
        dateStyle: 'PKDateStyleNone',
        timeStyle: 'PKDateStyleShort',
        ...asWritten,
      },
      show: {
        value: '2027-03-01T19:30:00+01:00',
        dateStyle: 'PKDateStyleMedium',
        timeStyle: 'PKDateStyleShort',
        ...asWritten,
      },
      ends: {
        value: '2027-03-31T22:00:00Z',
        dateStyle: 'PKDateStyleMedium',
        timeStyle: 'PKDateStyleShort',
        isRelative: true,
      },
      note: { value: '12.5' },
    });
    const page = (await app.anyone.get(card.links.card)).text.replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const text of [
      '1.234,5',
      '12,5 %',
      '12,50 €',
      '01.03.2027',
      '18:30',
      '01.03.2027, 19:30',
      '01.04.2027, 00:00',
    ])
      assert.ok(page.includes(`>${text}<`), text);
  });

  it('open what they lead to: on the back in Apple Wallet, on the page wherever they are', async () => {
    const opening = [
      field('menu', 'link', 'https://bean.example/menu?a=1&b=2'),
      field('site', 'link', 'https://bean.example', { section: 'auxiliary' }),
      field('call', 'phone', '+49 30 1234567'),
      field('mail', 'email', 'shop@bean.example'),
      field('shop', 'address', 'Main St 1, Berlin'),
      field('own', 'link', null),
    ];
    const pass = await makePass(client, { type: 'coupon', fields: opening });
    const card = await makeCard(client, pass.passId, { fields: { own: 'https://bean.example/ada' } });
    const { menu, site, call, mail, shop, own } = await inWallet(card);
    assert.deepEqual(menu, {
      value: 'bean.example/menu?a=1&b=2',
      attributedValue: '<a href="https://bean.example/menu?a=1&amp;b=2">bean.example/menu?a=1&amp;b=2</a>',
    });
    assert.deepEqual([site, shop], [{ value: 'bean.example' }, { value: 'Main St 1, Berlin' }]);
    assert.equal(call?.attributedValue, '<a href="tel:+49301234567">+49 30 1234567</a>');
    assert.equal(mail?.attributedValue, '<a href="mailto:shop@bean.example">shop@bean.example</a>');
    assert.equal(own?.attributedValue, '<a href="https://bean.example/ada">bean.example/ada</a>');
    const page = (await app.anyone.get(card.links.card)).text;
    for (const uri of [
      'https://bean.example/menu?a=1&amp;b=2',
      'https://bean.example/',
      'tel:+49301234567',
      'mailto:shop@bean.example',
      'https://www.google.com/maps/search/?api=1&amp;query=Main%20St%201%2C%20Berlin',
      'https://bean.example/ada',
    ])
      assert.ok(page.includes(`<a href="${uri}" rel="noreferrer">`), uri);
    const path = `/instances/${card.instanceId}/fields`;
    assertRefused(await client.patch(path, { fields: { own: 'javascript:alert(1)' } }), 'invalid_request');
  });

  it('refuse values of another format, by path, of the pass and of a card', async () => {
    for (const [index, { key, format }] of typed.entries()) {
      if (format === undefined) continue;
      const fields = typed.map((one) => (one.key === key ? { ...one, value: 'soon' } : one));
      const reply = await client.post('/passes', { title: 'x', type: 'coupon', fields });
      assertRefused(reply, 'invalid_request');
      assert.equal(reply.body.problems[0].path, `fields[${index}].value`);
    }
    const pass = await makePass(client, { type: 'coupon', fields: typed });
    const card = await makeCard(client, pass.passId);
    const path = `/instances/${card.instanceId}/fields`;
    const changed = await client.patch(path, { fields: { since: '2027-02-30' } });
    assertRefused(changed, 'invalid_request');
    assert.deepEqual(
      [changed.body.problems[0].path, changed.body.problems[0].rule],
      ['fields.since', 'format'],
    );
    assertRefused(
      await client.post(`/passes/${pass.passId}/instances`, { fields: { spent: '1.005' } }),
      'invalid_request',
    );
    for (const fields of [{ since: null }, { since: { useDefault: true } }, { since: '2028-02-29' }])
      assert.equal((await client.patch(path, { fields })).status, 200);
  });

  it('need a currency for amounts alone, and one that there is', async () => {
    const create = (one: object) => client.post('/passes', { title: 'x', type: 'coupon', fields: [one] });
    for (const wrong of [
      field('spent', 'currency', null),
      field('spent', 'number', null, { currency: 'EUR' }),
      field('spent', 'currency', null, { currency: 'XXQ' }),
      field('spent', 'money', null),
      field('spent', 'number', null, { align: 'justify' }),
    ])
      assertRefused(await create(wrong), 'invalid_request');
    // Text is what a field without a format has.
    const plain = await create(field('spent', 'text', '12.5'));
    assert.deepEqual([plain.status, plain.body.fields[0].format], [201, undefined]);
  });

  it('show what cards have that are older than the format as it is', async () => {
    const pass = await makePass(client, { type: 'coupon', fields: [field('since', undefined, null)] });
    const card = await makeCard(client, pass.passId, { fields: { since: 'last spring' } });
    const changed = await client.patch(`/passes/${pass.passId}`, { fields: [field('since', 'date', null)] });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual((await inWallet(card)).since, { value: 'last spring' });
    assert.ok((await app.anyone.get(card.links.card)).text.includes('>last spring<'));
  });
});
