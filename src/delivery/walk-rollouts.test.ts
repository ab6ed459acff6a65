import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client } from '../../test/client.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { decodeId } from '../kit/ids.ts';
import { Device, deviceRow, type LockedCard, takeNewCards } from './apple/device.fixture.ts';
import { walkRollouts } from './walk-rollouts.job.ts';

const app = await startTestApp({ WORKERS: 'off', ROLLOUT_DEVICES_PER_SECOND: '1' });
const ctx = { app: app.running.app, requestId: 'walk' };
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
});

async function cardsOnDevices(count: number): Promise<[LockedCard[], Device[]]> {
  const cards = await takeNewCards(app, client, count);
  const devices = cards.map(() => new Device(app));
  for (const [at, device] of devices.entries()) await device.register(cards[at] as LockedCard);
  // They have got everything so far.
  await app.sql('update apple_devices set due_at = null');
  return [cards, devices];
}

const passOf = async (card: LockedCard) => (await client.get(`/instances/${card.instanceId}`)).body.passId;
const restyle = (passId: string, label: string) =>
  client.patch(`/passes/${passId}`, {
    fields: [{ key: 'tier', label, value: 'Bronze', section: 'secondary' }],
  });
const state = async (passId: string) => (await client.get(`/passes/${passId}`)).body.rollout.state;
async function walkOn(): Promise<void> {
  while (await walkRollouts(ctx)) {
    // Until there is nothing to do at this moment.
  }
}

describe('a rollout that lets devices go slowly', () => {
  it('keeps none from hearing of a change of its own card', async () => {
    const [cards, devices] = await cardsOnDevices(12);
    const passId = await passOf(cards[0] as LockedCard);
    await restyle(passId, 'Level');
    await walkOn();
    assert.equal(await state(passId), 'running');
    const last = devices.at(-1) as Device;
    await client.patch(`/instances/${cards.at(-1)?.instanceId}/fields`, { fields: { tier: 'Gold' } });
    const dueAt = (await deviceRow(app, last))?.due_at;
    assert.ok(dueAt && dueAt.getTime() <= app.running.app.now().getTime(), String(dueAt));
    for (let second = 0; second < 15; second++) {
      app.advance(1_000);
      await walkOn();
    }
    assert.equal(await state(passId), 'finished');
    const held = 'select count(*)::int as held from apple_devices where rollout_id is not null';
    assert.deepEqual(await app.sql(held), [{ held: 0 }]);
    await assertInvariants(app.sql);
  });
});

describe('a rollout whose step fails', () => {
  it('does not keep those of others from going on', async () => {
    const [[bad]] = await cardsOnDevices(1);
    const [[good]] = await cardsOnDevices(1);
    const [badPass, goodPass] = [await passOf(bad as LockedCard), await passOf(good as LockedCard)];
    await restyle(badPass, 'Level');
    await restyle(goodPass, 'Level');
    // No step of it can be written down.
    await app.sql(
      `create function refuse_step() returns trigger language plpgsql as
        $$ begin if new.done > 0 and new.pass_id = '${decodeId('pass', badPass)}' then raise 'no'; end if; return new; end $$`,
    );
    await app.sql(
      'create trigger refused before update on rollouts for each row execute function refuse_step()',
    );
    let failures = 0;
    for (let turn = 0; turn < 8; turn++) {
      app.advance(10);
      await walkRollouts(ctx).catch(() => {
        failures += 1;
      });
    }
    assert.ok(failures > 0);
    assert.equal(await state(goodPass), 'finished');
    await app.sql('drop trigger refused on rollouts');
    await app.sql('drop function refuse_step');
    await walkOn();
    assert.equal(await state(badPass), 'finished');
    await assertInvariants(app.sql);
  });
});

describe('a message to an audience whose step fails', () => {
  it('is on each card once, and gives back what it had for cards that are gone', async () => {
    const [cards, devices] = await cardsOnDevices(6);
    const [first, second] = cards as [LockedCard, LockedCard];
    const passId = await passOf(first);
    const uuids = (some: readonly LockedCard[]) => some.map(({ instanceId }) => decodeId('inst', instanceId));
    await app.sql(`update instances set fields = '{"tier": "Gold"}' where instance_id = any($1)`, [
      uuids(cards.slice(0, 4)),
    ]);
    const before = (await client.get('/credits')).body;
    const { body } = await client.post(`/passes/${passId}/messages`, {
      text: 'Gold week',
      audience: { fields: { tier: 'Gold' } },
    });
    assert.equal(body.recipients, 4);
    // One leaves the wallet, another comes to match no more, a third comes to match.
    assert.equal((await devices[0]?.unregister(first))?.status, 200);
    await app.sql(`update instances set fields = '{}' where instance_id = $1`, [uuids([second])[0]]);
    await app.sql(`update instances set fields = '{"tier": "Gold"}' where instance_id = $1`, [
      uuids(cards.slice(5))[0],
    ]);
    await app.sql(
      `create function refuse_step() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    );
    await app.sql(
      'create trigger refused before update on rollouts for each row when (new.done > 0) execute function refuse_step()',
    );
    for (let turn = 0; turn < 3; turn++) {
      app.advance(10);
      await walkRollouts(ctx).catch(() => undefined);
    }
    assert.deepEqual(await app.sql('select from instances where message is not null'), []);
    await app.sql('drop trigger refused on rollouts');
    await app.sql('drop function refuse_step');
    for (let second = 0; second < 10; second++) {
      app.advance(1_000);
      await walkOn();
    }
    const messages = await app.sql<{ instance_id: string; message: string }>(
      'select instance_id, message from instances where message is not null order by instance_id',
    );
    assert.deepEqual(
      messages,
      uuids([cards[2], cards[3], cards[5]] as LockedCard[])
        .sort()
        .map((instance_id) => ({ instance_id, message: 'Gold week' })),
    );
    const shown = (await client.get(`/messages/${body.messageId}`)).body;
    assert.deepEqual([shown.state, shown.recipients, shown.skipped, shown.waiting], ['finished', 4, 1, 3]);
    assert.equal((await client.get('/credits')).body.balance, before.balance - 3);
    await assertInvariants(app.sql);
  });
});
