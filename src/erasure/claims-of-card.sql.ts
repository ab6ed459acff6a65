import type { Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/**
 * Claims of calls about a card, by its public id, that neither its timeline nor its entries name: of items of batches and
 * files, and of calls with a key as well as the number of an order. At most `limit`; hidden ones are passed over.
 */
export function listClaimsOfCard(tx: Tx, workspaceId: string, publicId: string, most: number) {
  return sql<{ operation: string; key: string }>`
    select operation, key from operation_claims
    where substring(body from '"instanceId":"([^"]+)"') = ${publicId} and workspace_id = ${workspaceId}
      and (strpos(key, E'\\t') > 1 and operation in ('earnPoints', 'adjustPoints', 'importBalances')
        or strpos(key, E'\\t') = 0 and operation in ('processOrder', 'refundOrder', 'cancelOrder', 'pushInstance'))
    limit ${most}
  `.rows(tx);
}
