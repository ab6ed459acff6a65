import type { Message } from '../../../../sdk/typescript/src/types.ts';
import { formatNumber } from '../../../shared/format.ts';
import { messages } from '../../../texts/messages.ts';

/** How many of its cards a message has reached: a bar, and the same in words. */
export function DeliveryBar({ of: { delivered, failed, skipped, recipients } }: { readonly of: Message }) {
  const t = messages();
  const words = [
    t.results(formatNumber(delivered), formatNumber(recipients)),
    ...(failed > 0 ? [t.failed(formatNumber(failed))] : []),
    ...(skipped > 0 ? [t.skipped(formatNumber(skipped))] : []),
  ];
  const share = (count: number) => ({ width: `${recipients === 0 ? 0 : (100 * count) / recipients}%` });
  return (
    <span class="delivery">
      <span class="delivery-bar" aria-hidden="true">
        <span class="delivery-done" style={share(delivered)} />
        <span class="delivery-failed" style={share(failed)} />
      </span>
      <span class="small">{words.join(', ')}</span>
    </span>
  );
}
