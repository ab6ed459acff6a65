import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Device, takeCard } from '../delivery/apple/device.fixture.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
let card: Json;
const field = (key: string) => ({ key, label: key, value: 'default', section: 'secondary' });
const ada = { identifier: 'ada', name: 'Ada', email: 'ada@example.com', phone: null, locale: 'en' };
before(async () => {
  ({ client } = await app.newWorkspace());
});
beforeEach(async () => {
  pass = await makePass(client, { fields: [field('tier'), field('note')] });
  card = await makeCard(client, pass.passId, { holder: ada, fields: { tier: 'Silver' } });
});

const update = (body: Json, headers = {}, by = client) =>
  by.post(`/passes/${pass.passId}/instances`, { onExisting: 'update', ...body }, { headers });
const shown = async (): Promise<Json> => (await client.get(`/instances/${card.instanceId}`)).body;
const updates = () => eventsOf(client, `instanceId=${card.instanceId}&type=instance.updated`);
const count = async () => (await client.get(`/passes/${pass.passId}`)).body.counts.issued;

describe('issue with onExisting "update"', () => {
  it('gives the card that the holder has what was sent, and leaves the rest alone', async () => {
    const { status, body } = await update({
      holder: { identifier: 'ada', name: 'Ada King', email: null },
      fields: { note: 'Hi' },
      metadata: { ignored: true },
      expiresAt: '2099-01-01T00:00:00Z',
      barcode: 'OTHER',
    });
    const { pushed, pushSkipReason, ...instance } = body;
    assert.deepEqual([status, pushed, pushSkipReason], [200, false, 'not_installed']);
    assert.ok(instance.updatedAt > card.updatedAt);
    assert.deepEqual(instance, {
      ...card,
      holder: { ...ada, name: 'Ada King', email: null },
      fields: { tier: 'Silver', note: 'Hi' },
      updatedAt: instance.updatedAt,
    });
    assert.deepEqual(await shown(), instance);
    assert.equal(await count(), 1);
    const found = await client.get(`/holders?email=${ada.email}`);
    assert.deepEqual(found.body.data, []);
  });

  it('issues the card where the holder has none', async () => {
    for (const holder of [{ identifier: 'grace' }, { name: 'Nobody' }]) {
      const { status, body } = await update({ holder, fields: { tier: 'Gold' } });
      assert.deepEqual([status, body.fields.tier, body.pushed], [201, 'Gold', undefined]);
    }
  });

  it('issues a new one where the former was voided', async () => {
    await client.post(`/instances/${card.instanceId}/void`);
    const { status, body } = await update({ holder: { identifier: 'ada', name: 'Again' } });
    assert.deepEqual([status, body.holder.name], [201, 'Again']);
    assert.equal((await shown()).holder.name, 'Ada');
  });

  it('emits and audits it once, as an update of the card', async () => {
    const body = { holder: { identifier: 'ada', name: 'Ada King' }, fields: { tier: 'Gold' } };
    await update(body);
    const after = await shown();
    await update(body);
    await update({ holder: { identifier: 'ada' } });
    const [event, ...others] = await updates();
    assert.deepEqual(others, []);
    assert.deepEqual(event?.data, after);
    assert.deepEqual(event?.previous, { holder: card.holder, fields: card.fields });
    const lines = await app.sql(
      `select action, detail from audit_log where target = $1 and detail ? 'changed'`,
      [card.instanceId],
    );
    assert.deepEqual(lines, [{ action: 'issueInstance', detail: { changed: ['holder', 'tier'] } }]);
    const timeline = (await client.get(`/instances/${card.instanceId}/timeline`)).body.data;
    assert.deepEqual(
      timeline.map(({ kind }: Json) => kind),
      ['instance.updated', 'instance.issued'],
    );
  });

  it('pushes what the card shows, for a credit, and nothing where nothing has changed', async () => {
    await new Device(app).register(await takeCard(app, card));
    const credits = async () => (await client.get('/credits')).body.balance;
    const before = await credits();
    assert.equal((await update({ holder: ada, fields: { tier: 'Gold' } })).body.pushed, true);
    for (const body of [{ fields: { tier: 'Gold' } }, { holder: { ...ada, name: 'King' } }, {}]) {
      const repeat = await update({ holder: ada, ...body });
      assert.deepEqual([repeat.status, repeat.body.pushSkipReason], [200, 'unchanged']);
    }
    assert.equal(await credits(), before - 1);
  });

  it('answers 202 without credits, and a re-send once there are some delivers it', async () => {
    const poor = await app.newWorkspace('pro', 0);
    const own = await makePass(poor.client);
    const issued = await makeCard(poor.client, own.passId, { holder: ada });
    await new Device(app).register(await takeCard(app, issued));
    const body = { onExisting: 'update', holder: ada, fields: { tier: 'Gold' } };
    const send = (ref: string) =>
      poor.client.post(`/passes/${own.passId}/instances`, { ...body, externalRef: ref });
    const first = await send('u-1');
    assert.deepEqual([first.status, first.body.pushed, first.body.fields.tier], [202, false, 'Gold']);
    assert.equal(first.body.warnings[0].code, 'insufficient_credits');
    const replay = await send('u-1');
    assert.deepEqual([replay.status, replay.text], [202, first.text]);
    assert.equal((await send('u-2')).status, 202);
  });

  it('replays its answer, and refuses another effect under the same key', async () => {
    const body = {
      externalRef: 'crm-1',
      holder: { identifier: 'ada', name: 'Ada King' },
      fields: { tier: 'Gold' },
    };
    const first = await update(body);
    await client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Iron' } });
    const repeat = await update(body, { 'idempotency-key': 'crm-1' });
    assert.deepEqual([repeat.status, repeat.text], [200, first.text]);
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal((await shown()).fields.tier, 'Iron');
    for (const other of [
      { ...body, fields: { tier: 'Steel' } },
      { ...body, holder: { identifier: 'ada' } },
      { ...body, onExisting: undefined },
    ])
      assertRefused(await update(other), 'external_ref_reused');
  });

  it('shows nothing of the person in a replay once the card was erased', async () => {
    const body = { externalRef: 'crm-2', holder: { identifier: 'ada', name: 'Ada King' } };
    await update(body);
    await client.delete(`/instances/${card.instanceId}`);
    const replay = await update(body);
    assert.deepEqual([replay.status, replay.body], [200, await shown()]);
    assert.doesNotMatch(replay.text, /King/);
  });

  it('applies each of many at once, one after the other', async () => {
    const keys = ['tier', 'note'];
    const replies = await inParallel(20, (index) =>
      update({
        holder: { identifier: 'ada', name: `Ada ${index}` },
        fields: { [keys[index % 2] ?? '']: `v${index}` },
      }),
    );
    for (const { status, text } of replies) assert.equal(status, 200, text);
    const events = await updates();
    assert.equal(events.length, 20);
    let before: Json = card;
    for (const { data, previous } of events) {
      for (const [name, value] of Object.entries(previous)) assert.deepEqual(value, before[name]);
      before = data;
    }
    assert.deepEqual(before, await shown());
  });

  it('refuses, and changes nothing', async () => {
    const refusals: [Json, Parameters<typeof assertRefused>[1]][] = [
      [{ fields: { nope: 'x', tier: 'Gold' } }, 'unknown_field_key'],
      [{ fields: { title: 'x' } }, 'template_owned_field'],
      [{ fields: { tier: { useDefault: true } } }, 'invalid_request'],
      [{ onExisting: 'replace' }, 'invalid_request'],
      [{ onExisting: null }, 'invalid_request'],
      [{ holder: { identifier: 'ada', email: 'nobody' } }, 'invalid_request'],
    ];
    for (const [body, code] of refusals)
      assertRefused(await update({ holder: { identifier: 'ada', name: 'King' }, ...body }), code);
    assert.deepEqual(await shown(), card);
    assert.deepEqual(await updates(), []);
  });

  it('is for keys that reach the pass and may write', async () => {
    const elsewhere = await makePass(client);
    const { client: other } = await makeKey(client, { passIds: [elsewhere.passId] });
    const { client: reader } = await makeKey(client, { access: 'read' });
    const stranger = (await app.newWorkspace()).client;
    const body = { holder: { identifier: 'ada', name: 'King' }, externalRef: 'mine' };
    assertRefused(await update(body, {}, other), 'insufficient_scope');
    assertRefused(await update(body, {}, reader), 'insufficient_scope');
    assertRefused(await update(body, {}, stranger), 'forbidden');
    assert.deepEqual(await shown(), card);
    const { client: till } = await makeKey(client, { passIds: [pass.passId] });
    assert.equal((await update(body, {}, till)).body.holder.name, 'King');
  });

  it('leaves the fields of a card alone that no link of ours reaches, and its holder not', async () => {
    const imported = await client.post(`/passes/${pass.passId}/instances/import`, {
      instances: [{ barcode: 'OLD-1', holder: { identifier: 'old' } }],
    });
    assert.equal(imported.body.results[0].status, 201);
    const holder = { identifier: 'old', name: 'Olga' };
    assertRefused(await update({ holder, fields: { tier: 'Gold' } }), 'fields_update_unsupported');
    const { status, body } = await update({ holder });
    assert.deepEqual([status, body.holder.name, body.pushSkipReason], [200, 'Olga', 'unchanged']);
  });
});

