import { changedAt, isServed } from '../cards/last-modified.ts';
import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import { askOperator, type CardFinding } from './card-finding.ts';
import type { DiagnosedDevice } from './diagnosis.sql.ts';
import { explainDue, explainLast } from './explain-due.ts';
import { named, progressOf } from './explain-pushes.ts';
import type { Facts } from './gather-facts.ts';

/** From the push to the lock screen of the Apple devices that hold the card. */
export function explainApple(facts: Facts): CardFinding[] {
  if (facts.devices.length === 0) return [];
  return [
    ...explainPause(facts),
    ...facts.devices.flatMap((device, index) => explainDevice(facts, device, nameOf(facts, index))),
    ...explainLast(facts, 'apple', 'Apple', lastPush(facts.devices)),
    ...arrival(facts),
    ...announcement(facts),
  ];
}

function nameOf({ devices }: Facts, index: number): string {
  return devices.length === 1 ? 'The Apple device' : `Apple device ${index + 1}`;
}

function explainPause({ app, issuers }: Facts): CardFinding[] {
  const paused = [...issuers.values()].find(
    (issuer) => issuer !== undefined && issuer.apns().pausedUntil !== null,
  );
  if (paused === undefined) return [];
  return [
    {
      level: 'warning',
      code: 'push_service_unreached',
      own: {
        what: 'The push service of Apple cannot be reached at the moment: pushes wait',
        advice: askOperator,
      },
      ...unreached(app.config.apnsUrl, paused.identity.development),
    },
  ];
}

/** Which push service does not answer, and what to do about that one. */
export function unreached(apnsUrl: string | null, isDevelopment: boolean): Pick<Finding, 'what' | 'advice'> {
  const saying = (service: string) => `${service} cannot be reached from here at the moment: pushes wait`;
  if (apnsUrl !== null) {
    return {
      what: saying(`The push service at ${apnsUrl}, as APNS_URL has it,`),
      advice: 'Check that it runs there and that connections to it are let out, or unset APNS_URL.',
    };
  }
  if (isDevelopment) {
    return {
      what: saying('The simulated push service, which development certificates push to,'),
      advice: 'It runs as long as `punchcard simulate phone` does. Real phones want certificates of Apple.',
    };
  }
  return {
    what: saying("Apple's push service"),
    advice: 'Let connections out to api.push.apple.com, port 443.',
  };
}

function explainDevice(facts: Facts, device: DiagnosedDevice, name: string): CardFinding[] {
  const { addedAt, registeredAt, passTypeIdentifier } = device;
  const ours = facts.app.apple.passTypeIdentifier;
  const added = { level: 'ok', code: 'device', at: addedAt } as const;
  const what = `${name} added the card on ${readable(addedAt)} and sent its push token last on ${readable(registeredAt)}`;
  if (device.onlyAsks) {
    const how = `${name} has the card in a wallet of another maker, which speaks Apple's protocol: it is never pushed to, and asks by itself`;
    return [
      { ...added, what },
      { level: 'ok', code: 'device_asks', what: how },
    ];
  }
  if (facts.issuers.get(passTypeIdentifier) !== undefined)
    return [{ ...added, what }, ...whatIsDue(facts, device, name)];
  return [
    { ...added, what },
    {
      level: 'error',
      code: 'other_certificate',
      own: {
        what: `${name} has the card under a certificate that the service has no more: it is never pushed to`,
        advice: 'The holder adds the card again through its link.',
      },
      what: `${name} has the card under ${passTypeIdentifier}, and the certificate is for ${ours}: it is never pushed to`,
      advice: `Set APPLE_PASS_CERT and APPLE_PASS_KEY to a certificate for ${passTypeIdentifier} and restart, or have the card added again.`,
    },
  ];
}

function whatIsDue(facts: Facts, device: DiagnosedDevice, name: string): CardFinding[] {
  const { dueAt, rolloutId, isPaced } = device;
  if (rolloutId !== null) return [heldBack(facts, rolloutId, name)];
  if (dueAt === null || dueAt <= facts.now || !isPaced) return explainDue(facts, name, device, 'apple');
  return [
    {
      level: 'warning',
      code: 'push_paced',
      at: dueAt,
      what: `${name} has had many pushes: the next one waits until ${readable(dueAt)}`,
      advice:
        'Nothing is to be done: devices punish more than about a push a minute, and the next one brings the newest state of all cards.',
    },
  ];
}

