import type { ErrorCode } from '../src/errors.ts';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import type { Client, Json, Reply } from './client.ts';

/** How the operations on partners come to answer what they declare, by operation and code. */
export function partnerErrors(
  client: Client,
): Record<string, Partial<Record<ErrorCode, () => Promise<Reply>>>> {
  const nobodys = `/partners/${encodeId('part', newUuidV7())}`;
  /** Asks for the external id that another partner has. */
  async function takeId(ask: (body: Json) => Promise<Reply>): Promise<Reply> {
    const externalId = newUuidV7();
    await client.post('/partners', { name: 'Airport', externalId });
    return ask({ name: 'Harbour', externalId });
  }
  return {
    createPartner: { external_id_taken: () => takeId((body) => client.post('/partners', body)) },
    updatePartner: {
      external_id_taken: () =>
        takeId(async (body) => {
          const { partnerId } = (await client.post('/partners', { name: 'Harbour' })).body;
          return client.patch(`/partners/${partnerId}`, body);
        }),
    },
    getPartnerStatement: {
      partner_not_found: () => client.get(`${nobodys}/statement?month=2026-11`),
    },
    getPartnerStatementCsv: {
      partner_not_found: () => client.get(`${nobodys}/statement.csv?month=2026-11`),
    },
  };
}
