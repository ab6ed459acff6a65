import { lockRankOf } from '../engine/lock-order.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import type { PassKey } from './pass-row.ts';
import { type CountChange, type CountsMove, moveCounts, noCounts } from './passes.sql.ts';

/** By pass. */
const deferred: DeferredWrite<Map<string, CountsMove>> = {
  lockRank: lockRankOf('counts'),
  isFinal: () => true,
  empty: () => new Map(),
  write: (tx, moves) => moveCounts(tx, [...moves.values()]),
};

/** Moves the counts that a pass shows, at the end of the unit of work; its own row or a card's names it. */
export function countCards(tx: Tx, { workspaceId, passId }: PassKey, change: CountChange): void {
  const moves = tx.unit.of(deferred);
  const { by } = moves.get(passId) ?? { by: noCounts };
  const { issued = 0, installed = 0, voided = 0, pooled = 0, assigned = 0 } = change;
  moves.set(passId, {
    workspaceId,
    passId,
    by: {
      issued: by.issued + issued,
      installed: by.installed + installed,
      voided: by.voided + voided,
      pooled: by.pooled + pooled,
      assigned: by.assigned + assigned,
    },
  });
}
