import { SignJWT } from 'jose';
import type { GoogleCardType } from './card.ts';
import { googleWord } from './resource.ts';
import type { ServiceAccount } from './service-account.ts';

const savePage = 'https://pay.google.com/gp/v/save/';

/** Browsers cut longer links: Google's advice for the length of the token. */
const longestToken = 1_800;

interface SaveLinkOptions {
  readonly serviceAccount: ServiceAccount;
  readonly objectId: string;
  readonly classId: string;
  readonly type: GoogleCardType;
  readonly issuedAt: Date;
}

/**
 * The address that adds a card to Google Wallet. Class and object must have been put there before: the link only names
 * them. It never expires, so it is as secret as the card. Throws an Error when it would be longer than browsers take.
 */
export async function saveLink(options: SaveLinkOptions): Promise<string> {
  const { serviceAccount, objectId, classId, type, issuedAt } = options;
  const payload = { [`${googleWord[type]}Objects`]: [{ id: objectId, classId }] };
  // Origins are for pages that show Google's own button: here is only a link.
  const token = await new SignJWT({ typ: 'savetowallet', origins: [], payload })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(serviceAccount.clientEmail)
    .setAudience('google')
    .setIssuedAt(issuedAt)
    .sign(serviceAccount.privateKey);
  if (token.length > longestToken) {
    throw new Error(
      `The save link's token has ${token.length} characters, ${longestToken} are allowed: use shorter ids.`,
    );
  }
  return `${savePage}${token}`;
}
