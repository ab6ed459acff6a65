import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const settingsPages: readonly Page[] = [
  {
    path: '/console/settings',
    nav: { icon: 'gear', label: () => shell().settings },
    load: async () => (await import('./workspace-page.tsx')).WorkspacePage,
  },
  {
    path: '/console/settings/people',
    load: async () => (await import('./people-page.tsx')).PeoplePage,
  },
  {
    path: '/console/settings/tills',
    load: async () => (await import('./tills-page.tsx')).TillsPage,
  },
  {
    path: '/console/settings/wallets',
    load: async () => (await import('./wallets-page.tsx')).WalletsPage,
  },
  {
    path: '/console/settings/wallets/apple',
    need: 'own',
    load: async () => (await import('./apple-setup-page.tsx')).AppleSetupPage,
  },
  {
    path: '/console/settings/wallets/google',
    need: 'own',
    load: async () => (await import('./google-setup-page.tsx')).GoogleSetupPage,
  },
  {
    path: '/console/settings/credits',
    load: async () => (await import('./credits-page.tsx')).CreditsPage,
  },
  {
    path: '/console/settings/audit',
    load: async () => (await import('./audit-page.tsx')).AuditPage,
  },
  {
    path: '/console/settings/account',
    need: 'till',
    load: async () => (await import('./account-page.tsx')).AccountPage,
  },
];
