import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';

const app = await startTestApp({ WORKERS: 'off' });
async function program(body: object) {
  const { client } = await app.newWorkspace('pro', 1000);
  const pass = (await client.post('/passes', { title: 'A', type: 'loyalty' })).body;
  await client.patch(`/passes/${pass.passId}`, { status: 'published' });
  const p = await client.post('/loyalty/programs', { passId: pass.passId, ...body });
  assert.equal(p.status, 201, JSON.stringify(p.body));
  await client.patch(`/loyalty/programs/${p.body.programId}`, { status: 'active' });
  const card = (await client.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'c1' } })).body;
  return { client, passId: pass.passId, card, program: p.body };
}
it('points', async () => {
  const {
    client,
    passId,
    card,
    program: p,
  } = await program({ mode: 'POINTS', reward: { title: 'X', cost: 10 }, expiry: { months: 1 } });
  for (const body of [
    ['/loyalty/points', { passId, identifier: 'c1', points: 7, externalRef: 'a' }],
    ['/loyalty/points', { passId, identifier: 'c1', points: 7, externalRef: 'a' }],
    ['/loyalty/points', { passId, identifier: 'c1', points: 8, externalRef: 'a' }],
    ['/loyalty/redeem', { passId, barcode: card.barcode }],
    ['/loyalty/points', { passId, instanceId: card.instanceId, points: 5 }],
    ['/loyalty/redeem', { passId, barcode: card.barcode, externalRef: 'r' }],
    ['/loyalty/adjust', { passId, barcode: card.barcode, points: -5, reason: 'x' }],
    ['/loyalty/adjust', { passId, barcode: card.barcode, points: 50, reason: 'x' }],
    [
      '/loyalty/points/preview',
      { passId, barcode: card.barcode, total: { amount: '12.50', currency: 'EUR' } },
    ],
  ] as const) {
    const r = await client.post(...body);
    console.log(body[0], r.status, JSON.stringify(r.body));
  }
  const entries = (await client.get(`/loyalty/entries?passId=${passId}`)).body;
  console.log(
    await app.sql('select seq, expires_at from loyalty_entries'),
    await app.sql('select * from loyalty_lots'),
    await app.sql('select * from loyalty_accounts'),
  );
  const earn = entries.data.find((e: any) => e.externalRef === 'a');
  const redeem = entries.data.find((e: any) => e.externalRef === 'r');
  console.log(
    (await client.post(`/loyalty/entries/${earn.entryId}/reverse`, { reason: 'q', externalRef: 'rr' })).body,
  );
  console.log((await client.post(`/loyalty/entries/${earn.entryId}/reverse`, {})).body);
  console.log((await client.post(`/loyalty/entries/${redeem.entryId}/reverse`, {})).body);
  console.log((await client.get(`/loyalty/holders/c1?passId=${passId}`)).body);
  console.log((await client.get(`/loyalty/programs/${p.programId}/summary`)).body);
});
it('stamps', async () => {
  const { client, passId } = await program({ mode: 'STAMPS', reward: { title: 'X' }, threshold: 3 });
  const e = await client.post('/loyalty/points', { passId, identifier: 'c1', points: 7 });
  console.log(e.body);
  console.log((await client.post('/loyalty/redeem', { passId, identifier: 'c1' })).body);
  console.log((await client.post(`/loyalty/entries/${e.body.entryId}/reverse`, {})).body);
  console.log(
    (await client.get(`/loyalty/entries?passId=${passId}`)).body.data.map((x: any) =>
      [x.seq, x.kind, x.points, x.balance].join(' '),
    ),
  );
  const many = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      client.post('/loyalty/points', { passId, identifier: 'c1', points: 1, externalRef: `k${i % 20}` }),
    ),
  );
  console.log(
    many.map((m) => m.status).join(),
    (await client.get(`/loyalty/holders/c1?passId=${passId}`)).body,
  );
});
