import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client, Json } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { hostileStrings } from '../hostile-strings.ts';
import { bodyCheck } from './document.ts';

/** What the document allows, the service takes, and nothing else: what it refuses is then no matter of the shape. */
const app = await startTestApp();
let client: Client;
let passId: string;
before(async () => {
  ({ client } = await app.newWorkspace());
  ({ passId } = await makePass(client));
});

/** Fails unless the document takes those bodies that the service does not call malformed. */
async function agree(op: string, path: string, bodies: readonly object[], method = 'POST'): Promise<void> {
  const isDocumented = bodyCheck(op);
  const counts = { taken: 0, refused: 0 };
  for (const body of bodies) {
    const { status, body: answer, text } = await client.send(method, path, body);
    const isTaken = answer.code !== 'invalid_request';
    counts[isTaken ? 'taken' : 'refused'] += 1;
    assert.equal(isDocumented(body), isTaken, `${JSON.stringify(body)}: ${status} ${text}`);
  }
  assert.ok(counts.taken > 0 && counts.refused > 0, `${op} both takes and refuses some`);
}

const strings = hostileStrings.filter((text) => text.length < 300);
const named = (name: string) => (value: unknown) => ({ [name]: value });
/** Every choice of one value for each property; `undefined` leaves it out. */
function combinations(choices: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  return Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}],
  );
}

