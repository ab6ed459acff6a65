import { shell } from '../../texts/shell.ts';
import type { Page } from '../page.ts';

export const developerPages: readonly Page[] = [
  {
    path: '/console/developers',
    nav: { icon: 'code', label: () => shell().developers },
    load: async () => (await import('./keys-page.tsx')).KeysPage,
  },
  {
    path: '/console/developers/webhooks',
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
  {
    path: '/console/developers/webhooks/:webhookId',
    load: async () => (await import('./webhook-page.tsx')).WebhookPage,
  },
  {
    path: '/console/developers/webhooks/:webhookId/deliveries/:deliveryId',
    load: async () => (await import('./delivery-page.tsx')).DeliveryPage,
  },
  {
    path: '/console/developers/events',
    load: async () => (await import('./events-page.tsx')).EventsPage,
  },
  {
    path: '/console/developers/requests',
    load: async () => (await import('./requests-page.tsx')).RequestsPage,
  },
  {
    path: '/console/developers/requests/:requestId',
    load: async () => (await import('./trace-page.tsx')).TracePage,
  },
];
