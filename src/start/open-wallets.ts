import type { Config } from '../config.ts';
import type { App } from '../context.ts';
import { acquirePace } from '../delivery/google/acquire-pace.ts';
import {
  type GoogleAccount,
  type GoogleIssuer,
  loadGoogleAccount,
} from '../delivery/google/google-issuer.ts';
import { createGoogleIssuers } from '../delivery/google/google-issuers.ts';
import { createBox } from '../kit/crypto/at-rest.ts';
import type { Closers } from '../kit/processes/closers.ts';
import { createSharedWork } from '../kit/promises.ts';
import { createApns } from '../wallet/apple/apns.client.ts';
import { createApnsPool } from '../wallet/apple/apns-pool.client.ts';
import type { SigningIdentity } from '../wallet/apple/certificates/certificates.ts';
import { createSigner } from '../wallet/apple/signature.ts';
import { createGoogleWallet } from '../wallet/google/google.client.ts';
import { createVapid } from '../wallet/web/vapid.ts';
import { createWebPush } from '../wallet/web/web-push.client.ts';
import { createAppleIssuers } from '../wallet-credentials/apple-issuers.ts';
import { loadAppleIdentity, loadIntermediates } from './secrets.ts';

type Common = Pick<App, 'database' | 'log' | 'now'>;

/** What passes are signed with, and the clients by which wallets are notified. */
export async function openWallets(
  config: Config,
  { encryptionKey, ...common }: Common & { readonly encryptionKey: Buffer },
  closers: Closers,
): Promise<Pick<App, 'apple' | 'apns' | 'appleIssuers' | 'google' | 'googleIssuers' | 'webPush'>> {
  const { log, now } = common;
  const apple = await loadAppleIdentity(config, now());
  const connect = (identity: SigningIdentity) =>
    createApns({
      url: config.apnsUrl ?? (identity.development ? simulatedApns : 'https://api.push.apple.com'),
      identity,
      topic: identity.passTypeIdentifier,
      ...(identity.development && apple.root !== null && { ca: apple.root.toString() }),
      log,
    });
  const apns = connect(apple);
  closers.push(() => apns.close());
  const apnsPool = createApnsPool({ connect });
  closers.push(() => apnsPool.close());
  const box = createBox(encryptionKey);
  const appleIssuers = createAppleIssuers({
    ...common,
    box,
    installation: {
      identity: apple,
      signer: createSigner(apple),
      apns: () => apns,
      scope: apple.passTypeIdentifier,
    },
    intermediates: loadIntermediates(config, apple),
    make: (identity, scope) => ({
      identity,
      signer: createSigner(identity),
      apns: () => apnsPool.of(identity),
      scope,
    }),
  });
  const vapid = createVapid({ encryptionKey, contact: config.publicUrl, now });
  const webPush = createWebPush({ vapid, hosts: config.webPushHosts, now });
  const make = (account: GoogleAccount) => openGoogle(config, common, account);
  const account = loadGoogleAccount(config);
  const google = account === null ? null : make(account);
  const googleIssuers = createGoogleIssuers({ ...common, box, installation: google, make });
  return { apple, apns, appleIssuers, google, googleIssuers, webPush };
}

/** Where `punchcard simulate phone` listens for pushes. */
const simulatedApns = 'https://localhost:2197';

function openGoogle(config: Config, { database, log, now }: Common, account: GoogleAccount): GoogleIssuer {
  const wallet = createGoogleWallet({
    baseUrl: config.google.walletUrl,
    callbackKeysUrl: config.google.callbackKeysUrl,
    serviceAccount: account.serviceAccount,
    log,
    beforeRequest: () => acquirePace(database, account.scope),
    now,
  });
  return { ...account, wallet, classWork: createSharedWork(), saveWork: createSharedWork() };
}
