import type { Instance } from '../../sdk/typescript/src/types.ts';
import { useLoad } from '../shared/data.ts';
import { scanner } from '../texts/scanner.ts';
import { api } from './api.ts';

/** What a card says, by the fields of its pass. */
export function CardFront({ card: { passId, fields } }: { readonly card: Instance }) {
  const t = scanner().card;
  const pass = useLoad((options) => api.passes.get(passId, options), [passId]);
  // Without a network there is the card's name alone.
  const shown = (pass.value?.fields ?? []).flatMap(({ key, label }) => {
    const value = fields[key];
    return value ? [{ key, label, value }] : [];
  });
  return (
    <>
      <p class="soft">{t.noProgram}</p>
      {shown.length > 0 && (
        <dl class="panel facts">
          {shown.map(({ key, label, value }) => (
            <div key={key}>
              <dt dir="auto">{label || key}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
