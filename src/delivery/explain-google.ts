import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import type { DiagnosedObject } from './diagnosis.sql.ts';
import { explainDue, explainLast } from './explain-due.ts';
import type { Facts } from './gather-facts.ts';
import { countedNotifications, mostNotifications, notificationEnd } from './google/notification-quota.ts';

/** From the object at Google to the phone that shows it. */
export function explainGoogle(facts: Facts): Finding[] {
  const { object, app } = facts;
  const isSetUp = facts.googleIssuer !== undefined;
  if (object === null) return isSetUp ? [notAskedFor] : [];
  if (!isSetUp) return [notSetUp];
  return [
    ...stateOf(object, app.config.publicUrl),
    ...explainDue(facts, 'Google Wallet', object),
    ...explainLast(facts, 'google', 'Google'),
    ...announcement(facts, object),
  ];
}

const notAskedFor: Finding = {
  level: 'ok',
  what: 'Nobody has asked for the card in Google Wallet: it is made there when the holder presses the button',
};

const notSetUp: Finding = {
  level: 'error',
  what: 'The card was made at Google, and this installation has no account there any more',
  advice: 'Set GOOGLE_SERVICE_ACCOUNT and GOOGLE_ISSUER_ID again and restart.',
};

function stateOf({ content, saved }: DiagnosedObject, publicUrl: string): Finding[] {
  if (saved) return [];
  if (content === null) {
    return [
      {
        level: 'error',
        what: 'The holder has asked for the card in Google Wallet, and it could not be made there',
        advice: 'The log of the service says what Google answered. Then the holder presses the button again.',
      },
    ];
  }
  return [
    {
      level: 'warning',
      what: 'The card was made at Google, and no holder keeps it: it gets no updates',
      advice: `The holder did not press "Save", or removed it; or Google's call-back does not reach ${publicUrl}/google/callback, which must be open to it over https.`,
    },
  ];
}

function announcement({ now, card }: Facts, { notifiedAt, saved }: DiagnosedObject): Finding[] {
  if (!saved) return [];
  if (card.passType === 'generic')
    return [
      { level: 'ok', what: 'Google Wallet changes generic cards silently; only messages are announced' },
    ];
  const recent = countedNotifications(notifiedAt, now);
  const last = recent[0];
  const oldest = recent[mostNotifications - 1];
  if (last === undefined || oldest === undefined) return [];
  return [
    {
      level: 'warning',
      what: `Google allows ${mostNotifications} notifications for a card in 24 hours, and they are used up: it has changed silently since ${readable(last)}`,
      advice: `Nothing is to be done: the next change after ${readable(notificationEnd(oldest))} is announced.`,
    },
  ];
}
