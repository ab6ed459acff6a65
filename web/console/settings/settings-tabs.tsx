import { Tabs } from '../../shared/page-header.tsx';
import { records } from '../../texts/records.ts';
import { settings } from '../../texts/settings.ts';
import { tills } from '../../texts/tills.ts';
import { wallets } from '../../texts/wallets.ts';

export function SettingsTabs() {
  const t = settings();
  return (
    <Tabs
      label={t.tabs}
      tabs={[
        { href: '/console/settings', label: t.workspace.tab },
        { href: '/console/settings/people', label: t.people.tab },
        { href: '/console/settings/tills', label: tills().tab },
        { href: '/console/settings/wallets', label: wallets().tab },
        { href: '/console/settings/credits', label: records().credits.tab },
        { href: '/console/settings/audit', label: records().audit.tab },
      ]}
    />
  );
}
