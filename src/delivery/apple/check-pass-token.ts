import { readSerialNumber } from '../../cards/serial-number.ts';
import type { PublicCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { isSameSecret } from '../../kit/crypto/tokens.ts';
import { type CardState, findCardStates } from './registrations.sql.ts';

interface Named {
  readonly passTypeIdentifier: string;
  readonly serialNumber: string;
}

/**
 * The card that a device names, once it has shown the card's own token. Raises `invalid_pass_token`, and does not tell
 * an unknown serial number or another pass type from a wrong token.
 */
export async function checkPassToken(
  ctx: PublicCtx,
  { passTypeIdentifier, serialNumber }: Named,
  authorization: string | undefined,
): Promise<CardState> {
  const token = tokenOf(authorization);
  const named =
    passTypeIdentifier === ctx.app.apple.passTypeIdentifier ? readSerialNumber(serialNumber) : null;
  if (token === null) throw invalidPassToken({ 'www-authenticate': 'ApplePass realm="punchcard"' });
  if (named === null) throw invalidPassToken();
  const card = await ctx.app.groupCommit.read(findCardStates, named.workspaceId, named.instanceId);
  if (card === undefined || !isSameSecret(Buffer.from(token), Buffer.from(card.authenticationToken)))
    throw invalidPassToken();
  return card;
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
