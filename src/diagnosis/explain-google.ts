import {
  countedNotifications,
  mostNotifications,
  notificationEnd,
} from '../delivery/google/notification-quota.ts';
import { readable } from '../kit/time.ts';
import { askOperator, type CardFinding } from './card-finding.ts';
import type { DiagnosedObject } from './diagnosis.sql.ts';
import { explainDue, explainLast } from './explain-due.ts';
import type { Facts } from './gather-facts.ts';

/** From the object at Google to the phone that shows it. */
export function explainGoogle(facts: Facts): CardFinding[] {
  const { object, app } = facts;
  const isSetUp = facts.googleIssuer !== undefined;
  if (object === null) return isSetUp ? [notAskedFor] : [];
  if (!isSetUp) return [notSetUp];
  return [
    ...stateOf(object, app.config.publicUrl),
    ...explainDue(facts, 'Google Wallet', object, 'google'),
    ...explainLast(facts, 'google', 'Google'),
    ...announcement(facts, object),
  ];
}

const notAskedFor: CardFinding = {
  level: 'ok',
  code: 'google_not_asked',
  what: 'The card is not in Google Wallet yet: it is made there when the holder presses the button',
};

const notSetUp: CardFinding = {
  level: 'error',
  code: 'google_not_set_up',
  own: { advice: askOperator },
  what: 'The card was made at Google, and this installation no longer has an account there',
  advice: 'Set GOOGLE_SERVICE_ACCOUNT and GOOGLE_ISSUER_ID again and restart.',
};

function stateOf({ content, saved }: DiagnosedObject, publicUrl: string): CardFinding[] {
  if (saved) return [];
  if (content === null) {
    return [
      {
        level: 'error',
        code: 'google_not_made',
        own: { advice: 'The holder presses the button again.' },
        what: 'The holder has asked for the card in Google Wallet, and it could not be made there',
        advice: 'The log of the service says what Google answered. Then the holder presses the button again.',
      },
    ];
  }
  return [
    {
      level: 'warning',
      code: 'google_not_kept',
      own: {
        advice: 'The holder did not press "Save", or removed it. It can be added again through its link.',
      },
      what: 'The card was made at Google, and no holder keeps it: it gets no updates',
      advice: `The holder did not press "Save", or removed it; or Google's call-back does not reach ${publicUrl}/google/callback, which must be open to it over https.`,
    },
  ];
}

function announcement({ now, card }: Facts, { notifiedAt, saved }: DiagnosedObject): CardFinding[] {
  if (!saved) return [];
  if (card.passType === 'generic')
    return [
      {
        level: 'ok',
        code: 'google_silent',
        what: 'Google Wallet changes generic cards silently; only messages are announced',
      },
    ];
  const recent = countedNotifications(notifiedAt, now);
  const last = recent[0];
  const oldest = recent[mostNotifications - 1];
  if (last === undefined || oldest === undefined) return [];
  return [
    {
      level: 'warning',
      code: 'google_limit',
      at: notificationEnd(oldest),
      what: `Google allows ${mostNotifications} notifications for a card in 24 hours, and they are used up: it has changed silently since ${readable(last)}`,
      advice: `Nothing is to be done: the next change after ${readable(notificationEnd(oldest))} is announced.`,
    },
  ];
}
