import { join } from 'node:path';
import type { Config } from './config.ts';
import { loadSigningIdentity, type SigningIdentity } from './wallet/apple/certificates/certificates.ts';
import { loadOrCreateDevelopmentIdentity } from './wallet/apple/certificates/development-ca.ts';

/**
 * What Apple passes are signed with: the configured certificate, or a development one kept in `DATA_DIR`. Raises
 * `CertificateProblem`, whose message says what to do.
 */
export async function loadAppleIdentity(config: Config, now: Date): Promise<SigningIdentity> {
  const { cert, key, passphrase, wwdr } = config.apple;
  if (cert !== null) return loadSigningIdentity({ cert, key, passphrase, wwdr }, now);
  return loadOrCreateDevelopmentIdentity(join(config.dataDir, 'apple-development'), {
    passTypeIdentifier: 'pass.dev.punchcard.local',
    teamIdentifier: 'PUNCHCARD0',
    organizationName: 'Punchcard development',
    now,
  });
}
