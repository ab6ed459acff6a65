import { path } from '../../shared/router.ts';
import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';
import { operatorToken } from './operator.ts';

const isShown = () => operatorToken.value !== null || path.value.startsWith('/console/operator');

export const operatorPages: readonly Page[] = [
  {
    path: '/console/operator',
    need: 'none',
    nav: { icon: 'shield', label: () => shell().operator, isShown },
    load: async () => (await import('./tenants-page.tsx')).TenantsPage,
  },
  {
    path: '/console/operator/workspaces/:workspaceId',
    need: 'none',
    load: async () => (await import('./tenant-page.tsx')).TenantPage,
  },
  {
    path: '/console/operator/service',
    need: 'none',
    load: async () => (await import('./service-page.tsx')).ServicePage,
  },
];
