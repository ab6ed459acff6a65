import type { Client, Json, Reply } from './client.ts';
import { makeCard, makePass } from './factories.ts';

/** What values of a card's fields can be refused for, whatever call sends them. */
export function fieldRefusals(client: Client, send: (card: Json, fields: object) => Promise<Reply>) {
  const cardOf = async (design: object = {}) => makeCard(client, (await makePass(client, design)).passId);
  const fixed = [{ key: 'tier', label: 'Tier', section: 'back', editable: false }];
  return {
    async instance_voided() {
      const card = await cardOf();
      await client.post(`/instances/${card.instanceId}/void`);
      return send(card, { tier: 'Gold' });
    },
    fields_not_editable: async () => send(await cardOf({ fields: fixed }), { tier: 'Gold' }),
    template_owned_field: async () => send(await cardOf(), { title: 'Mine' }),
    unknown_field_key: async () => send(await cardOf(), { tire: 'Gold' }),
    async fields_update_unsupported() {
      const { passId } = await makePass(client);
      const cards = { instances: [{ barcode: 'B-1' }] };
      const { body } = await client.post(`/passes/${passId}/instances/import`, cards);
      return send(body.results[0].instance, { tier: 'Gold' });
    },
  };
}
