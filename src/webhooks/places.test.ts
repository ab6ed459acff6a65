import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createPlaces, limits, type Place, type Places } from './places.ts';

let now: number;
let places: Places;
beforeEach(() => {
  now = 0;
  places = createPlaces(() => now);
});

function enter(
  webhookId: string,
  host = webhookId,
  isFailing = false,
  workspaceId = webhookId,
): Place | null {
  return places.enter({ workspaceId, webhookId, host, isFailing });
}

/** As many as it gets. */
function fill(webhookId: string, host = webhookId, isFailing = false): Place[] {
  const taken: Place[] = [];
  for (let next = enter(webhookId, host, isFailing); next !== null; next = enter(webhookId, host, isFailing))
    taken.push(next);
  return taken;
}

/** Answers so many messages, each within `ms`. */
function succeed(webhookId: string, times: number, ms = 1, host = webhookId): void {
  for (let time = 0; time < times; time++) {
    const place = enter(webhookId, host);
    now += ms;
    place?.leave(true);
  }
}

describe('places', () => {
  it('grow with each quick success, up to a limit, and shrink to one with a failure', () => {
    assert.equal(fill('a').length, limits.window.first);
    succeed('b', 3);
    const taken = fill('b');
    assert.equal(taken.length, limits.window.first + 6);
    for (const place of taken) place.leave(true);
    succeed('b', limits.window.most);
    assert.equal(fill('b').length, limits.window.most);
    const [place] = fill('c');
    place?.leave(false);
    assert.deepEqual(fill('c'), []);
  });

  it('are one of a webhook that is known to fail, and few of a slow one', () => {
    assert.equal(fill('a', 'a', true).length, limits.window.failing);
    succeed('b', 100, 1);
    succeed('b', 1, 2_000);
    assert.equal(fill('b').length, limits.window.slow);
  });

  it('of a receiver that falls silent are no more after a second', () => {
    succeed('a', 100);
    const taken = Array.from({ length: limits.window.slow }, () => enter('a'));
    assert.ok(taken.every((place) => place !== null));
    now += 1_001;
    assert.equal(enter('a'), null);
  });

  it('of slow receivers leave room for all others', () => {
    for (let at = 0; at < 2_000; at++) enter(`dead-${at}`, `dead-${at}`, true);
    assert.equal(limits.all.all - places.left, limits.all.slow);
    assert.ok(enter('alive') !== null);
  });

  it('are limited at a host, and in all', () => {
    for (let at = 0; at < 300; at++) enter(`a-${at}`, 'one.example', false, 'a');
    assert.equal(limits.all.all - places.left, limits.host.all);
    for (let at = 0; at < limits.all.all; at++) enter(`b-${at}`, `${at}.example`);
    assert.equal(places.left, 0);
  });

  it('of one workspace leave room for all others, at a host that they share too', () => {
    for (let at = 0; at < 1_000; at++) enter(`dead-${at}`, 'one.example', true, 'a');
    assert.equal(limits.all.all - places.left, limits.host.slow);
    for (let at = 0; at < 1_000; at++) enter(`gone-${at}`, `${at}.example`, true, 'a');
    assert.equal(limits.all.all - places.left, limits.workspace.slow);
    assert.ok(enter('failing', 'one.example', true, 'b') !== null);
    for (let at = 0; at < 1_000; at++) enter(`many-${at}`, `many-${at}.example`, false, 'a');
    assert.ok(limits.all.all - places.left <= limits.workspace.all + 1);
    assert.equal(fill('quick', 'one.example', false).length, limits.window.first);
  });

  it('are given back once, those of a host too', () => {
    const fillHost = () =>
      Array.from({ length: 300 }, (_, at) => enter(`a-${at}`, 'one.example', false, 'a'));
    const taken = fillHost();
    for (const place of taken) {
      place?.leave();
      place?.leave();
    }
    assert.equal(places.left, limits.all.all);
    assert.equal(fillHost().filter((place) => place !== null).length, limits.host.all);
  });

  it('say how many are free where that is not the usual number', () => {
    succeed('a', 2);
    enter('a');
    fill('b');
    enter('c')?.leave();
    assert.deepEqual(places.free(), [
      { webhookId: 'a', free: limits.window.first + 3 },
      { webhookId: 'b', free: 0 },
    ]);
  });
});
