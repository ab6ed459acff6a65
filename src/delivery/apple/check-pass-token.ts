import { readSerialNumber } from '../../cards/serial-number.ts';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { AppleIssuer } from '../../identities/apple-issuers.ts';
import { isSameSecret } from '../../kit/crypto/tokens.ts';
import { type CardState, findCardStates } from './registrations.sql.ts';

interface Named {
  readonly passTypeIdentifier: string;
  readonly serialNumber: string;
}

/** A card that a device may have, and by whose certificate it holds it. */
export interface CheckedCard {
  readonly card: CardState;
  readonly issuer: AppleIssuer;
}

/**
 * The card that a device names, once it has shown the card's own token. Raises `invalid_pass_token`, and does not tell
 * an unknown serial number or another pass type from a wrong token.
 */
export async function checkPassToken(
  ctx: PublicCtx,
  { passTypeIdentifier, serialNumber }: Named,
  authorization: string | undefined,
): Promise<CheckedCard> {
  const token = tokenOf(authorization);
  const named = readSerialNumber(serialNumber);
  if (token === null) throw invalidPassToken({ 'www-authenticate': 'ApplePass realm="punchcard"' });
  if (named === null) throw invalidPassToken();
  const card = await ctx.app.groupCommit.read(findCardStates, named.workspaceId, named.instanceId);
  if (card === undefined || !isSameSecret(Buffer.from(token), Buffer.from(card.authenticationToken)))
    throw invalidPassToken();
  const issuer = await ctx.app.appleIssuers.find(card.workspaceId, passTypeIdentifier);
  if (issuer === undefined) throw invalidPassToken();
  return { card, issuer };
}

/** Some wallets on Android say WalletPass instead. */
function tokenOf(authorization = ''): string | null {
  return /^(?:ApplePass|WalletPass) +([\x21-\x7e]{1,200})$/i.exec(authorization)?.[1] ?? null;
}

function invalidPassToken(headers: Record<string, string> = {}) {
  return refusal(
    'invalid_pass_token',
    'No card of this pass type has this serial number and token. Send "Authorization: ApplePass <authenticationToken>".',
    {},
    headers,
  );
}
