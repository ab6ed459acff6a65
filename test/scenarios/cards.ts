import { Device, takeCard } from '../../src/delivery/apple/device.fixture.ts';
import { newUuidV7 } from '../../src/kit/ids.ts';
import { owned, searched } from '../access-refusals.ts';
import type { Json, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import { fieldRefusals, issueImported } from './fields.ts';
import type { Request, Scenarios } from './scenario.ts';
import { missingId, type World } from './world.ts';

/** Cards, their changes, and the messages to those who hold them. */
export function cardScenarios(world: World): Scenarios {
  const { app, client, pass, card, missing, strangers, onPass, onCard, newCard } = world;
  const ada = { holder: { identifier: 'ada' } };
  const issueOn = async (design: object, body: object, status?: string) => {
    const { passId } = await makePass(client, design, status);
    return client.post(`/passes/${passId}/instances`, body);
  };
  const fixed = [{ key: 'tier', label: 'Tier', section: 'back', editable: false }];
  const newMessage = async (rest = '', more = {}): Promise<Request & { path: string }> => {
    const { messageId } = (await client.post(`/passes/${pass.passId}/messages`, { text: 'Hello', ...more }))
      .body;
    return { path: `/messages/${messageId}${rest}`, also: owned };
  };
  const messageTo = (audience: object): Promise<Reply> =>
    client.post(`/passes/${pass.passId}/messages`, { text: 'Hello', audience });
  const changeOf = async (audience: object): Promise<Reply> =>
    client.patch((await newMessage('', { sendAt: '2030-01-01T09:00:00Z' })).path, { audience });
  const withoutCredits = async () => {
    const { client: poor } = await app.newWorkspace('pro', 0);
    return { poor, card: await makeCard(poor, (await makePass(poor)).passId) };
  };
  /** A card of a pass of which "ada" has one. */
  const besideAda = async (other: object): Promise<Json> => {
    const { passId } = await makePass(client);
    await makeCard(client, passId, ada);
    return makeCard(client, passId, other);
  };
  return {
    issueInstance: {
      good: () => ({
        ...onPass('/instances'),
        body: {},
        other: { holder: { identifier: newUuidV7() } },
        status: 201,
      }),
      errors: {
        pass_not_active: () => issueOn({}, {}, 'draft'),
        pass_archived: () => issueOn({}, {}, 'archived'),
        fields_not_editable: () => issueOn({ fields: fixed }, { fields: { tier: 'Gold' } }),
        template_owned_field: () => issueOn({}, { fields: { title: 'Mine' } }),
        unknown_field_key: () => issueOn({}, { fields: { tire: 'Gold' } }),
        partner_not_found: () => issueOn({}, { partnerId: missingId('part') }),
        pool_exhausted: () => issueOn({ barcode: { mode: 'pool' } }, {}),
        async barcode_taken() {
          const { passId } = await makePass(client);
          await makeCard(client, passId, { barcode: 'A-1' });
          return client.post(`/passes/${passId}/instances`, { barcode: 'A-1' });
        },
        fields_update_unsupported: () => issueImported(client),
        no_loyalty_program: () => issueOn({}, { value: { amount: '5', currency: 'EUR' } }),
        async holder_has_active_instance() {
          const { passId } = await makePass(client, { type: 'giftCard' });
          await client.post('/loyalty/programs', { passId, mode: 'MONEY', currency: 'EUR' });
          const holder = { identifier: 'ada' };
          await makeCard(client, passId, { holder });
          const value = { amount: '5', currency: 'EUR' };
          return client.post(`/passes/${passId}/instances`, { holder, value });
        },
      },
    },
    issueBatch: {
      good: () => ({
        ...onPass('/instances/batch'),
        body: { instances: [{}] },
        other: { instances: [{ holder: { identifier: newUuidV7() } }] },
      }),
    },
    importInstances: {
      good: () => ({ ...onPass('/instances/import'), body: { instances: [{ barcode: newUuidV7() }] } }),
    },
    listInstances: {
      good: () => onPass('/instances'),
      errors: {
        partner_not_found: () =>
          client.get(`/passes/${pass.passId}/instances?partnerId=${missing.partnerId}`),
      },
    },
    lookUpInstance: {
      good: () => ({ path: `/instances/lookup?barcode=${card.barcode}`, also: searched }),
      errors: {
        instance_not_found: () => client.get('/instances/lookup?barcode=missing'),
        pass_not_found: () => client.get(`/instances/lookup?barcode=a&passId=${missing.passId}`),
        forbidden: () => client.get(`/instances/lookup?instanceId=${strangers.instanceId}`),
        async ambiguous_barcode() {
          const { passId } = await makePass(client, { barcode: { mode: 'simple', value: 'SHARED' } });
          for (let count = 0; count < 2; count++) await makeCard(client, passId);
          return client.get('/instances/lookup?barcode=SHARED');
        },
      },
    },
    listHolders: { good: () => ({ path: '/holders?identifier=a' }) },
    getInstance: { good: () => onCard() },
    updateInstance: {
      good: () => ({ ...onCard(), body: { metadata: { table: newUuidV7() } } }),
      errors: {
        ...fieldRefusals(client, (one, fields) => client.patch(`/instances/${one.instanceId}`, { fields })),
        async holder_has_active_instance() {
          const other = await besideAda({ holder: { identifier: 'bob' } });
          return client.patch(`/instances/${other.instanceId}`, ada);
        },
      },
    },
    eraseInstance: { good: async () => ({ path: await newCard(), status: 204, also: owned }) },
    updateFields: {
      good: () => ({ ...onCard('/fields'), body: { fields: { tier: newUuidV7() } } }),
      errors: fieldRefusals(client, (one, fields) =>
        client.patch(`/instances/${one.instanceId}/fields`, { fields }),
      ),
    },
    updateFieldsBatch: {
      good: () => ({
        body: { updates: [{ instanceId: card.instanceId, fields: { tier: newUuidV7() } }] },
      }),
    },
    voidInstance: { good: async () => ({ path: `${await newCard()}/void`, also: owned }) },
    voidBatch: {
      good: async () => ({
        body: { voids: [{ instanceId: (await makeCard(client, pass.passId)).instanceId }] },
      }),
    },
    reactivateInstance: {
      async good() {
        const path = await newCard();
        await client.post(`${path}/void`);
        return { path: `${path}/reactivate`, also: owned };
      },
      errors: {
        async holder_has_active_instance() {
          const { passId } = await makePass(client);
          const former = await makeCard(client, passId, ada);
          await client.post(`/instances/${former.instanceId}/void`);
          await makeCard(client, passId, ada);
          return client.post(`/instances/${former.instanceId}/reactivate`);
        },
      },
    },
    getTimeline: { good: () => onCard('/timeline') },
    getDiagnosis: { good: () => onCard('/diagnosis') },
    pushInstance: {
      good: async () => ({ path: `${await newCard()}/push`, also: owned }),
      errors: {
        async instance_voided() {
          const path = await newCard();
          await client.post(`${path}/void`);
          return client.post(`${path}/push`);
        },
        async insufficient_credits() {
          const { poor, card: theirs } = await withoutCredits();
          return poor.post(`/instances/${theirs.instanceId}/push`);
        },
      },
    },
    sendMessage: {
      good: () => ({
        ...onPass('/messages'),
        body: { text: 'Hello' },
        other: { text: 'Good bye' },
        status: 202,
      }),
      errors: {
        async insufficient_credits() {
          const { poor, card: theirs } = await withoutCredits();
          await new Device(app).register(await takeCard(app, theirs));
          return poor.post(`/passes/${theirs.passId}/messages`, { text: 'Hello' });
        },
        unknown_field_key: () => messageTo({ fields: { tire: 'Gold' } }),
        partner_not_found: () => messageTo({ partnerId: missing.partnerId }),
      },
    },
    listMessages: { good: () => onPass('/messages') },
    getMessage: { good: () => newMessage() },
    updateMessage: {
      good: async () => ({
        ...(await newMessage('', { sendAt: '2030-01-01T09:00:00Z' })),
        body: { text: 'Later' },
        other: { text: 'Much later' },
      }),
      errors: {
        message_already_sent: async () => client.patch((await newMessage()).path, { text: 'Later' }),
        unknown_field_key: async () => changeOf({ fields: { tire: 'Gold' } }),
        partner_not_found: async () => changeOf({ partnerId: missing.partnerId }),
      },
    },
    takeBackMessage: { good: () => newMessage('/take-back') },
    watchMessage: { good: () => newMessage('/progress') },
  };
}
