import type { Wallets } from '../../../sdk/typescript/src/types.ts';
import { formatDate } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { wallets } from '../../texts/wallets.ts';

const monthMs = 30 * 86_400_000;

/** The certificate that signs, and whether it has ended or soon will. */
export function AppleFacts({ of }: { readonly of: Wallets['apple'] }) {
  const t = wallets();
  const left = Date.parse(of.expiresAt) - Date.now();
  const on = formatDate(of.expiresAt);
  return (
    <div class="stack">
      {left < monthMs && (
        <Notice kind={left <= 0 ? 'alert' : 'note'} title={left <= 0 ? t.expired(on) : t.expiresSoon(on)}>
          <p>{left <= 0 && of.own ? t.expiredText : of.own ? t.expiresSoonText : t.expiresSoonShared}</p>
        </Notice>
      )}
      <dl class="facts">
        <div>
          <dt>{t.passType}</dt>
          <dd>
            <code>{of.passTypeIdentifier}</code>
          </dd>
        </div>
        <div>
          <dt>{t.team}</dt>
          <dd>
            <code>{of.teamIdentifier}</code>
          </dd>
        </div>
        <div>
          <dt>{t.expires}</dt>
          <dd>{on}</dd>
        </div>
        {of.earlier.length > 0 && (
          <div>
            <dt>{t.earlier}</dt>
            <dd>
              {of.earlier.map(({ passTypeIdentifier, expiresAt }) => (
                <p key={`${passTypeIdentifier} ${expiresAt}`}>
                  {t.earlierOne(passTypeIdentifier, formatDate(expiresAt))}
                </p>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
