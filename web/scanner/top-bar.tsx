import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { navigate, path } from '../shared/router.ts';
import { membership, session } from '../shared/session.ts';
import { scanner } from '../texts/scanner.ts';
import { lock, till } from './who.ts';

/** Who is at the till, always; and the way out. */
export function TopBar() {
  const t = scanner();
  const name = session.value?.person.name ?? '';
  const place = till.value?.name ?? membership.value?.name ?? '';
  return (
    <header class="till-bar">
      <a class="till-home" href="/scan" aria-current={path.value === '/scan' ? 'page' : undefined}>
        <Icon name="scan" size={24} />
        <span class="unseen">{t.home}</span>
      </a>
      <p class="till-who">
        <span class="unseen">{t.atTheTill} </span>
        <strong dir="auto">{name}</strong>
        <span class="soft small" dir="auto">
          {place}
        </span>
      </p>
      <a
        class="button plain square"
        href="/scan/settings"
        aria-label={t.settings.title}
        title={t.settings.title}
      >
        <Icon name="gear" />
      </a>
      <Button
        kind="quiet"
        icon="lock"
        onClick={() => {
          navigate('/scan', { replace: true });
          void lock();
        }}
      >
        <span class="word">{till.value === null ? t.signOut : t.lock}</span>
      </Button>
    </header>
  );
}
