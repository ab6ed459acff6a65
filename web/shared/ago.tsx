import { shared } from '../texts/shared.ts';
import { formatMoment } from './format.ts';

/** When something was: for a day as the time since then, which says the moment itself to a pointer. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <time class="soft small" dateTime={at} title={formatMoment(at)}>
      {shared().ago(Date.now() - Date.parse(at)) ?? formatMoment(at)}
    </time>
  );
}
