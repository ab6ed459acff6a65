import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Device, takeCard } from '../../../src/delivery/apple/device.fixture.ts';
import { press, storedLinks } from '../../../src/invitations/invites.fixture.ts';
import type { Json } from '../../client.ts';
import { makeCard, makePass } from '../../factories.ts';
import { assertOnly, granted, outcomes, Races, times } from './races.ts';

const races = await Races.start('holders', { WORKERS: 'off' });
const { client, app } = races;
const { passId } = await makePass(client);

const anyone = () => races.by(app.anyone);
const erase = ({ instanceId }: Json) => races.by().delete(`/instances/${instanceId}`);
const change = ({ instanceId }: Json, tier: string) =>
  races.by().patch(`/instances/${instanceId}/fields`, { fields: { tier } });
const read = async ({ instanceId }: Json): Promise<Json> =>
  (await client.get(`/instances/${instanceId}`)).body;

describe('an invitation', () => {
  const invite = (email: string, headers: Record<string, string> = {}) =>
    races.by().post(`/passes/${passId}/invites`, { email }, { headers });
  const invited = async (name: string) => {
    const { body } = await invite(`${name}@example.com`);
    return { ...(await storedLinks(app, body)), email: `${name}@example.com` };
  };

  it('is written once for an address', () =>
    races.run({
      prepare: async (round) => `one-${round}@example.com`,
      calls: (email) => [
        ...times(6, () => invite(email)),
        ...times(4, () => invite(email.toUpperCase(), { 'idempotency-key': email })),
      ],
      judge(replies) {
        assertOnly(replies, 202);
        assert.equal(new Set(replies.map(({ body }) => body.inviteId)).size, 1);
      },
    }));

  it('becomes one card, however often it is accepted', () =>
    races.run({
      prepare: (round) => invited(`eager-${round}`),
      calls: ({ claim }) => times(10, () => press(anyone(), claim)),
      judge(replies) {
        assert.deepEqual(outcomes(replies), { 303: 10 });
        assert.equal(new Set(replies.map(({ headers }) => headers.get('location'))).size, 1);
      },
    }));

  it('is accepted, written again and unsubscribed from at once', () =>
    races.run({
      prepare: (round) => invited(`unsure-${round}`),
      calls: ({ claim, unsubscribe, email }) => [
        ...times(5, () => press(anyone(), claim)),
        ...times(3, () => press(anyone(), unsubscribe)),
        ...times(4, () => invite(email)),
        ...times(2, () =>
          races.by().post(`/passes/${passId}/instances`, { holder: { identifier: email, email } }),
        ),
      ],
      judge: (replies) => assertOnly(replies, 200, 201, 202, 303, 'invite_not_found'),
    }));

  it('is accepted while its card is erased', () =>
    races.run({
      async prepare(round) {
        const { claim, email } = await invited(`leaving-${round}`);
        assert.equal((await press(app.anyone, claim)).status, 303);
        const { body } = await client.get(
          `/passes/${passId}/instances?identifier=${encodeURIComponent(email)}`,
        );
        return { claim, email, card: body.data[0] };
      },
      calls: ({ claim, email, card }) => [
        ...times(4, () => press(anyone(), claim)),
        ...times(2, () => erase(card)),
        ...times(3, () => invite(email)),
      ],
      judge: (replies) => assertOnly(replies, 200, 202, 204, 303, 'invite_not_found'),
    }));
});

describe('a device', () => {
  /** The same device at either process. */
  const deviceOf = ({ id, pushToken }: Pick<Device, 'id' | 'pushToken'>) =>
    Object.assign(new Device(app, anyone()), { id, pushToken });

  it('comes and goes while its cards change, are voided and erased', () =>
    races.run({
      async prepare() {
        const made = [await makeCard(client, passId), await makeCard(client, passId)];
        const held = await Promise.all(made.map((card) => takeCard(app, card)));
        return { made, held, device: new Device(app) };
      },
      calls: ({ made: [one, other], held: [first, second], device }) => {
        if (first === undefined || second === undefined) return [];
        return [
          ...times(4, () => deviceOf(device).register(first)),
          ...times(4, () => deviceOf(device).register(second)),
          ...times(3, () => deviceOf(device).unregister(first)),
          ...times(2, () => deviceOf(device).unregister(second)),
          ...times(3, (at) => change(one, `t${at}`)),
          ...times(2, () => erase(one)),
          ...times(2, () => races.by().post(`/instances/${other.instanceId}/void`)),
          ...times(2, () => deviceOf({ ...device, pushToken: 'ab'.repeat(32) }).register(second)),
          ...times(2, () => deviceOf(device).list()),
          ...times(2, () => deviceOf(device).fetch(second)),
        ];
      },
      judge: (replies) => assertOnly(replies, 200, 201, 204, 'instance_voided'),
    }));
});

describe('a web card', () => {
  const install = (card: Json, viewer: string, endpoint?: string) =>
    anyone().post(`${card.links.card}/installation`, {
      viewer,
      installed: true,
      ...(endpoint !== undefined && { subscription: { endpoint } }),
    });
  const remove = (card: Json, viewer: string) =>
    anyone().delete(`${card.links.card}/installation?viewer=${viewer}`);
  const endpointOf = (viewer: string) => `https://updates.push.services.mozilla.com/wpush/v2/${viewer}`;

  it('is installed once by a browser, with the subscription that it has', () =>
    races.run({
      prepare: async () => ({ card: await makeCard(client, passId), viewers: [randomUUID(), randomUUID()] }),
      calls: ({ card, viewers: [one = '', other = ''] }) => [
        ...times(6, () => install(card, one)),
        ...times(3, () => install(card, other, endpointOf(other))),
        ...times(3, () => install(card, one, endpointOf(other))),
      ],
      async judge(replies, { card }) {
        assertOnly(replies, 204);
        assert.ok([1, 2].includes((await read(card)).wallets.web));
      },
    }));

  it('is installed and removed while it changes, is erased, and the pass sends a message to its holders', () =>
    races.run({
      prepare: async () => ({ card: await makeCard(client, passId), viewer: randomUUID() }),
      calls: ({ card, viewer }) => [
        ...times(4, () => install(card, viewer, endpointOf(viewer))),
        ...times(3, () => remove(card, viewer)),
        ...times(3, () => install(card, randomUUID())),
        ...times(3, (at) => change(card, `t${at}`)),
        ...times(2, () => erase(card)),
        ...times(2, () => races.by().post(`/passes/${passId}/messages`, { text: 'Hello' })),
        ...times(2, () => races.by().post(`/instances/${card.instanceId}/push`)),
      ],
      judge(replies) {
        assertOnly(replies, 200, 202, 204, 'instance_not_found', 'instance_voided');
        assert.ok(granted(replies).length > 0);
      },
    }));
});

it('and violate no key of the database, and leave books that agree', () => races.assertSound());
