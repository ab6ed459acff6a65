import { startGoogleApp } from '../../src/delivery/google/google.fixture.ts';
import { errors } from '../../src/errors.ts';
import type { Json } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

const viewer = '0e4f7a52-94b1-4f0e-9d3c-6f2f1f1f9a10';

/** What the link of a card opens, and what wallets ask. */
export function linkScenarios({ app, card }: World): Scenarios {
  const onLink = (rest = ''): Request => ({ path: `/p/${card.links.add.split('/').at(-1)}${rest}` });
  /** Devices show the token of a card, which none of the callers has. */
  const onDevice = (path: string, body?: Json): Request => ({
    path: `/apple/v1/${path}`,
    body,
    status: errors.invalid_pass_token[0],
  });
  const passType = app.running.app.apple.passTypeIdentifier;
  const registrations = `devices/d1/registrations/${passType}`;
  return {
    openLink: { good: () => onLink() },
    downloadApplePass: { good: () => onLink('/apple.pkpass') },
    saveToGoogle: {
      good: () => ({ ...onLink('/google'), status: errors.wallet_not_configured[0] }),
      errors: {
        wallet_not_configured: () => app.anyone.get(card.links.google),
        async wallet_unavailable() {
          const { app: atGoogle, google } = await startGoogleApp();
          const { passId } = await makePass(atGoogle.client);
          const { links } = await makeCard(atGoogle.client, passId);
          google.fail({ outcome: { status: 503 } });
          return atGoogle.anyone.get(links.google);
        },
      },
    },
    getLinkQr: { good: () => onLink('/qr.svg') },
    openWebCard: { good: () => onLink('/card') },
    getWebCard: { good: () => onLink('/card/state') },
    watchWebCard: { good: () => onLink(`/card/events?viewer=${viewer}`) },
    installWebCard: {
      good: () => ({ ...onLink('/card/installation'), body: { viewer, installed: true }, status: 204 }),
    },
    removeWebCard: { good: () => ({ ...onLink(`/card/installation?viewer=${viewer}`), status: 204 }) },
    getWebCardManifest: { good: () => onLink('/card.webmanifest') },
    getWebCardIcon: { good: () => onLink('/icons/192.png') },
    getWebCardScript: { good: () => onLink('/scripts/live-card.js') },
    getCardPicture: { good: () => onLink('/picture.png') },
    getWebCardWorker: { good: () => onLink('/sw.js') },

    registerDevice: { good: () => onDevice(`${registrations}/s1`, { pushToken: 'ab'.repeat(32) }) },
    unregisterDevice: { good: () => onDevice(`${registrations}/s1`) },
    listChangedSerials: { good: () => ({ ...onDevice(registrations), status: 204 }) },
    getLatestPass: { good: () => onDevice(`passes/${passType}/s1`) },
    logDeviceErrors: { good: () => ({ body: { logs: [] } }) },

    googleCallback: {
      good: () => ({ body: {}, status: errors.wallet_not_configured[0] }),
      errors: {
        wallet_not_configured: () => app.anyone.post('/google/callback', {}),
        // The first call-back: keys that are known stay in use.
        async wallet_unavailable() {
          const { app: atGoogle, google } = await startGoogleApp();
          google.fail({ on: 'keys', outcome: { status: 503 } });
          return atGoogle.anyone.post('/google/callback', {});
        },
        invalid_signature: async () => (await startGoogleApp()).app.anyone.post('/google/callback', {}),
      },
    },
  };
}
