import { explainStop } from '../diagnosis/explain-pushes.ts';
import type { Db } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { listOwnStops } from '../pushes/wallet-stops.sql.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import { listEnding } from '../wallet-credentials/apple-identities.sql.ts';

const dayMs = 86_400_000;
/** As many as an operator reads. */
const most = 20;

/** What is wrong with certificates and accounts that workspaces have of their own: theirs to mend, and no error here. */
export async function checkIdentities(db: Db, now: Date): Promise<Finding[]> {
  const ending = await listEnding(db, { before: new Date(now.getTime() + 30 * dayMs), days: -1, most });
  const stops = await listOwnStops(db, most);
  return [
    ...ending.map(({ workspaceId, passTypeIdentifier, expiresAt }) => {
      const verb = expiresAt <= now ? 'ended' : 'ends';
      return {
        level: 'warning' as const,
        what: `The certificate of ${encodeId('ws', workspaceId)} for ${passTypeIdentifier} ${verb} on ${expiresAt.toISOString().slice(0, 10)}`,
        advice:
          'Its owner renews it with PUT /workspace/wallets/apple; after its end new passes are signed by the installation, and cards in wallets get no more updates.',
      };
    }),
    ...stops.map((stop) => ({ ...explainStop(stop), level: 'warning' as const })),
  ];
}
