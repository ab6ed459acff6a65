import { readSerialNumber } from '../../cards/serial-number.ts';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { isSameSecret } from '../../kit/crypto/tokens.ts';
import type { AppleIssuer } from '../../wallet-credentials/apple-issuers.ts';
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
 * The card that a device names, once it has shown the card's own token. Raises `invalid_pass_token`, and does not
 * distinguish an unknown serial number or another pass type from a wrong token.
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

/** Wallets on Android say WalletPass, WalletUnionPass, WalletUnionHMSPass, AndroidPass and the like instead. */
function tokenOf(authorization = ''): string | null {
  return /^[a-z]{1,32}Pass +([\x21-\x7e]{1,200})$/i.exec(authorization)?.[1] ?? null;
}

/**
 * Where a device is pushed to: the address that APNs gave it, in small letters. Only Apple's own wallet has one; what another
 * wallet calls its push token is kept behind a colon, and the device asks by itself.
 */
export function pushAddressOf(pushToken: string, authorization = ''): string {
  const isOfApns = /^ApplePass /i.test(authorization) && /^[0-9a-f]+$/i.test(pushToken);
  return isOfApns ? pushToken.toLowerCase() : `:${pushToken}`;
}

/** Whether a device with this address is never pushed to, since another wallet than Apple's has the card. */
export function onlyAsks(pushAddress: string): boolean {
  return pushAddress.startsWith(':');
}

function invalidPassToken(headers: Record<string, string> = {}) {
  return refusal(
    'invalid_pass_token',
    'No card of this pass type has this serial number and token. Send "Authorization: ApplePass <authenticationToken>".',
    {},
    headers,
  );
}
