import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const commercePages: readonly Page[] = [
  {
    path: '/console/orders',
    nav: { icon: 'order', label: () => shell().orders },
    load: async () => (await import('./orders-page.tsx')).OrdersPage,
  },
  {
    path: '/console/orders/:orderId',
    load: async () => (await import('./order-page.tsx')).OrderPage,
  },
  {
    path: '/console/stores',
    nav: { icon: 'store', label: () => shell().stores },
    load: async () => (await import('./stores-page.tsx')).StoresPage,
  },
  {
    path: '/console/stores/connect',
    need: 'write',
    load: async () => (await import('./connect-page.tsx')).ConnectPage,
  },
  {
    path: '/console/stores/:storeId',
    load: async () => (await import('./store-page.tsx')).StorePage,
  },
  {
    path: '/console/partners',
    nav: { icon: 'partner', label: () => shell().partners },
    load: async () => (await import('./partners-page.tsx')).PartnersPage,
  },
  {
    path: '/console/partners/:partnerId',
    load: async () => (await import('./partner-page.tsx')).PartnerPage,
  },
];
