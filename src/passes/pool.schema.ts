import { Type } from 'typebox';
import { closed, nullable } from '../kit/http/schemas/shapes.ts';
import type { PassRow } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';

export const LowAt = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'the pool is low, and a `pool.low` event says so, once no more than so many codes are left',
});

/** What is left of the codes of a pass. */
export const Pool = closed({
  total: Type.Integer(),
  available: Type.Integer(),
  assigned: Type.Integer(),
  lowAt: LowAt,
  lowSince: nullable(Type.String({ format: 'date-time', description: 'since when it is low' })),
});

/** What is left of the codes of a pass, as the API shows it. */
export function presentPool(row: PassRow, { pooled, assigned }: Pick<PassCounts, 'pooled' | 'assigned'>) {
  return {
    total: pooled,
    available: pooled - assigned,
    assigned,
    lowAt: row.poolLowAt,
    lowSince: row.poolLowSince?.toISOString() ?? null,
  };
}
