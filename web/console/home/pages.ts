import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const homePages: readonly Page[] = [
  {
    path: '/console',
    need: 'till',
    nav: { icon: 'home', label: () => shell().home },
    load: async () => (await import('./home-page.tsx')).HomePage,
  },
];