/** Each device gets one push for all its cards, when the rollout has reached the last of them. */
function heldBack({ rollouts }: Facts, rolloutId: string, name: string): CardFinding {
  const rollout = rollouts.find((each) => each.rolloutId === rolloutId);
  const cause =
    rollout === undefined
      ? 'A change of a whole pass'
      : `${named(rollout)} has reached ${progressOf(rollout)}`;
  return {
    level: 'warning',
    code: 'change_held_back',
    own: { advice: 'Nothing is to be done.' },
    what: `${name} is pushed to when all cards have been reached. ${cause}`,
    advice: 'Nothing is to be done. If the figure stands still, no worker runs: see WORKERS.',
  };
}

/** Whether any device has come for the newest state. Which one it was is not kept. */
function arrival(facts: Facts): CardFinding[] {
  const { card, devices, push } = facts;
  const newest = changedAt(card);
  // Of what was fetched before states were distinguished, only the second is known.
  const wasServed =
    card.servedChangeAt === null && card.servedModifiedAt !== null && card.servedModifiedAt >= newest;
  if (isServed(card) || wasServed) {
    const byWhom = devices.length > 1 ? ', by one of the devices at least' : '';
    const what = `The newest state, of ${readable(newest)}, was fetched${byWhom}`;
    return [{ level: 'ok', code: 'newest_fetched', at: newest, what }];
  }
  const isWaiting = devices.some(({ dueAt }) => dueAt !== null) || (push !== null && push.skippedAt !== null);
  if (isWaiting) return [];
  const pushedAt = lastPush(devices);
  if (pushedAt === null) {
    return [
      {
        level: 'warning',
        code: 'newest_not_pushed',
        at: newest,
        what: `The newest state, of ${readable(newest)}, was not fetched, and no push is on its way`,
        advice: 'Send it with POST /instances/{instanceId}/push.',
      },
    ];
  }
  return [
    {
      level: 'warning',
      code: 'newest_not_fetched',
      at: pushedAt,
      own: { advice: phoneAdvice },
      what: `Apple took the push on ${readable(pushedAt)}, and the device has not fetched the newest state, of ${readable(newest)}`,
      advice:
        'The phone is off or without a network, in Low Power Mode, has automatic updates or notifications off for this card, or does not reach PUBLIC_URL. After many pushes iOS waits 120, 600 or 3600 seconds before it asks. Pulling down on the back of the card fetches at once.',
    },
  ];
}

const phoneAdvice =
  'The phone is off or without a network, in Low Power Mode, or has automatic updates or notifications off for this card. After many pushes iOS waits up to an hour before it asks. Pulling down on the back of the card fetches at once.';

/** When Apple took a push to any of the devices last. */
function lastPush(devices: readonly DiagnosedDevice[]): Date | null {
  const times = devices.flatMap(({ pushedAt }) => (pushedAt === null ? [] : [pushedAt.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

/** iOS announces a change only of a field that has a change message. */
function announcement({ fields }: Facts): CardFinding[] {
  const spoken = fields.filter(({ changeMessage }) => changeMessage !== null);
  if (spoken.length === 0) {
    return [
      {
        level: 'warning',
        code: 'changes_silent',
        what: 'No field has a change message: the card changes silently, but for messages to all holders',
        advice:
          'Give the fields that matter one with PATCH /passes/{passId}, such as "You have %@ points": the lock screen shows it.',
      },
    ];
  }
  const withoutValue = spoken.filter(({ changeMessage }) => changeMessage?.includes('%@') === false);
  return [
    {
      level: 'ok',
      code: 'changes_announced',
      what: `The lock screen announces changes of ${keysOf(spoken)}, and messages to all holders; all others are silent`,
    },
    ...(withoutValue.length === 0
      ? []
      : [
          {
            level: 'warning' as const,
            code: 'value_not_announced' as const,
            what: `The change message of ${keysOf(withoutValue)} lacks %@: the lock screen does not show the value`,
            advice: 'Put %@ where the new value belongs, with PATCH /passes/{passId}.',
          },
        ]),
  ];
}

function keysOf(fields: readonly { key: string }[]): string {
  return fields.map(({ key }) => key).join(', ');
}
