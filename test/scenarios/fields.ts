import type { Client, Json, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';

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
    fields_update_unsupported: async () => send(await makeImported(client), { tier: 'Gold' }),
  };
}

/** Issues such a card again, with fields that it is to take over. */
export async function issueImported(client: Client): Promise<Reply> {
  const { passId, holder } = await makeImported(client, { holder: { identifier: 'ada' } });
  const body = { holder, fields: { tier: 'Gold' }, onExisting: 'update' };
  return client.post(`/passes/${passId}/instances`, body);
}

/** A card of a new pass that no link of ours reaches. */
async function makeImported(client: Client, card: object = {}): Promise<Json> {
  const { passId } = await makePass(client);
  const cards = { instances: [{ barcode: 'B-1', ...card }] };
  return (await client.post(`/passes/${passId}/instances/import`, cards)).body.results[0].instance;
}
