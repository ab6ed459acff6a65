import assert from 'node:assert/strict';
import { encodeId } from '../src/kit/ids.ts';
import type { TestApp } from './harness.ts';

type Sql = TestApp['sql'];

interface LoggedEvent {
  readonly workspaceId: string;
  readonly seq: number;
  readonly eventId: string;
  readonly type: string;
  readonly instanceId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly entryId: string;
  readonly accountId: string;
  readonly seq: number;
  readonly kind: string;
  readonly balance: number;
}

/**
 * Fails when the event log and the database say different things: a change without its event, or with two, a number that
 * is missing, or an event that says something else of what was before than the one before it. For databases whose rows were all
 * made by the program, within 30 days.
 */
export async function assertEventLog(sql: Sql): Promise<void> {
  const events = await allEvents(sql);
  assert.deepEqual(faultsOfNumbers(events), []);
  assert.deepEqual(await faultsOfCards(sql, events), []);
  assert.deepEqual(await faultsOfEntries(sql, events), []);
}

function allEvents(sql: Sql): Promise<LoggedEvent[]> {
  return sql<LoggedEvent>(`
    select workspace_id as "workspaceId", seq::int as seq, event_id as "eventId", type, instance_id as "instanceId", data, previous
    from event_log order by workspace_id, seq`);
}

/** Numbers begin with 1 in each workspace and have no gap; no event is there twice. */
function faultsOfNumbers(events: readonly LoggedEvent[]): string[] {
  const faults: string[] = [];
  const last = new Map<string, number>();
  for (const { workspaceId, seq } of events) {
    const before = last.get(workspaceId) ?? 0;
    if (seq !== before + 1) faults.push(`${workspaceId}: ${seq} follows ${before}`);
    last.set(workspaceId, seq);
  }
  const ids = new Set<string>();
  for (const { eventId } of events) {
    if (ids.has(eventId)) faults.push(`the event ${eventId} is there twice`);
    ids.add(eventId);
  }
  return faults;
}

/** Each card was issued once, is void where its last event says so, and was erased once where it is. */
async function faultsOfCards(sql: Sql, events: readonly LoggedEvent[]): Promise<string[]> {
  const cards = await sql<{ instanceId: string; status: string; erased: boolean }>(`
    select instance_id as "instanceId", status, erased_at is not null as erased from instances`);
  const ofCard = Map.groupBy(events, ({ instanceId }) => instanceId);
  return cards.flatMap(({ instanceId, status, erased }) => {
    const types = (ofCard.get(instanceId) ?? []).map(({ type }) => type);
    const count = (type: string) => types.filter((one) => one === type).length;
    const ends = types.filter((type) => /^instance\.(voided|reactivated|erased)$/.test(type));
    const isVoid = ends.length > 0 && ends.at(-1) !== 'instance.reactivated';
    const name = `the card ${instanceId}`;
    return [
      ...(count('instance.issued') === 1 ? [] : [`${name} was issued ${count('instance.issued')} times`]),
      ...(count('instance.erased') === Number(erased)
        ? []
        : [`${name} was erased ${count('instance.erased')} times`]),
      ...(isVoid === (status === 'voided') ? [] : [`${name} is ${status}, the last event was ${ends}`]),
    ];
  });
}

/** The types of the events of ledger entries. */
const typesOfEntries: Readonly<Record<string, string>> = {
  earn: 'points.awarded',
  adjust: 'points.adjusted',
  correction: 'points.adjusted',
  import: 'points.adjusted',
  reversal: 'points.reversed',
  cancel: 'points.reversed',
  expire: 'points.expired',
  unlock: 'reward.unlocked',
  redeem: 'reward.redeemed',
};

/** Each entry of a card that was not erased has one event, in the order of the account, which says the balance before it. */
async function faultsOfEntries(sql: Sql, events: readonly LoggedEvent[]): Promise<string[]> {
  const entries = await sql<Entry>(`
    select e.entry_id as "entryId", e.account_id as "accountId", e.seq::int as seq, e.kind, e.balance::float8 as balance
    from loyalty_entries e
    join instances i on i.workspace_id = e.workspace_id and i.instance_id = e.instance_id
    where i.erased_at is null
    order by e.account_id, e.seq`);
  const places = new Map(events.map((event, place) => [event, place]));
  const byEntry = Map.groupBy(events, ({ type, data }) => `${type} ${data.entryId}`);
  const faults: string[] = [];
  for (const [, ofAccount] of Map.groupBy(entries, ({ accountId }) => accountId)) {
    let lastPlace = -1;
    let before: Entry | undefined;
    for (const entry of ofAccount) {
      const type = typesOfEntries[entry.kind];
      const name = `${entry.kind} ${entry.entryId}, number ${entry.seq}`;
      const [event, ...others] = byEntry.get(`${type} ${encodeId('entry', entry.entryId)}`) ?? [];
      if (event === undefined || others.length > 0)
        faults.push(`${name}: ${event === undefined ? 0 : others.length + 1} events`);
      if (event !== undefined) {
        const place = places.get(event) as number;
        if (place < lastPlace) faults.push(`${name} has its event before that of the entry it follows`);
        lastPlace = place;
        const isNext = entry.seq === (before?.seq ?? 0) + 1;
        const { balance } = event.previous;
        if (isNext && balance !== undefined && balance !== (before?.balance ?? 0))
          faults.push(`${name}: the balance before was ${before?.balance ?? 0}, the event has ${balance}`);
      }
      before = entry;
    }
  }
  return faults;
}
