import { encodeId } from '../kit/ids.ts';
import type { GoogleIdentityRow } from './google-identities.sql.ts';

type Key = Pick<GoogleIdentityRow, 'workspaceId' | 'issuerId'>;

/** What a stop of a workspace's own account, and its pace, are known by: another's with the same issuer has its own. */
export function googleScope({ workspaceId, issuerId }: Key): string {
  return `${encodeId('ws', workspaceId)}/${issuerId}`;
}

/** A sealed account that is copied to another workspace or issuer does not open there. */
export function accountSealedAs({ workspaceId, issuerId }: Key): string {
  return `google_identities/${workspaceId}/${issuerId}`;
}