it('each item of a batch says for itself the outcome for a card that is there', async () => {
  const { body } = await client.post(`/passes/${pass.passId}/instances/batch`, {
    instances: [
      { holder: { identifier: 'ada', name: 'Not this' } },
      { onExisting: 'update', holder: { identifier: 'ada', name: 'King' } },
      { onExisting: 'update', holder: { identifier: 'ada' }, fields: { tier: 'Gold' } },
      { onExisting: 'update', holder: { identifier: 'ada' }, fields: { nope: 'x' } },
      { onExisting: 'update', holder: { identifier: 'grace' } },
    ],
  });
  assert.deepEqual(
    body.results.map(({ status, error }: Json) => error?.code ?? status),
    [200, 200, 200, 'unknown_field_key', 201],
  );
  const [first, second, third] = body.results.map(({ instance }: Json) => instance);
  assert.deepEqual([first, first.pushed], [card, undefined]);
  assert.deepEqual([second.holder.name, second.pushSkipReason], ['King', 'unchanged']);
  assert.deepEqual([third.holder.name, third.fields.tier], ['King', 'Gold']);
  assert.equal((await updates()).length, 2);
});

it('an import does not know it', async () => {
  const instances = [{ barcode: 'A', holder: { identifier: 'ada' }, onExisting: 'update' }];
  const { body } = await client.post(`/passes/${pass.passId}/instances/import`, { instances });
  assert.equal(body.results[0].error.code, 'invalid_request');
});
