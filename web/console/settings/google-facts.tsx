import type { Wallets } from '../../../sdk/typescript/src/types.ts';
import { wallets } from '../../texts/wallets.ts';

/** The account that makes cards at Google. */
export function GoogleFacts({ of }: { readonly of: NonNullable<Wallets['google']> }) {
  const t = wallets();
  return (
    <dl class="facts">
      <div>
        <dt>{t.issuer}</dt>
        <dd>
          <code>{of.issuerId}</code>
        </dd>
      </div>
      {of.serviceAccount !== null && (
        <div>
          <dt>{t.account}</dt>
          <dd>
            <code>{of.serviceAccount}</code>
          </dd>
        </div>
      )}
      {of.earlier.length > 0 && (
        <div>
          <dt>{t.earlierIssuers}</dt>
          <dd>
            <code>{of.earlier.map(({ issuerId }) => issuerId).join(', ')}</code>
          </dd>
        </div>
      )}
    </dl>
  );
}
