import { cardsOfHolder } from '../cards/holders.sql.ts';
import type { PublicCtx } from '../context.ts';
import { forgetDetails } from '../engine/audit.sql.ts';
import { hideClaims } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId, firstId } from '../kit/ids.ts';
import { type ClearedEntry, clearTexts } from '../ledger/entries.sql.ts';
import type { LedgerItem } from './ledger-item.ts';

/** So many entries at a time: an account may have very many. */
const most = 1_000;

/** The calls whose entries are called by their keys. */
const named: readonly LedgerItem['operation'][] = [
  'earnPoints',
  'redeemReward',
  'adjustPoints',
  'reverseEntry',
  'loadValue',
  'chargeValue',
  'refundValue',
  'transferValue',
];

/**
 * Forgets what was said of the entries of a card, whose holder was known under this identifier, and hides the keys of the
 * calls that made them; their figures stay.
 */
export async function forgetReasons(
  tx: Tx,
  { app }: PublicCtx,
  card: { readonly workspaceId: string; readonly passId: string; readonly instanceId: string },
  identifier: string | null,
): Promise<void> {
  const { workspaceId } = card;
  const { keyHash } = app.database;
  let after: Pick<ClearedEntry, 'accountId' | 'seq'> = { accountId: firstId, seq: 0 };
  for (;;) {
    const cleared = await clearTexts(tx, card, cardsOfHolder(card, identifier), { after, most });
    // Former versions repeated reasons in the audit log, except those of earns.
    const repeated = cleared.filter(({ hadReason, kind }) => hadReason && kind !== 'earn');
    await forgetDetails(
      tx,
      workspaceId,
      repeated.map(({ entryId }) => ({ id: entryId, publicId: encodeId('entry', entryId) })),
    );
    const keys = new Set(cleared.flatMap(({ externalRef }) => externalRef ?? []));
    const claims = [...keys].flatMap((key) => named.map((operation) => ({ operation, key })));
    if (keyHash !== undefined) await hideClaims(tx, workspaceId, claims, keyHash);
    const last = cleared.at(-1);
    if (last === undefined || cleared.length < most) return;
    after = last;
  }
}
