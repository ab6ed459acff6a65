import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { formatNumber } from '../../../shared/format.ts';
import { invites } from '../../../texts/invites.ts';

/** How far a sweep is, or what it has come to. */
export function sweepSentence({ dryRun, state }: Sweep): string {
  const t = invites().sweep;
  const { running, waiting, found, invited, sent } = state;
  if (running) return dryRun ? t.counting(formatNumber(found)) : t.reading(formatNumber(found));
  if (waiting > 0) return t.mailing(formatNumber(sent), formatNumber(invited));
  return dryRun ? t.counted(invited, formatNumber(invited)) : t.ended(invited, formatNumber(invited));
}
