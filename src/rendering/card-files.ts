import type { AppleIssuer } from '../wallet-credentials/apple-issuers.ts';
import type { CardRow } from './card.sql.ts';

/** Signed pass files of cards; the same bytes for the same state of a card and the same certificate. */
export interface PassFiles {
  /** The consecutive chunks of the file. Many files share them: do not write to them. */
  build(card: CardRow, issuer: AppleIssuer): Promise<readonly Uint8Array[]>;
}
