import { Tabs } from '../../shared/page-header.tsx';
import { developers } from '../../texts/developers.ts';

/** The pages for developers. */
export function DeveloperTabs() {
  const t = developers();
  const at = '/console/developers';
  return (
    <Tabs
      label={t.tabs}
      tabs={[
        { href: at, label: t.keys.title },
        { href: `${at}/webhooks`, label: t.webhooks },
        { href: `${at}/events`, label: t.events.title },
        { href: `${at}/requests`, label: t.requests.title },
      ]}
    />
  );
}
