import type { Db } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { readable } from '../kit/time.ts';
import { listStops, type WalletScopes, type WalletStop } from '../pushes/wallet-stops.sql.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import { askOperator, type CardFinding } from './card-finding.ts';
import type { DiagnosedRollout } from './diagnosis.sql.ts';
import type { Facts } from './gather-facts.ts';

/** What keeps a change from being sent to any wallet: credits, a rollout that has yet to come by, an alarm. */
export function explainPushes(facts: Facts): CardFinding[] {
  return [...skip(facts), ...facts.rollouts.filter(({ isAhead }) => isAhead).map(ahead), ...stops(facts)];
}

function skip({ push, credits, card }: Facts): CardFinding[] {
  if (push === null || push.skippedAt === null) return [];
  const workspaceId = encodeId('ws', card.workspaceId);
  return [
    {
      level: 'error',
      code: 'credits_missing',
      at: push.skippedAt,
      own: { advice: 'Top up: that delivers what was skipped.' },
      what: `Changes since ${readable(push.skippedAt)} were not sent for lack of credits; ${credits} are left now`,
      advice: `Top up with POST /operator/workspaces/${workspaceId}/credits: that delivers what was skipped.`,
    },
  ];
}

function ahead(rollout: DiagnosedRollout): CardFinding {
  return {
    level: 'warning',
    code: 'change_ahead',
    at: rollout.createdAt,
    own: { advice: 'Nothing is to be done.' },
    what: `${named(rollout)} is on its way and has not reached this card yet: ${progressOf(rollout)}`,
    advice: 'Nothing is to be done. If the figure stands still, no worker runs: see WORKERS.',
  };
}

/** What a rollout brings. */
export function named({ kind }: Pick<DiagnosedRollout, 'kind'>): string {
  return kind === 'design' ? 'A change of a whole pass' : 'A message to all holders of a pass';
}

/** How far a rollout has come. */
export function progressOf({ cards, reached, createdAt }: DiagnosedRollout): string {
  return `${reached} of ${cards} cards since ${readable(createdAt)}`;
}

/** Alarms of the wallets that hold the card. */
function stops({ stops, card }: Facts): CardFinding[] {
  return stops
    .filter(({ wallet }) => card[`${wallet}Wallets`] > 0)
    .map((stop) => ({
      ...explainStop(stop),
      code: 'wallet_refuses',
      wallet: stop.wallet,
      at: stop.since,
      ...(!isOwn(stop.scope) && {
        own: {
          what: `${stop.wallet === 'apple' ? 'Apple' : 'Google'} has refused everything of the service since ${readable(stop.since)}: nothing is lost`,
          advice: askOperator,
        },
      }),
    }));
}

/** The alarms of the installation: wallets that refuse the certificate, topic or account that it has now. */
export async function listAlarms(db: Db, scopes: WalletScopes): Promise<Finding[]> {
  return (await listStops(db, scopes)).map(explainStop);
}

/** A wallet that nothing is sent to: why, since when, and what to mend. */
export function explainStop({ wallet, scope, reason, since, retryAt }: WalletStop): Finding {
  const name = wallet === 'apple' ? 'Apple' : 'Google';
  const what = `${name} has refused everything for ${scope} since ${readable(since)} (${reason}): nothing is lost, the next try is on ${readable(retryAt)}`;
  const remedies = wallet === 'apple' ? appleRemedies : googleRemedies;
  const advice = isOwn(scope)
    ? `Its owner gives another one with PUT /workspace/wallets/${wallet}.`
    : remedies.find(([pattern]) => pattern.test(reason))?.[1];
  return {
    level: 'error',
    what,
    advice: advice ?? 'Look the reason up in the documentation of the platform.',
  };
}

/** Whether it is a workspace's own that is refused. */
function isOwn(scope: string): boolean {
  return scope.startsWith('ws_');
}

type Remedy = readonly [reason: RegExp, advice: string];

/** Reference: Apple, "Handling notification responses from APNs"; TLS alerts as Node names them. */
const appleRemedies: readonly Remedy[] = [
  [
    /Topic/,
    'The certificate is not one for this pass type. Set APPLE_PASS_CERT and APPLE_PASS_KEY to the certificate of the pass type that the cards were issued with, and restart.',
  ],
  [
    /Certificate|CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED/,
    'The certificate has expired, was revoked, or is a development one. Create a new one for the same pass type identifier, set APPLE_PASS_CERT and APPLE_PASS_KEY, and restart.',
  ],
  [
    /Forbidden|Token/,
    'Apple does not let this certificate push. Check in the Apple Developer account that it is valid and that the agreements are signed.',
  ],
];

/** The reasons of src/wallet/google begin with the status, or say that the token endpoint answered it. */
const googleRemedies: readonly Remedy[] = [
  [
    /token endpoint/,
    'Google does not accept the key of the service account: it was deleted or disabled, or the clock of this machine is wrong. Create another key, set GOOGLE_SERVICE_ACCOUNT, and restart.',
  ],
  [
    /^403/,
    "Add the service account as a user of the issuer account in Google's Pay & Wallet Console, enable the Google Wallet API in its project, and check GOOGLE_ISSUER_ID.",
  ],
  [/^401/, 'Create another key of the service account, set GOOGLE_SERVICE_ACCOUNT, and restart.'],
];
