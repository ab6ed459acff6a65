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
    path: '/console/settings/account',
    need: 'till',
    load: async () => (await import('./account-page.tsx')).AccountPage,
  },
];
