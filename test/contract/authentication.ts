import assert from 'node:assert/strict';
import { assertRefused, bodyOf } from './caller.ts';
import { makeCard, makeKey, makePass, makeProgram, missing, postPass } from './makings.ts';
import { revoked } from './provocations.ts';
import { part } from './sentence.ts';
import type { World } from './world.ts';

export const authentication = part(import.meta.url, '5. Authentication', {
  'Requests carry an API key as a Bearer token in the Authorization header': async (world) => {
    const { key, holder } = await makeKey(await world.shop(), {});
    assert.equal(bodyOf(await holder.get('/me'), 200).keyId, key.keyId);
    const elsewhere = [
      await world.anyone.get('/me', { headers: { 'x-api-key': key.secret } }),
      await world.anyone.get('/me', { headers: { cookie: `authorization=${key.secret}` } }),
    ];
    for (const reply of elsewhere) assertRefused(reply, 401, 'missing_authorization');
  },
  'No Bearer token: 401 missing_authorization': async (world) => {
    for (const authorization of [undefined, 'Basic YTpi', 'Bearer', 'Bearer '])
      assertRefused(
        await world.anyone.get('/me', { headers: authorization === undefined ? {} : { authorization } }),
        401,
        'missing_authorization',
      );
    assertRefused(await postPass(world.anyone), 401, 'missing_authorization');
  },
  'Unknown key: 401 invalid_api_key': async (world) => {
    const { key } = await makeKey(await world.shop(), {});
    const almost = key.secret.slice(0, -1) + (key.secret.endsWith('0') ? '1' : '0');
    for (const secret of ['missing', `pk_live_${'0'.repeat(36)}`, almost])
      assertRefused(await world.anyone.as(secret).get('/me'), 401, 'invalid_api_key');
  },
  'Revoked key: 401 invalid_api_key': async (world) => {
    const holder = await revoked(world);
    for (let count = 0; count < 4; count++) assertRefused(await holder.get('/me'), 401, 'invalid_api_key');
  },
  'A resource that belongs to another account: 403 forbidden': async (world) => {
    const { passId, instanceId, programId, keyId } = await belongings(world);
    const stranger = await world.stranger();
    const replies = [
      await stranger.get(`/passes/${passId}`),
      await stranger.patch(`/passes/${passId}`, { title: 'Mine' }),
      await stranger.post(`/passes/${passId}/instances`, {}),
      await stranger.get(`/instances/${instanceId}`),
      await stranger.patch(`/instances/${instanceId}/fields`, { fields: { tier: 'Gold' } }),
      await stranger.get(`/loyalty/programs/${programId}`),
      await stranger.patch(`/loyalty/programs/${programId}`, { status: 'active' }),
      await stranger.post('/loyalty/points', { passId, instanceId, points: 1 }),
      await stranger.delete(`/api-keys/${keyId}`),
    ];
    for (const reply of replies) assertRefused(reply, 403, 'forbidden');
    const by = await world.shop();
    assert.notEqual(bodyOf(await by.get(`/passes/${passId}`), 200).title, 'Mine');
  },
  'A key that is read-only, used for an operation it does not permit: 403 insufficient_scope': async (
    world,
  ) => {
    const { passId, programId } = await belongings(world);
    const { holder } = await makeKey(await world.shop(), { access: 'read' });
    bodyOf(await holder.get(`/passes/${passId}`), 200);
    const replies = [
      await postPass(holder),
      await holder.patch(`/passes/${passId}`, { title: 'Mine' }),
      await holder.post(`/passes/${passId}/instances`, {}),
      await holder.patch(`/loyalty/programs/${programId}`, { status: 'active' }),
      await holder.post('/partners', { name: 'Harbour' }),
    ];
    for (const reply of replies) assertRefused(reply, 403, 'insufficient_scope');
  },
  'A key restricted to other passes, used for an operation it does not permit: 403 insufficient_scope':
    async (world) => {
      const { passId, instanceId, programId } = await belongings(world);
      const by = await world.shop();
      const own = (await makePass(by)).passId;
      const { holder } = await makeKey(by, { passIds: [own] });
      await makeCard(holder, own);
      const replies = [
        await holder.get(`/passes/${passId}`),
        await holder.post(`/passes/${passId}/instances`, {}),
        await holder.get(`/instances/${instanceId}`),
        await holder.patch(`/loyalty/programs/${programId}`, { status: 'active' }),
        await postPass(holder),
      ];
      for (const reply of replies) assertRefused(reply, 403, 'insufficient_scope');
    },
  'Partner lookups are scoped to the workspace': async (world) => {
    const [by, stranger] = [await world.shop(), await world.stranger()];
    const { partnerId } = bodyOf(await by.post('/partners', { name: 'Harbour' }), 201);
    bodyOf(await by.get(`/partners/${partnerId}`), 200);
    const { data } = bodyOf(await stranger.get('/partners'), 200);
    assert.ok(!data.some((partner: { partnerId: string }) => partner.partnerId === partnerId));
  },
  'a partner that is unknown yields 404 partner_not_found': async (world) => {
    const by = await world.shop();
    assertRefused(await by.get(`/partners/${missing('part')}`), 404, 'partner_not_found');
    assertRefused(await by.get('/partners/harbour'), 404, 'partner_not_found');
  },
  'a partner that is deleted yields 404 partner_not_found': async (world) => {
    const by = await world.shop();
    const { partnerId } = bodyOf(await by.post('/partners', { name: 'Harbour' }), 201);
    assert.ok((await by.delete(`/partners/${partnerId}`)).status < 300);
    assertRefused(await by.get(`/partners/${partnerId}`), 404, 'partner_not_found');
  },
  'a partner that belongs to another workspace yields 404 partner_not_found': async (world) => {
    const { partnerId } = bodyOf(await (await world.shop()).post('/partners', { name: 'Harbour' }), 201);
    const stranger = await world.stranger();
    assertRefused(await stranger.get(`/partners/${partnerId}`), 404, 'partner_not_found');
    const { passId } = await makePass(stranger);
    const issued = await stranger.post(`/passes/${passId}/instances`, { partnerId });
    assertRefused(issued, 404, 'partner_not_found');
  },
});

/** One resource of each kind, in the shop. */
function belongings(world: World) {
  return world.once('belongings', async () => {
    const by = await world.shop();
    const { passId } = await makePass(by);
    const { instanceId } = await makeCard(by, passId);
    const { programId } = await makeProgram(by, passId);
    const { keyId } = (await makeKey(by, {})).key;
    return { passId, instanceId, programId, keyId };
  });
}