describe('document and service agree about', () => {
  it('lines of text, and names and values of metadata', () => {
    const names = [
      'a',
      'a.b',
      'a-b',
      'a b',
      '',
      'é',
      'a'.repeat(64),
      'a'.repeat(65),
      'toString',
      'hasOwnProperty',
    ];
    const refused = ['__proto__', 'constructor', 'prototype'];
    const values = ['', 'x', 'x'.repeat(1_001), 1, true, null, {}, []];
    return agree('createPartner', '/partners', [
      ...strings.map(named('name')),
      ...strings.map((externalId) => ({ name: 'A', externalId })),
      ...[...names, ...refused].map((name) => ({
        name: 'A',
        metadata: JSON.parse(`{${JSON.stringify(name)}:"x"}`) as Json,
      })),
      ...values.map((value) => ({ name: 'A', metadata: { a: value } })),
    ]);
  });

  it('addresses that are invited', () => {
    const good = [
      'ada@example.com',
      ' ada@example.com ',
      "o'neil+x@mail.example.co.uk",
      'ada@bücher.example',
      'josé@example.com',
    ];
    const bad = [
      'ada',
      '@example.com',
      'ada@',
      'ada@example',
      'a b@example.com',
      'a..b@example.com',
      '.a@example.com',
    ];
    const lines = [
      'a\u2028b@example.com',
      'a\u0085b@example.com',
      'a\nb@example.com',
      'ada@exa\u2029mple.com',
    ];
    const odd = [
      '"a"@example.com',
      'a@b@example.com',
      'a,b@example.com',
      'ada@example..com',
      'ada@exa_mple.com',
      'ada@[127.0.0.1]',
    ];
    return agree(
      'createInvite',
      `/passes/${passId}/invites`,
      [...good, ...bad, ...lines, ...odd, ...strings].map(named('email')),
    );
  });

  it('what a program of each mode has', async () => {
    const bodies = combinations({
      mode: ['POINTS', 'STAMPS', 'COINS', undefined],
      reward: [{ title: 'Coffee' }, { title: 'Coffee', cost: null }, { title: 'Coffee', cost: 5 }],
      threshold: [undefined, null, 10],
    });
    const passes = await Promise.all(bodies.map(() => makePass(client, {}, 'draft')));
    await agree(
      'createProgram',
      '/loyalty/programs',
      bodies.map((body, at) => ({ passId: passes[at]?.passId, ...body })),
    );
  });

  it('what a store of each platform has', () => {
    const shopify = { accessToken: 'shpat_0123' };
    const woocommerce = { consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const bodies = combinations({
      platform: ['shopify', 'woocommerce', 'custom', 'etsy'],
      credentials: [
        undefined,
        {},
        shopify,
        woocommerce,
        { ...shopify, ...woocommerce },
        { accessToken: 'a b' },
      ],
      consent: [undefined, null, { attestedBy: 'Ada' }, { metaKey: 'a', metaValue: 'b' }, { metaKey: 'a' }],
    });
    return agree(
      'connectStore',
      '/stores',
      bodies.map((body, at) => ({
        ...body,
        domain: `shop-${at}.myshopify.com`,
        webhookSecret: 'secret secret secret',
      })),
    );
  });

  it('customers, currencies and numbers of orders', () => {
    const order = { passId, orderId: '1', customer: { id: 'a' }, total: { amount: '12', currency: 'EUR' } };
    const currencies = ['EUR', 'JPY', 'UYW', 'CLF', 'XYZ', 'AAA', 'eur', 'EURO', ''];
    const ids = ['.', '..', '...', ' .', 'a', 'a/b', '', ...strings];
    return agree('processOrder', '/orders/process', [
      ...currencies.map((currency) => ({ ...order, total: { amount: '12', currency } })),
      ...ids.map((orderId) => ({ ...order, orderId })),
      ...combinations({
        id: [undefined, null, 'a', ' ', ...strings.slice(0, 20)],
        email: [undefined, null, 'ada@example.com', '\tada@example.com\n', 'ada', 'a b@c'],
      }).map((customer) => ({ ...order, customer })),
    ]);
  });

  it('what names a card', async () => {
    const { instanceId, barcode } = await makeCard(client, passId, { holder: { identifier: 'ada' } });
    const named = {
      identifier: [undefined, 'ada'],
      instanceId: [undefined, instanceId],
      barcode: [undefined, barcode],
    };
    const targets = combinations(named);
    await agree(
      'earnPoints',
      '/loyalty/points',
      targets.map((target) => ({ passId, ...target, points: 1 })),
    );
    await agree(
      'redeemReward',
      '/loyalty/redeem',
      targets.map((target) => ({ passId, ...target })),
    );
    await agree('adjustPoints', '/loyalty/adjust', [
      ...targets.map((target) => ({ passId, ...target, points: 1, reason: 'a' })),
      ...[0, -1, 1.5].map((points) => ({ passId, identifier: 'ada', points, reason: 'a' })),
    ]);
    const asked = { points: [undefined, 1], total: [undefined, { amount: '1', currency: 'EUR' }] };
    await agree(
      'previewPoints',
      '/loyalty/points/preview',
      combinations({ ...named, ...asked }).map((body) => ({ passId, ...body })),
    );
  });

  it('the design of a pass', () => {
    const design = { title: 'A', type: 'loyalty' };
    const field = { key: 'tier', label: 'Tier', section: 'back' };
    const expiries = [
      { kind: 'none' },
      { kind: 'none', days: 1 },
      { kind: 'fixed' },
      { kind: 'fixed', at: '2999-12-31T00:00:00Z' },
      { kind: 'afterIssue', days: 30 },
      { kind: 'never' },
      {},
    ];
    const keys = [
      'tier',
      'Tier',
      'title',
      'details',
      'terms',
      'expiry',
      'constructor',
      'prototype',
      '1a',
      'a-b',
    ];
    return agree('createPass', '/passes', [
      ...strings.map((title) => ({ ...design, title })),
      ...strings.map((terms) => ({ ...design, terms })),
      ...strings.map((label) => ({ ...design, fields: [{ ...field, label }] })),
      ...keys.map((key) => ({ ...design, fields: [{ ...field, key }] })),
      ...expiries.map((expiry) => ({ ...design, expiry })),
      ...combinations({
        mode: ['simple', 'unique', 'pool', 'none', undefined],
        value: [undefined, null, 'CLUB'],
      }).map((barcode) => ({ ...design, barcode })),
    ]);
  });

  it('who holds a card', async () => {
    const { instanceId } = await makeCard(client, passId);
    // No schema says which texts are telephone numbers, so these are all.
    const phones = ['+49 (30) 123-45.67/8', '004930123456', '', '+49 30 123456'.padEnd(101)];
    const locales = ['en', 'pt-BR', 'zh_Hant-TW', 'e', 'english', 'en-', 'en-a'];
    const emails = ['ada@example.com', ' ada@example.com', 'ada', 'a@b', 'a\u2028@b'];
    await agree(
      'updateInstance',
      `/instances/${instanceId}`,
      [
        ...phones.map((phone) => ({ holder: { phone } })),
        ...[...locales, ...strings].map((locale) => ({ holder: { locale } })),
        ...[...emails, ...strings].map((email) => ({ holder: { email } })),
        ...strings.map((name) => ({ holder: { name } })),
      ],
      'PATCH',
    );
  });
});
