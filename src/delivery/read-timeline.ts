import type { InstanceRow } from '../cards/instance-row.ts';
import type { Page } from '../engine/page.ts';
import { type InstanceEventRow, listEvents } from '../events/timeline.sql.ts';
import type { Db } from '../kit/db/database.ts';
import { rolloutsSince } from '../pushes/begin-rollout.ts';

type TimelineCard = Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passId' | 'createdAt'>;

/**
 * What happened to a card, newest first, below the event `after`: its own events, and the changes of its pass, which
 * are kept once for all cards.
 */
export async function readTimeline(db: Db, card: TimelineCard, page: Page): Promise<InstanceEventRow[]> {
  const own = await listEvents(db, card, page);
  const ofPass = await rolloutsSince(db, card, {
    since: card.createdAt,
    before: page.after,
    take: page.take,
  });
  const changes = ofPass.map(({ rolloutId, kind, actor, createdAt }) => ({
    eventId: rolloutId,
    kind: kind === 'design' ? ('pass.updated' as const) : ('message.sent' as const),
    detail: actor === null ? {} : { actor },
    createdAt,
  }));
  return [...own, ...changes].sort((a, b) => (a.eventId < b.eventId ? 1 : -1)).slice(0, page.take);
}
