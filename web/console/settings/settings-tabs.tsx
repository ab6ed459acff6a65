import { Tabs } from '../../shared/page-header.tsx';
import { settings } from '../../texts/settings.ts';

export function SettingsTabs() {
  const t = settings();
  return (
    <Tabs
      label={t.tabs}
      tabs={[
        { href: '/console/settings', label: t.workspace.tab },
        { href: '/console/settings/people', label: t.people.tab },
      ]}
    />
  );
}
