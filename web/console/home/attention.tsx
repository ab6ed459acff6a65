import { formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { hasNoWayIn, session } from '../../shared/session.ts';
import { home } from '../../texts/home.ts';
import type { Surroundings } from './look-around.ts';

/** What needs a person's action, each with the way there. */
export function Attention({ of }: { readonly of: Surroundings }) {
  const t = home();
  const who = session.value;
  const found = [
    who !== null && hasNoWayIn(who) && { text: t.noWayIn, href: '/console/settings/account' },
    of.isLow && {
      text: of.balance > 0 ? t.creditsLow(formatNumber(of.balance)) : t.creditsGone,
      href: '/console/settings/credits',
    },
    of.hasSkipped && { text: t.skipped, href: '/console/settings/credits' },
    ...of.webhooks.map(({ url, status, webhookId }) => ({
      text: status === 'disabled' ? t.webhookOff(url) : t.webhookFailing(url),
      href: `/console/developers/webhooks/${webhookId}`,
    })),
    ...of.pools.map(({ title, passId }) => ({
      text: t.poolLow(title),
      href: `/console/passes/${passId}/pool`,
    })),
  ].filter((one) => one !== false);
  return (
    <section class="panel attention">
      <header>
        <h2>{t.attention}</h2>
      </header>
      <ul>
        {found.length === 0 && (
          <li class="fine">
            <Icon name="check" />
            <span>{t.nothing}</span>
          </li>
        )}
        {found.map(({ text, href }) => (
          <li key={text}>
            <Icon name="alert" />
            <span>{text}</span>
            <a href={href}>{t.look}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
