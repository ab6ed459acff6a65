import { readable } from '../kit/time.ts';
import { type WalletName, walletNames } from '../pushes/pushes.sql.ts';
import type { CardFinding } from './card-finding.ts';
import { type Facts, lastOf } from './gather-facts.ts';

const nameOf: Readonly<Record<WalletName, string>> = {
  apple: 'Apple Wallet',
  google: 'Google Wallet',
  web: 'The web card',
};

/** Which wallets hold the card, which gave it up and why, and what devices have reported of it. */
export function explainHolding(facts: Facts): CardFinding[] {
  return [heldBy(facts), ...walletNames.flatMap((wallet) => removalFrom(facts, wallet)), ...reports(facts)];
}

function heldBy(facts: Facts): CardFinding {
  const { appleWallets, googleWallets, webWallets } = facts.card;
  if (appleWallets + googleWallets + webWallets === 0) return heldByNone(facts);
  const counts = [
    `${appleWallets} ${appleWallets === 1 ? 'Apple device' : 'Apple devices'}`,
    `${googleWallets} Google ${googleWallets === 1 ? 'account' : 'accounts'}`,
    `${webWallets} web ${webWallets === 1 ? 'card' : 'cards'}`,
  ];
  return { level: 'ok', code: 'held', what: `Held by ${counts.join(', ')}` };
}

/** A device that never registers, and one that unregisters, is only known by what it did before. */
function heldByNone(facts: Facts): CardFinding {
  const level = 'error';
  const none = 'No wallet holds the card';
  const removed = lastOf(facts, 'instance.removed');
  const fetched = lastOf(facts, 'instance.fetched');
  if (removed !== undefined && !(fetched !== undefined && fetched.createdAt > removed.createdAt)) {
    return {
      level,
      code: 'removed',
      at: removed.createdAt,
      what: `${none} now`,
      advice:
        'The holder adds it again through its link, or turns automatic updates on again on the back of the card.',
    };
  }
  if (fetched !== undefined) {
    return {
      level,
      code: 'not_registered',
      at: fetched.createdAt,
      own: {
        advice:
          'The holder did not press "Add", or has turned automatic updates off. Some wallets for Android never register.',
      },
      what: `${none}: its file was fetched on ${readable(fetched.createdAt)}, and no device has registered since`,
      advice:
        'The holder did not press "Add", has turned automatic updates off, or the phone does not reach PUBLIC_URL. Some wallets for Android never register.',
    };
  }
  const opened = lastOf(facts, 'instance.link_opened');
  if (opened !== undefined) {
    return {
      level,
      code: 'not_added',
      at: opened.createdAt,
      what: `${none}: its link was opened on ${readable(opened.createdAt)}, and it was never added`,
      advice: 'The holder opens the link on the phone and presses the button of the wallet.',
    };
  }
  return {
    level,
    code: 'never_opened',
    what: `${none}: its link was never opened`,
    advice: 'Send the holder the link, `links.add` of the card.',
  };
}

/** A wallet that still holds the card may have given up another copy: that is worth a line, and no alarm. */
function removalFrom(facts: Facts, wallet: WalletName): CardFinding[] {
  const removed = lastOf(facts, 'instance.removed', wallet);
  if (removed === undefined) return [];
  const { detail, createdAt } = removed;
  const isHeld = facts.card[`${wallet}Wallets`] > 0;
  const why = detail.reason ?? null;
  const what = `${nameOf[wallet]} gave the card up last on ${readable(createdAt)}: ${whoDid(wallet, why)}`;
  const finding = { code: 'given_up', wallet, at: createdAt, what } as const;
  if (isHeld) return [{ level: 'ok', ...finding }];
  return [
    { level: 'warning', ...finding, ...(wallet === 'apple' && why !== null && { advice: tokenAdvice }) },
  ];
}

function whoDid(wallet: WalletName, reason: string | null): string {
  if (reason !== null)
    return wallet === 'apple' ? `Apple says that its push token is gone (${reason})` : reason;
  if (wallet === 'apple') return 'its holder removed it or switched automatic updates off';
  return wallet === 'google' ? 'its holder removed it' : 'it was closed or has not been opened for long';
}

const tokenAdvice =
  'The phone was erased, replaced, or has not used Wallet for long. A phone that still has the card registers again by itself, mostly within a day; else the holder adds it again.';

function reports({ events }: Facts): CardFinding[] {
  return events
    .filter(({ kind }) => kind === 'instance.reported')
    .map(({ detail, createdAt }) => ({
      level: 'warning',
      code: 'device_reported',
      at: createdAt,
      // Anyone who knows a serial number can write this: nothing in it may steer a terminal.
      what: `A device reported on ${readable(createdAt)}: ${(detail.message ?? '').replaceAll(/\p{C}+/gu, ' ')}`,
    }));
}
