import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const passPages: readonly Page[] = [
  {
    path: '/console/passes',
    nav: { icon: 'pass', label: () => shell().passes },
    load: async () => (await import('./passes-page.tsx')).PassesPage,
  },
  {
    path: '/console/passes/new',
    need: 'write',
    load: async () => (await import('./templates/templates-page.tsx')).TemplatesPage,
  },
  {
    path: '/console/start',
    need: 'write',
    load: async () => (await import('./start/start-page.tsx')).StartPage,
  },
  {
    path: '/console/start/:passId',
    need: 'write',
    load: async () => (await import('./start/ready-page.tsx')).ReadyPage,
  },
  {
    path: '/console/passes/:passId/design',
    load: async () => (await import('./design-page.tsx')).DesignPage,
  },
  {
    path: '/console/passes/:passId/program',
    load: async () => (await import('./program-page.tsx')).ProgramPage,
  },
  {
    path: '/console/passes/:passId/pool',
    load: async () => (await import('./pool/pool-page.tsx')).PoolPage,
  },
  {
    path: '/console/passes/:passId/join',
    load: async () => (await import('./join/join-page.tsx')).JoinPage,
  },
  {
    path: '/console/passes/:passId/messages',
    load: async () => (await import('./messages/messages-page.tsx')).MessagesPage,
  },
  {
    path: '/console/passes/:passId/invites',
    load: async () => (await import('./invites/invites-page.tsx')).InvitesPage,
  },
];
