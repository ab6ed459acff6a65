import type { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Box } from '../kit/crypto/at-rest.ts';
import type { Database } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import type { Apns } from '../wallet/apple/apns-push.ts';
import { restoreSigningIdentity, type SigningIdentity } from '../wallet/apple/certificates/certificates.ts';
import type { PassSigner } from '../wallet/apple/signature.ts';
import { type AppleIdentityRow, findAppleIdentity } from './apple-identities.sql.ts';

/** The owner of a certificate of Apple: the installation, or a workspace. */
export interface AppleIssuer {
  readonly identity: SigningIdentity;
  readonly signer: PassSigner;
  /** Pushes to devices with cards of the pass type. A connection that is not used is closed: ask for it each time. */
  apns(): Apns;
  /** What a stop of its pushes is known by. */
  readonly scope: string;
}

/** Whose passes are signed here. */
export interface AppleIssuers {
  readonly installation: AppleIssuer;
  /** Intermediates of Apple that are known here, for certificates that come without. */
  readonly intermediates: readonly X509Certificate[];
  /**
   * The signer of a pass type for a workspace: the installation, or the workspace itself; undefined where it is
   * neither's. Of a workspace as of 0.8 s ago at most.
   */
  find(workspaceId: string, passTypeIdentifier: string): Promise<AppleIssuer | undefined>;
  /** Who signs a new pass of a workspace that has this pass type of its own; null: it has none. */
  ofNew(workspaceId: string, ownPassType: string | null): Promise<AppleIssuer>;
  /** Forgets what is known, after a change of this process. */
  clear(): void;
}

interface Options {
  readonly database: Database;
  readonly box: Box;
  readonly installation: AppleIssuer;
  readonly intermediates: readonly X509Certificate[];
  /** Makes what signs and pushes by an identity. */
  make(identity: SigningIdentity, scope: string): AppleIssuer;
  now(): Date;
}

interface Known {
  readonly row: AppleIdentityRow | undefined;
  readonly issuer: AppleIssuer | undefined;
}

const maxAgeMs = 800;
const mostKnown = 1_000;

/** Those of workspaces are read from the database, and kept as long as nothing has changed there. */
export function createAppleIssuers({
  database,
  box,
  installation,
  intermediates,
  make,
  now,
}: Options): AppleIssuers {
  const known = new LRUCache<string, Known>({
    max: mostKnown,
    ttl: maxAgeMs,
    // What others push out while it is being read is answered all the same.
    ignoreFetchAbort: true,
    async fetchMethod(_key, stale, { context }) {
      const { workspaceId, passTypeIdentifier } = context as Pick<
        AppleIdentityRow,
        'workspaceId' | 'passTypeIdentifier'
      >;
      const row = await findAppleIdentity(database.db, workspaceId, passTypeIdentifier);
      if (row === undefined) return { row, issuer: undefined };
      if (stale?.row?.privateKey === row.privateKey) return { row, issuer: stale.issuer };
      return { row, issuer: make(openIdentity(box, row), appleScope(row)) };
    },
  });

  async function find(workspaceId: string, passTypeIdentifier: string): Promise<AppleIssuer | undefined> {
    if (passTypeIdentifier === installation.identity.passTypeIdentifier) return installation;
    const context = { workspaceId, passTypeIdentifier };
    return (await known.fetch(`${workspaceId} ${passTypeIdentifier}`, { context }))?.issuer;
  }

  return {
    installation,
    intermediates,
    find,
    async ofNew(workspaceId, ownPassType) {
      const own = ownPassType === null ? undefined : await find(workspaceId, ownPassType);
      // Phones refuse what a certificate signs after its end.
      return own !== undefined && own.identity.certificate.validToDate > now() ? own : installation;
    },
    clear: () => known.clear(),
  };
}

/** What a stop of a workspace's own pushes is known by: whatever certificate another one has, it stops its own alone. */
export function appleScope({
  workspaceId,
  passTypeIdentifier,
}: Pick<AppleIdentityRow, 'workspaceId' | 'passTypeIdentifier'>): string {
  return `${encodeId('ws', workspaceId)}/${passTypeIdentifier}`;
}

/** A sealed key that is copied to another workspace or pass type does not open there. */
export function sealedAs({
  workspaceId,
  passTypeIdentifier,
}: Pick<AppleIdentityRow, 'workspaceId' | 'passTypeIdentifier'>): string {
  return `apple_identities/${workspaceId}/${passTypeIdentifier}`;
}

function openIdentity(box: Box, row: AppleIdentityRow): SigningIdentity {
  const { passTypeIdentifier, teamIdentifier, certificate, intermediate } = row;
  const privateKey = box.open(row.privateKey, sealedAs(row));
  return restoreSigningIdentity({
    passTypeIdentifier,
    teamIdentifier,
    certificate,
    privateKey,
    wwdr: intermediate,
  });
}
