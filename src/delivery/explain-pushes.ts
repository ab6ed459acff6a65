import { encodeId } from '../kit/ids.ts';
import { readable } from '../kit/time.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';
import type { DiagnosedRollout } from './diagnosis.sql.ts';
import { explainStop } from './explain-stop.ts';
import type { Facts } from './gather-facts.ts';

/** What keeps a change from being sent to any wallet: credits, a rollout that has yet to come by, an alarm. */
export function explainPushes(facts: Facts): Finding[] {
  return [...skip(facts), ...facts.rollouts.filter(({ isAhead }) => isAhead).map(ahead), ...stops(facts)];
}

function skip({ push, credits, card }: Facts): Finding[] {
  if (push === null || push.skippedAt === null) return [];
  const workspaceId = encodeId('ws', card.workspaceId);
  return [
    {
      level: 'error',
      what: `Changes since ${readable(push.skippedAt)} were not sent for lack of credits; ${credits} are left now`,
      advice: `Top up with POST /operator/workspaces/${workspaceId}/credits: that delivers what was skipped.`,
    },
  ];
}

function ahead(rollout: DiagnosedRollout): Finding {
  return {
    level: 'warning',
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
function stops({ stops, card }: Facts): Finding[] {
  return stops.filter(({ wallet }) => card[`${wallet}Wallets`] > 0).map(explainStop);
}
