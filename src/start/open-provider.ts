import type { Config } from '../config.ts';
import { createSafeCall } from '../kit/safe-fetch/safe-fetch.ts';
import { createIdentityProvider, type IdentityProvider } from '../sign-in/identity-provider.ts';

/** The provider that people may sign in with; null where the operator has named none. */
export function openProvider({ oidc, publicUrl, fetchAllow }: Config): IdentityProvider | null {
  if (oidc === null) return null;
  const trustedHost = new URL(oidc.issuer).host;
  const call = createSafeCall({ allow: fetchAllow, userAgent: 'Punchcard', trustedHost });
  return createIdentityProvider(oidc, `${publicUrl}/sign-in/oidc/callback`, call);
}
