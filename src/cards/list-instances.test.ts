import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { complete, makeJoinPass, press, sendForm, storedLink } from '../enrolment/join.fixture.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import { award } from '../loyalty/account.fixture.ts';

const app = await startTestApp();
let client: Client;
let pass: Json;
/** Newest first, as they are now. */
let cards: Json[];
/** Between the third and the fourth card. */
let midway: string;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
  const made = [];
  for (let index = 0; index < 7; index++) {
    if (index === 3) {
      await sleep(2);
      midway = new Date().toISOString();
    }
    made.unshift(await makeCard(client, pass.passId, { holder: { identifier: `holder-${index}` } }));
  }
  for (const at of [1, 4]) await client.post(`/instances/${made[at].instanceId}/void`);
  await app.sql('update instances set installed = true where instance_id = any($1)', [
    [made[2], made[4]].map((card) => decodeId('inst', card.instanceId)),
  ]);
  cards = await Promise.all(
    made.map(async (card) => (await client.get(`/instances/${card.instanceId}`)).body),
  );
});

const ids = (list: readonly Json[]) => list.map(({ instanceId }) => instanceId);
const list = (query: string, who = client) => who.get(`/passes/${pass.passId}/instances${query}`);

/** Follows the cursors to the end. */
async function all(query: string): Promise<Json[]> {
  const found: Json[] = [];
  let cursor = '';
  do {
    const { status, body, text } = await list(`?limit=2${query}${cursor}`);
    assert.equal(status, 200, text);
    found.push(...body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return found;
}

describe('GET /passes/{passId}/instances', () => {
  it('lists the newest first, whole', async () => {
    assert.deepEqual((await list('')).body, { data: cards, nextCursor: null });
    assert.deepEqual(await all(''), cards);
  });

  it('filters, alone and together, page by page', async () => {
    const voided = [cards[1], cards[4]];
    const filters: [string, Json[]][] = [
      ['&status=voided', voided],
      ['&status=active', cards.filter((card) => !voided.includes(card))],
      ['&installed=true', [cards[2], cards[4]]],
      ['&installed=false', cards.filter((_, at) => at !== 2 && at !== 4)],
      ['&installed=true&status=voided', [cards[4]]],
      ['&identifier=holder-3', [cards[3]]],
      ['&identifier=holder-5&status=voided', [cards[1]]],
      ['&identifier=holder-5&status=active', []],
      ['&identifier=nobody', []],
      [`&createdAfter=${midway}`, cards.slice(0, 4)],
      [`&createdAfter=${midway}&status=voided`, [cards[1]]],
      ['&createdAfter=2099-01-01T00:00:00Z', []],
      ['&createdAfter=1999-01-01T00:00:00%2B02:00', cards],
    ];
    for (const [query, expected] of filters) {
      assert.deepEqual(ids(await all(query)), ids(expected), query);
    }
  });

  it('shows present and former cards of one identifier', async () => {
    const own = await makePass(client);
    const former = await makeCard(client, own.passId, { holder: { identifier: 'ada' } });
    await client.post(`/instances/${former.instanceId}/void`);
    const present = await makeCard(client, own.passId, { holder: { identifier: 'ada' } });
    const { body } = await client.get(`/passes/${own.passId}/instances?identifier=ada`);
    assert.deepEqual(ids(body.data), ids([present, former]));
  });

  it('says when each card was awarded last and what its holder has agreed to, where it is asked for details', async () => {
    const { passId } = await makeJoinPass(client);
    const program = { passId, mode: 'POINTS', reward: { title: 'Cake', cost: 9 } };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    const email = 'ada@example.test';
    const ada = await makeCard(client, passId, { holder: { email, name: 'Ada' } });
    await makeCard(client, passId, { holder: { name: 'Bob' } });
    await award(client, ada, 2);
    const { createdAt: lastAwardAt } = (await client.get(`/loyalty/entries?instanceId=${ada.instanceId}`))
      .body.data[0];
    // She declines the news, and agrees to them when she enrols again: the newest answer counts.
    for (const news of ['', 'yes']) {
      await sendForm(app.anyone, passId, { ...complete, ...(news && { consent_news: news }), email });
      assert.equal((await press(app.anyone, await storedLink(app, passId))).status, 303);
    }
    const given = (await client.get(`/instances/${ada.instanceId}/consents`)).body.data;
    assert.equal(given.length, 4);
    const listed = async (query: string) =>
      (await client.get(`/passes/${passId}/instances?${query}`)).body.data as Json[];
    const plain = await listed('');
    assert.deepEqual(
      plain.map(({ details }) => details),
      [undefined, undefined],
    );
    const newest = given.slice(0, 2).sort((a: Json, b: Json) => (a.key < b.key ? -1 : 1));
    assert.deepEqual(
      newest.map(({ key, text, agreed }: Json) => [key, text, agreed]),
      [
        ['news', 'Blue Bean may write to me.', true],
        ['terms', 'I accept the terms of Blue Bean.', true],
      ],
    );
    const details = [
      { lastAwardAt: null, consents: [] },
      { lastAwardAt, consents: newest },
    ];
    assert.deepEqual(
      await listed('include=details'),
      plain.map((card, at) => ({ ...card, details: details[at] })),
    );
    assert.deepEqual(await listed('include=details&q=ada'), [{ ...plain[1], details: details[1] }]);
  });

  it('refuses the cursor of another pass, and of the same list filtered otherwise', async () => {
    const { nextCursor } = (await list('?limit=2')).body;
    const other = await makePass(client);
    const wrong = [
      client.get(`/passes/${other.passId}/instances?cursor=${nextCursor}`),
      list(`?status=active&cursor=${nextCursor}`),
      list(`?cursor=${nextCursor.slice(0, -2)}xx`),
    ];
    for (const reply of await Promise.all(wrong)) assertRefused(reply, 'invalid_request', /cursor/);
  });

  for (const query of [
    'status=archived',
    'installed=yes',
    'installed=',
    'identifier=',
    'createdAfter=yesterday',
    'createdAfter=2027-01-31',
    'createdAfter=2027-01-31T00:00:00',
    'limit=0',
    'barcode=A',
    'include=consents',
  ]) {
    it(`refuses ?${query}`, async () => {
      const [name = ''] = query.split('=');
      assertRefused(await list(`?${query}`), 'invalid_request', new RegExp(name));
    });
  }

  it('does not find an unknown pass, and forbids that of another account', async () => {
    assertRefused(await client.get(`/passes/${encodeId('pass', newUuidV7())}/instances`), 'pass_not_found');
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await list('', stranger), 'forbidden');
  });
});

describe('GET /instances/{instanceId}/timeline', () => {
  const timeline = (card: Json, query = '') => client.get(`/instances/${card.instanceId}/timeline${query}`);

  it('shows what happened to a card, newest first, page by page', async () => {
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'timeline' } });
    const path = `/instances/${card.instanceId}`;
    await client.post(`/passes/${pass.passId}/instances`, { externalRef: 'again', holder: card.holder });
    await client.patch(`${path}/fields`, { fields: { tier: 'Gold' } });
    await client.patch(path, { holder: { name: 'Ada' }, metadata: { vip: true } });
    await app.anyone.get(card.links.add);
    await app.anyone.get(card.links.apple);
    await client.post(`${path}/void`);
    await client.post(`${path}/reactivate`);
    await client.delete(path);
    const { data } = (await timeline(card)).body;
    assert.deepEqual(
      data.map(({ kind, changed }: Json) => (changed === undefined ? kind : `${kind}: ${changed}`)),
      [
        'instance.erased',
        'instance.reactivated',
        'instance.voided',
        'instance.fetched',
        'instance.link_opened',
        'instance.updated: holder,metadata',
        'instance.updated: tier',
        'instance.issue_repeated',
        'instance.issued',
      ],
    );
    for (const event of data) assert.match(event.eventId, /^evt_[0-9a-z]{26}$/);
    const first = (await timeline(card, '?limit=5')).body;
    const second = (await timeline(card, `?limit=5&cursor=${first.nextCursor}`)).body;
    assert.deepEqual([...first.data, ...second.data], data);
    assert.equal(second.nextCursor, null);
  });

  it('notes repeated visits once an hour', async () => {
    const card = await makeCard(client, pass.passId);
    const visit = () => app.anyone.get(card.links.add);
    for (let index = 0; index < 5; index++) await visit();
    assert.equal((await timeline(card)).body.data.length, 2);
    // Event ids begin with their time.
    await app.sql(
      "update instance_events set event_id = overlay(event_id::text placing '0190a000' from 1)::uuid where instance_id = $1",
      [decodeId('inst', card.instanceId)],
    );
    await visit();
    await visit();
    assert.equal((await timeline(card)).body.data.length, 3);
  });

  it('does not find an unknown card, and forbids that of another account', async () => {
    assertRefused(await timeline({ instanceId: encodeId('inst', newUuidV7()) }), 'instance_not_found');
    const { client: stranger } = await app.newWorkspace();
    const foreign = await makeCard(stranger, (await makePass(stranger)).passId);
    assertRefused(await timeline(foreign), 'forbidden');
  });
});
