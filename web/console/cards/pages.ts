import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const cardPages: readonly Page[] = [
  {
    path: '/console/cards',
    need: 'till',
    nav: { icon: 'people', label: () => shell().cards },
    load: async () => (await import('./cards-page.tsx')).CardsPage,
  },
  {
    path: '/console/cards/import',
    need: 'write',
    load: async () => (await import('./import-page.tsx')).ImportPage,
  },
  {
    path: '/console/cards/entries',
    load: async () => (await import('./entries-page.tsx')).EntriesPage,
  },
  {
    path: '/console/cards/:instanceId',
    need: 'till',
    load: async () => (await import('./card-page.tsx')).CardPage,
  },
];
