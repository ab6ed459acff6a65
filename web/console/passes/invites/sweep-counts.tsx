import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { formatNumber } from '../../../shared/format.ts';
import { invites } from '../../../texts/invites.ts';

/** How many customers a sweep has found, by outcome; outcomes without customers are left out. */
export function SweepCounts({ sweep: { dryRun, state } }: { readonly sweep: Sweep }) {
  const t = invites().sweep;
  const { invited, ...others } = t.outcomes;
  const rows: (readonly [string, number])[] = [
    [dryRun ? t.toInvite : invited, state.invited],
    ...Object.entries(others).map(([name, label]) => [label, state[name as keyof typeof others]] as const),
    [t.sent, state.sent],
    [t.sendFailed, state.sendFailed],
  ];
  const shown = rows.filter(([, count]) => count > 0);
  if (shown.length === 0) return null;
  return (
    <dl class="counts">
      {shown.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
