import { presentEvent } from '../events/event.schema.ts';
import type { EventRow } from '../events/event-log.sql.ts';
import type { Db } from '../kit/db/database.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { findEntryOf } from '../ledger/entries.sql.ts';
import { presentEntry } from '../ledger/entry.schema.ts';
import { presentDelivery } from '../webhooks/webhook.schema.ts';
import { presentLine } from './audit.schema.ts';
import { type AuditLine, listLines } from './audit-lines.sql.ts';
import { presentRequest } from './request.schema.ts';
import { findRequests } from './request-log.sql.ts';
import { deliveriesOfEvents, eventsOfRequest, pushesOfCards } from './trace.sql.ts';

/** The most of each kind: a batch leaves a thousand of them, which the lists page through. */
const most = 100;

/**
 * All that a request has left in a workspace: what was answered, who changed what, entries of the ledger, events, and what
 * became of these at webhooks and wallets. Entries are found by the events and lines that name them. Null where it has left nothing.
 */
export async function traceRequest(
  db: Db,
  workspaceId: string,
  requestId: string,
  reader: { readonly access: 'full' | 'read' },
) {
  const [requests, lines, events] = await Promise.all([
    findRequests(db, workspaceId, requestId, most),
    listLines(db, { workspaceId, requestId, since: null, before: null, take: most }),
    eventsOfRequest(db, workspaceId, requestId, most),
  ]);
  if (requests.length + lines.length + events.length === 0) return null;
  const cards = new Set([...events, ...requests].flatMap(({ instanceId }) => instanceId ?? []));
  const [entries, deliveries, waiting] = await Promise.all([
    Promise.all(entriesIn(lines, events).map((entryId) => findEntryOf(db, workspaceId, entryId))),
    deliveriesOfEvents(
      db,
      workspaceId,
      events.map(({ eventId }) => eventId),
      most,
    ),
    pushesOfCards(db, workspaceId, [...cards].slice(0, most)),
  ]);
  return {
    requestId,
    requests: requests.map(presentRequest),
    audit: lines.map(presentLine),
    entries: entries.flatMap((entry) => (entry === undefined ? [] : [presentEntry(entry)])),
    events: events.map(presentEvent),
    deliveries: deliveries.map((row) => presentDelivery(row, reader)),
    pushes: [
      ...events.flatMap(settledPush),
      ...waiting.map(({ instanceId, skippedAt, createdAt }) => ({
        instanceId: encodeId('inst', instanceId),
        status: skippedAt === null ? ('waiting' as const) : ('skipped' as const),
        at: (skippedAt ?? createdAt).toISOString(),
      })),
    ],
  };
}

/** The outcome of a push that the request has caused. */
function settledPush({ type, instanceId, createdAt }: EventRow) {
  if (instanceId === null || (type !== 'push.delivered' && type !== 'push.failed')) return [];
  const status = type === 'push.delivered' ? ('delivered' as const) : ('failed' as const);
  return [{ instanceId: encodeId('inst', instanceId), status, at: createdAt.toISOString() }];
}

/** The entries that lines and events name. */
function entriesIn(lines: readonly AuditLine[], events: readonly EventRow[]): string[] {
  const named = [
    ...lines.flatMap(({ target, detail }) => [target, detail.entryId]),
    ...events.map(({ data }) => (data as Record<string, unknown>).entryId),
  ];
  const ids = named.flatMap((name) =>
    typeof name === 'string' && name.startsWith('entry_') ? (decodeId('entry', name) ?? []) : [],
  );
  return [...new Set(ids)].slice(0, most);
}
