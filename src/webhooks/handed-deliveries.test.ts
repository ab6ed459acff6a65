import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { inProcessQueue, maxQueueMs, most } from './handed-deliveries.ts';
import { createPlaces, limits } from './places.ts';
import type { WebhookRow } from './webhook-row.ts';
import type { Handed, HandedDeliveries, Outgoing } from './webhook-sender.ts';

let now: number;
let places: ReturnType<typeof createPlaces>;
let sent: Outgoing[];
let givenBack: string[];
let handed: HandedDeliveries;

beforeEach(() => {
  now = 0;
  sent = [];
  givenBack = [];
  places = createPlaces(() => now);
  handed = open();
});
afterEach(() => handed.close());

function open(isOpen = true): HandedDeliveries {
  return inProcessQueue({
    places,
    send: (outgoing) => sent.push(outgoing),
    giveBack: (some) => {
      givenBack.push(...some.map(({ delivery }) => delivery.deliveryId));
    },
    isOpen,
    clock: () => now,
  });
}

function webhook(webhookId: string, failingSince: Date | null = null): WebhookRow {
  const at = new Date(0);
  return {
    workspaceId: 'w',
    webhookId,
    url: `https://${webhookId}.example/`,
    types: ['*'],
    passIds: null,
    description: null,
    payload: 'full',
    status: 'active',
    secrets: '',
    problem: null,
    failingSince,
    createdAt: at,
    updatedAt: at,
  };
}

/** Has a webhook answer quickly once: it has two places more then. */
function prove(webhookId: string): void {
  places.enter({ workspaceId: 'w', webhookId, host: `${webhookId}.example`, isFailing: false })?.leave(true);
}

function some(count: number, to = webhook('a'), bytes = 1_000): Handed[] {
  const at = new Date(0);
  const { workspaceId, webhookId } = to;
  const common = { workspaceId, eventId: 'e', type: 'points.awarded' as const };
  const event = {
    ...common,
    seq: 1,
    passId: null,
    instanceId: null,
    actor: 'system',
    requestId: 'r',
    createdAt: at,
    data: {},
    previous: {},
    bytes,
  };
  return Array.from({ length: count }, (_, place) => ({
    delivery: {
      ...common,
      webhookId,
      deliveryId: `${webhookId}-${place}`,
      tries: 0,
      isSingle: false,
      dueAt: at,
    },
    claim: { workspaceId, fromSeq: 1, left: count },
    webhook: to,
    keys: [],
    event,
  }));
}

/** Answers all that is under way, each at once, until nothing is. */
function answerAll(): void {
  for (let next = 0; next < sent.length; next++) answer(next);
}

function answer(place: number): void {
  const { place: taken, delivery } = sent[place] as Outgoing;
  taken.leave(true);
  handed.next(delivery.webhookId);
}

const idsOf = (outgoing: readonly Outgoing[]) => outgoing.map(({ delivery }) => delivery.deliveryId);
const ids = (webhookId: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => `${webhookId}-${from + place}`);

describe('deliveries that were handed over', () => {
  it('are sent in their order, as places of their webhook are given back', () => {
    handed.add(some(20));
    assert.deepEqual(idsOf(sent), ids('a', 0, limits.window.first));
    answer(0);
    assert.equal(sent.length, limits.window.first + 3);
    answerAll();
    assert.deepEqual(idsOf(sent), ids('a', 0, 20));
    assert.deepEqual(givenBack, []);
  });

  it('take no more places than there are connections, and leave an eighth to what waits in the table', () => {
    handed.add(some(500));
    for (let next = 0; next < 7; next++) answer(next);
    // Of 16 places.
    assert.equal(sent.length - 7, 14);
    for (let next = 7; next < 200; next++) answer(next);
    assert.equal(sent.length - 200, limits.window.process);
    assert.ok(
      places.enter({ workspaceId: 'w', webhookId: 'a', host: 'a.example', isFailing: false }) !== null,
    );
  });

  it('find places that others than their webhook have given back', async () => {
    const host = 'a.example';
    const others = Array.from({ length: limits.host.all }, (_, at) =>
      places.enter({ workspaceId: 'w', webhookId: `other-${at}`, host, isFailing: false }),
    );
    handed.add(some(1));
    assert.deepEqual(sent, []);
    for (const place of others) place?.leave(true);
    while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(idsOf(sent), ['a-0']);
  });

  it('are given back when they have waited for too long, and none is taken then before the table is empty', () => {
    handed.add(some(10));
    now += maxQueueMs + 1;
    answer(0);
    assert.deepEqual(givenBack, ids('a', limits.window.first, 10));
    assert.deepEqual([handed.roomOf(webhook('a')), [...handed.behind]], [0, ['a']]);
    handed.clearSpilled('a');
    // Those two were slow; the next is quick.
    answer(1);
    places.enter({ workspaceId: 'w', webhookId: 'a', host: 'a.example', isFailing: false })?.leave(true);
    assert.ok(handed.roomOf(webhook('a')) > 0);
  });

  it('are given back at the end', async () => {
    handed.add(some(10));
    await handed.close();
    assert.deepEqual(givenBack, ids('a', limits.window.first, 10));
    handed.add(some(1, webhook('b')));
    assert.deepEqual([givenBack.at(-1), handed.roomOf(webhook('b'))], ['b-0', 0]);
  });
});

describe('the room for more of them', () => {
  it('is a multiple of the places, without what waits', () => {
    prove('a');
    const all = (limits.window.first + 2) * most.perPlace;
    assert.equal(handed.roomOf(webhook('a')), all);
    handed.add(some(10));
    assert.equal(handed.roomOf(webhook('a')), all - 6);
  });

  it('is none at a webhook that fails, is slow or is not known, while others of it wait in the table, and where no worker runs', () => {
    assert.equal(handed.roomOf(webhook('unknown')), 0);
    for (const one of ['a', 'failing', 'slow', 'behind']) prove(one);
    assert.ok(handed.roomOf(webhook('a')) > 0);
    assert.equal(handed.roomOf(webhook('failing', new Date(0))), 0);
    handed.add(some(1, webhook('slow')));
    now += 1_001;
    assert.equal(handed.roomOf(webhook('slow')), 0);
    handed.markSpilled('behind');
    assert.equal(handed.roomOf(webhook('behind')), 0);
    assert.equal(open(false).roomOf(webhook('a')), 0);
  });

  it('is limited in all, by their number and by their bytes', () => {
    for (const one of ['b', 'c', 'e']) prove(one);
    handed.add(some(most.total + 10));
    assert.equal(givenBack.length, 10);
    // Two are under way, and those of the next are at once.
    assert.equal(handed.roomOf(webhook('b')), 2);
    handed.add(some(2, webhook('b')));
    assert.equal(handed.roomOf(webhook('c')), 2);
    const large = open();
    large.add(some(4, webhook('d'), most.bytes));
    assert.equal(large.roomOf(webhook('e')), 0);
    return large.close();
  });
});
