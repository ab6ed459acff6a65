import { LRUCache } from 'lru-cache';
import type { Box } from '../../kit/crypto/at-rest.ts';
import type { Database } from '../../kit/db/database.ts';
import { parseServiceAccount } from '../../wallet/google/service-account.ts';
import {
  findGoogleIdentity,
  type GoogleIdentityRow,
} from '../../wallet-credentials/google-identities.sql.ts';
import { accountSealedAs, googleScope } from '../../wallet-credentials/google-scope.ts';
import type { GoogleAccount, GoogleIssuer } from './google-issuer.ts';

/** Whose cards are made at Google here: the installation's, and those of workspaces with an account of their own. */
export interface GoogleIssuers {
  /** The account of a workspace with an issuer; null is that of the installation. Undefined where there is none. As of 0.8 s ago at most. */
  find(workspaceId: string, ownIssuerId: string | null): Promise<GoogleIssuer | undefined>;
  /** Forgets what is known, after a change of this process. */
  clear(): void;
}

interface Options {
  readonly database: Database;
  readonly box: Box;
  readonly installation: GoogleIssuer | null;
  /** Makes what asks Google in the name of an account. */
  make(account: GoogleAccount): GoogleIssuer;
}

interface Known {
  readonly row: GoogleIdentityRow | undefined;
  readonly issuer: GoogleIssuer | undefined;
}

const maxAgeMs = 800;
const mostKnown = 1_000;

/** Those of workspaces are read from the database, and kept, with their access tokens, as long as nothing has changed there. */
export function createGoogleIssuers({ database, box, installation, make }: Options): GoogleIssuers {
  const known = new LRUCache<string, Known>({
    max: mostKnown,
    ttl: maxAgeMs,
    ignoreFetchAbort: true,
    async fetchMethod(_key, stale, { context }) {
      const { workspaceId, issuerId } = context as Pick<GoogleIdentityRow, 'workspaceId' | 'issuerId'>;
      const row = await findGoogleIdentity(database.db, workspaceId, issuerId);
      if (row === undefined) return { row, issuer: undefined };
      if (stale?.row?.serviceAccount === row.serviceAccount) return { row, issuer: stale.issuer };
      const serviceAccount = parseServiceAccount(box.open(row.serviceAccount, accountSealedAs(row)));
      const issuer = make({ issuerId, ownIssuerId: issuerId, scope: googleScope(row), serviceAccount });
      return { row, issuer };
    },
  });
  return {
    async find(workspaceId, ownIssuerId) {
      if (ownIssuerId === null) return installation ?? undefined;
      const context = { workspaceId, issuerId: ownIssuerId };
      return (await known.fetch(`${workspaceId} ${ownIssuerId}`, { context }))?.issuer;
    },
    clear: () => known.clear(),
  };
}
