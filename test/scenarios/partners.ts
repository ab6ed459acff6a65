import { newUuidV7 } from '../../src/kit/ids.ts';
import type { Json, Reply } from '../client.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** Partners and their statements. */
export function partnerScenarios({ client }: World): Scenarios {
  const newPartner = async () =>
    `/partners/${(await client.post('/partners', { name: 'Harbour' })).body.partnerId}`;
  const onPartner = async (rest = ''): Promise<Request> => ({
    path: `${await newPartner()}${rest}`,
    also: { 'key of another workspace': 'partner_not_found' },
  });
  /** Asks for the external id that another partner has. */
  const takeId = async (ask: (body: Json) => Promise<Reply>): Promise<Reply> => {
    const externalId = newUuidV7();
    await client.post('/partners', { name: 'Airport', externalId });
    return ask({ name: 'Harbour', externalId });
  };
  return {
    createPartner: {
      good: () => ({ body: { name: 'Harbour' }, other: { name: 'Airport' }, status: 201 }),
      errors: { external_id_taken: () => takeId((body) => client.post('/partners', body)) },
    },
    listPartners: { good: () => ({}) },
    getPartner: { good: () => onPartner() },
    updatePartner: {
      good: async () => ({ ...(await onPartner()), body: { name: 'Old Harbour' } }),
      errors: {
        external_id_taken: () => takeId(async (body) => client.patch(await newPartner(), body)),
      },
    },
    deletePartner: { good: async () => ({ ...(await onPartner()), status: 204 }) },
    getPartnerStatement: { good: () => onPartner('/statement?month=2026-11') },
    getPartnerStatementCsv: { good: () => onPartner('/statement.csv?month=2026-11') },
  };
}
