import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { coffee, Till } from './till.fixture.ts';

describe('GET /loyalty/entries with filters', async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const start = Date.UTC(2031, 0, 15, 12);
  app.stopClock(start);
  const till = await Till.open(app, { ...coffee, earn: { perCurrencyUnit: 1, currency: 'EUR' } });
  const bob = await till.card('bob');
  const { partnerId } = (await till.client.post('/partners', { name: 'Harbour' })).body;
  const other = (await till.client.post('/partners', { name: 'Airport' })).body.partnerId;
  const minute = (count: number) => app.stopClock(start + count * 60_000);
  for (let turn = 0; turn < 30; turn++) {
    minute(turn);
    const card = turn % 2 === 0 ? { identifier: 'ada' } : { identifier: 'bob' };
    await till.earn(10, { ...card, externalRef: `r-${turn}`, ...(turn % 3 === 0 && { partnerId }) });
    if (turn % 5 === 0) await till.adjust(1, { ...card, ...(turn % 2 === 0 && { countsAsEarned: true }) });
    if (turn % 6 === 0) await till.redeem({ ...card, externalRef: `r-${turn}`, partnerId: other });
  }
  minute(40);
  await till.client.post('/orders/process', {
    passId: till.passId,
    orderId: 'o 1',
    customer: { id: 'bob' },
    total: { amount: '5.00', currency: 'EUR' },
  });

  const base = [
    `passId=${till.passId}`,
    `programId=${till.program.programId}`,
    `instanceId=${till.ada.instanceId}`,
    `passId=${till.passId}&identifier=bob`,
  ];
  /** All entries that match, page by page. */
  async function pages(query: string, limit: number): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body, status, text } = await till.client.get(
        `/loyalty/entries?${query}&limit=${limit}${cursor}`,
      );
      assert.equal(status, 200, text);
      found.push(...body.data);
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  }
  const at = (count: number) => new Date(start + count * 60_000).toISOString();
  const filters: [string, (entry: Json) => boolean][] = [
    ['kind=earn', ({ kind }) => kind === 'earn'],
    ['kind=adjust', ({ kind }) => kind === 'adjust'],
    ['kind=cancel', () => false],
    ['externalRef=r-6', ({ externalRef }) => externalRef === 'r-6'],
    ['externalRef=r-6&kind=redeem', ({ externalRef, kind }) => externalRef === 'r-6' && kind === 'redeem'],
    ['orderId=o%201', ({ orderId }) => orderId === 'o 1'],
    ['orderId=o%201&kind=redeem', () => false],
    [`partnerId=${partnerId}`, (entry) => entry.partnerId === partnerId],
    [`partnerId=${other}&kind=redeem`, (entry) => entry.partnerId === other],
    [`partnerId=${other}&kind=earn`, () => false],
    [`createdAfter=${at(10)}`, ({ createdAt }) => createdAt >= at(10)],
    [`createdBefore=${at(10)}`, ({ createdAt }) => createdAt < at(10)],
    [
      `createdAfter=${at(5)}&createdBefore=${at(25)}&kind=earn&partnerId=${partnerId}`,
      (entry) =>
        entry.createdAt >= at(5) &&
        entry.createdAt < at(25) &&
        entry.kind === 'earn' &&
        entry.partnerId === partnerId,
    ],
    [
      `createdAfter=${at(5)}&createdBefore=${at(25)}&kind=adjust`,
      ({ createdAt, kind }) => createdAt >= at(5) && createdAt < at(25) && kind === 'adjust',
    ],
  ];

  for (const [filter, fits] of filters) {
    it(`answers what fits ${filter.replaceAll(/(part)_\w+/g, '$1_…')}, page by page`, async () => {
      for (const of of base) {
        const all = await pages(of, 100);
        const expected = all.filter(fits);
        assert.deepEqual(await pages(`${of}&${filter}`, 3), expected, of);
      }
    });
  }

  it('has something to leave out, and to show', async () => {
    const all = await pages(base[0] ?? '', 100);
    for (const [filter, fits] of filters.filter(([, one]) => String(one) !== '() => false'))
      assert.ok(all.some(fits) && !all.every(fits), filter);
  });

  it('shows who made each', async () => {
    const { keyId } = (await till.client.get('/me')).body;
    for (const { actor } of await pages(base[0] ?? '', 100)) assert.equal(actor, keyId);
  });

  it('refuses what is no filter, and a cursor of another one', async () => {
    const get = (query: string) => till.client.get(`/loyalty/entries?${base[0]}&${query}`);
    for (const query of ['kind=correction', 'createdAfter=yesterday', 'externalRef=', 'colour=red'])
      assertRefused(await get(query), 'invalid_request');
    assertRefused(
      await till.client.get(`/loyalty/entries?${base[0]}&${base[1]}`),
      'invalid_request',
      /programId/,
    );
    const { nextCursor } = (await get('kind=earn&limit=2')).body;
    assertRefused(await get(`kind=redeem&cursor=${encodeURIComponent(nextCursor)}`), 'invalid_request');
    const stranger = await Till.open(app);
    const strangers = await stranger.client.post('/partners', { name: 'Harbour' });
    assertRefused(await get(`partnerId=${strangers.body.partnerId}`), 'partner_not_found');
    assertRefused(
      await till.client.get(`/loyalty/entries?programId=${stranger.program.programId}`),
      'forbidden',
    );
  });

  it('shows one entry to those who may see it', async () => {
    const [entry] = await pages(`instanceId=${bob.instanceId}`, 1);
    const path = `/loyalty/entries/${entry?.entryId}`;
    assert.deepEqual((await till.client.get(path)).body, entry);
    const [named] = await pages(`instanceId=${bob.instanceId}&include=holder`, 1);
    assert.deepEqual(named, { ...entry, holderName: 'bob' });
    assertRefused(await (await Till.open(app)).client.get(path), 'forbidden');
    const { passId } = await makePass(till.client);
    const { client } = await makeKey(till.client, { passIds: [passId] });
    assertRefused(await client.get(path), 'insufficient_scope');
    for (const id of ['entry_01m8800y0pem0bkxskefp52n42', 'nonsense'])
      assertRefused(await till.client.get(`/loyalty/entries/${id}`), 'entry_not_found');
  });
});
