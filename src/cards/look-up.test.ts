import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
beforeEach(async () => {
  ({ client } = await app.newWorkspace());
});

const lookUp = (query: Record<string, string>, who = client) =>
  who.get(`/instances/lookup?${new URLSearchParams(query)}`);

async function assertFinds(query: Record<string, string>, card: Json): Promise<void> {
  const reply = await lookUp(query);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.body.instanceId, card.instanceId);
  assert.deepEqual(reply.body, (await client.get(`/instances/${card.instanceId}`)).body);
}

/** A pass whose cards all carry one code, and some of its cards. */
async function sharedPass(value: string, ...identifiers: string[]) {
  const pass = await makePass(client, { barcode: { mode: 'simple', value } });
  const cards = [];
  for (const identifier of identifiers)
    cards.push(await makeCard(client, pass.passId, { holder: { identifier } }));
  return { pass, cards, passId: String(pass.passId) };
}

describe('GET /instances/lookup', () => {
  it('finds a card by its own code, in every barcode mode that has one', async () => {
    const unique = await makePass(client);
    const pool = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(pool.passId, ['POOL-1']);
    for (const card of [
      await makeCard(client, unique.passId),
      await makeCard(client, unique.passId, { barcode: 'Zoë & ☕ = 1+1 %20' }),
      await makeCard(client, pool.passId),
    ]) {
      await assertFinds({ barcode: card.barcode }, card);
    }
  });

  it('finds a card by its id, alone or with what it must match', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { holder: { identifier: 'ada' } });
    const { instanceId, barcode } = card;
    await assertFinds({ instanceId }, card);
    await assertFinds({ instanceId, barcode, passId, identifier: 'ada' }, card);
    for (const [name, value] of [
      ['barcode', 'other'],
      ['identifier', 'grace'],
    ] as const) {
      const reply = await lookUp({ instanceId, [name]: value });
      assertRefused(reply, 'instance_not_found', /all of these parameters/);
    }
    const other = await makePass(client);
    assertRefused(await lookUp({ instanceId, passId: other.passId }), 'instance_not_found');
  });

  it('finds voided cards, and says that they are', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId);
    await client.post(`/instances/${card.instanceId}/void`);
    await assertFinds({ barcode: card.barcode }, card);
    assert.equal((await lookUp({ barcode: card.barcode })).body.status, 'voided');
  });

  it('finds nothing for an unknown code, id or pass', async () => {
    const { passId } = await makePass(client);
    assertRefused(await lookUp({ barcode: 'unknown' }), 'instance_not_found');
    assertRefused(await lookUp({ barcode: 'x', passId }), 'instance_not_found');
    assertRefused(await lookUp({ instanceId: encodeId('inst', newUuidV7()) }), 'instance_not_found');
    assertRefused(await lookUp({ instanceId: 'inst_1' }), 'instance_not_found');
    assertRefused(await lookUp({ barcode: 'x', passId: encodeId('pass', newUuidV7()) }), 'pass_not_found');
  });

  it('does not find the cards of another workspace', async () => {
    const { client: stranger } = await app.newWorkspace();
    const pass = await makePass(stranger);
    const card = await makeCard(stranger, pass.passId, { barcode: 'SHARED' });
    assertRefused(await lookUp({ barcode: 'SHARED' }), 'instance_not_found');
    assertRefused(await lookUp({ instanceId: card.instanceId }), 'forbidden');
    assertRefused(await lookUp({ barcode: 'SHARED', passId: pass.passId }), 'forbidden');
  });

  for (const [query, message] of [
    ['', /barcode: send a barcode or an instanceId/],
    ['passId=pass_1', /barcode: send a barcode/],
    ['identifier=ada', /barcode: send a barcode/],
    ['barcode=', /barcode must not be empty/],
    [`barcode=${'x'.repeat(256)}`, /barcode must have at most 255/],
    ['barcode=a&barcode=b', /barcode/],
    ['barcode=a&status=active', /status is not known/],
    ['barcode=%00', /NUL/],
    ['barcode=%ff', /UTF-8|encod/],
  ] as const) {
    it(`refuses ?${query.slice(0, 30)}`, async () => {
      assertRefused(await client.get(`/instances/lookup?${query}`), 'invalid_request', message);
    });
  }
});

describe('a code as people type it', () => {
  it('is found in any case, and with other blanks and hyphens', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { barcode: '5MR22FB47K620RG5' });
    const own = await makeCard(client, passId, { barcode: 'Card-00 17\u2011b' });
    for (const barcode of [
      '5mr22fb47k620rg5',
      '5MR22FB4 7K620RG5',
      ' 5mr2-2fb4-7k62-0rg5',
      '5MR22FB4\u00a07K620RG5',
    ])
      await assertFinds({ barcode }, card);
    for (const barcode of ['card0017b', 'CARD-0017-B', 'card 00 17 b']) await assertFinds({ barcode }, own);
    for (const barcode of ['-', '5MR22FB47K620RG', '5MR22FB47K620RG55', '5MR22FB4.7K620RG5'])
      assertRefused(await lookUp({ barcode }), 'instance_not_found');
    const { client: stranger } = await app.newWorkspace();
    assertRefused(await lookUp({ barcode: '5mr22fb47k620rg5' }, stranger), 'instance_not_found');
  });

  it('is the card that has it exactly, and of several that are alike none', async () => {
    const { passId } = await makePass(client);
    const small = await makeCard(client, passId, { barcode: 'ab-1' });
    const large = await makeCard(client, passId, { barcode: 'AB-1' });
    await assertFinds({ barcode: 'ab-1' }, small);
    await assertFinds({ barcode: 'AB-1' }, large);
    assertRefused(await lookUp({ barcode: 'Ab-1' }), 'ambiguous_barcode', /./, { matchCount: 2 });
    const other = await makePass(client);
    const third = await makeCard(client, other.passId, { barcode: 'AB1', holder: { identifier: 'eve' } });
    await assertFinds({ barcode: 'a b 1', passId: other.passId }, third);
    await assertFinds({ barcode: 'a b 1', identifier: 'eve' }, third);
    const { client: restricted } = await makeKey(client, { passIds: [other.passId] });
    assert.equal((await lookUp({ barcode: 'a b 1' }, restricted)).body.instanceId, third.instanceId);
  });

  it('names a person by a number in any spelling, the exact one first', async () => {
    const { passId } = await makePass(client);
    for (const identifier of ['K-10001', 'k 10001', 'K2'])
      await makeCard(client, passId, { holder: { identifier } });
    const named = async (identifier: string) => {
      const { body } = await client.get(`/holders?${new URLSearchParams({ identifier })}`);
      return body.data.map((one: Json) => one.identifier).sort();
    };
    assert.deepEqual(await named('K-10001'), ['K-10001']);
    assert.deepEqual(await named('k10001'), ['K-10001', 'k 10001']);
    assert.deepEqual(await named('k-2'), ['K2']);
    assert.deepEqual(await named('-'), []);
  });
});

describe('a code that several cards share', () => {
  it('is ambiguous: matchCount, and how to disambiguate', async () => {
    await sharedPass('CLUB', 'ada', 'grace', 'joan');
    const reply = await lookUp({ barcode: 'CLUB' });
    assertRefused(reply, 'ambiguous_barcode', /passId.*identifier.*instanceId/, { matchCount: 3 });
  });

  it('finds the one card that carries it', async () => {
    const { cards } = await sharedPass('CLUB', 'ada');
    await assertFinds({ barcode: 'CLUB' }, cards[0]);
  });

  it('finds nothing before the first card', async () => {
    await sharedPass('CLUB');
    assertRefused(await lookUp({ barcode: 'CLUB' }), 'instance_not_found');
  });

  it('is distinguished by the holder', async () => {
    const { cards, passId } = await sharedPass('CLUB', 'ada', 'grace', 'joan');
    await assertFinds({ barcode: 'CLUB', identifier: 'grace' }, cards[1]);
    await assertFinds({ barcode: 'CLUB', identifier: 'grace', passId }, cards[1]);
    assertRefused(await lookUp({ barcode: 'CLUB', identifier: 'nobody' }), 'instance_not_found');
  });

  it('is distinguished by the id', async () => {
    const { cards } = await sharedPass('CLUB', 'ada', 'grace');
    await assertFinds({ barcode: 'CLUB', instanceId: cards[1].instanceId }, cards[1]);
    assertRefused(await lookUp({ barcode: 'OTHER', instanceId: cards[1].instanceId }), 'instance_not_found');
  });

  it('is distinguished by the pass, when several passes use it', async () => {
    const one = await sharedPass('CLUB', 'ada');
    const two = await sharedPass('CLUB', 'ada', 'grace');
    const own = await makePass(client);
    const card = await makeCard(client, own.passId, { barcode: 'CLUB', holder: { identifier: 'ada' } });

    assertRefused(await lookUp({ barcode: 'CLUB' }), 'ambiguous_barcode', /./, { matchCount: 4 });
    assertRefused(await lookUp({ barcode: 'CLUB', identifier: 'ada' }), 'ambiguous_barcode', /./, {
      matchCount: 3,
    });
    await assertFinds({ barcode: 'CLUB', passId: one.passId }, one.cards[0]);
    await assertFinds({ barcode: 'CLUB', passId: own.passId }, card);
    await assertFinds({ barcode: 'CLUB', identifier: 'grace' }, two.cards[1]);
    await assertFinds({ barcode: 'CLUB', passId: two.passId, identifier: 'ada' }, two.cards[0]);
    assertRefused(await lookUp({ barcode: 'CLUB', passId: two.passId }), 'ambiguous_barcode', /./, {
      matchCount: 2,
    });
  });

  it('is ambiguous across passes with codes of their own, too', async () => {
    const [one, two] = [await makePass(client), await makePass(client)];
    const card = await makeCard(client, one.passId, { barcode: 'SAME' });
    await makeCard(client, two.passId, { barcode: 'SAME' });
    assertRefused(await lookUp({ barcode: 'SAME' }), 'ambiguous_barcode', /./, { matchCount: 2 });
    await assertFinds({ barcode: 'SAME', passId: one.passId }, card);
  });

  it('finds the holder’s present card rather than a voided one', async () => {
    const { cards, passId } = await sharedPass('CLUB', 'ada', 'grace');
    await client.post(`/instances/${cards[0].instanceId}/void`);
    await assertFinds({ barcode: 'CLUB', identifier: 'ada' }, cards[0]);
    const next = await makeCard(client, passId, { holder: { identifier: 'ada' } });
    await assertFinds({ barcode: 'CLUB', identifier: 'ada' }, next);
  });

  it('shows a restricted key the cards of its own passes only', async () => {
    const one = await sharedPass('CLUB', 'ada');
    await sharedPass('CLUB', 'grace');
    const { client: till } = await makeKey(client, { passIds: [one.passId] });
    assert.equal((await lookUp({ barcode: 'CLUB' }, till)).body.instanceId, one.cards[0].instanceId);
    assertRefused(await lookUp({ barcode: 'CLUB', identifier: 'grace' }, till), 'instance_not_found');
  });

  it('follows the pass when its shared value changes', async () => {
    const { cards, passId } = await sharedPass('OLD', 'ada');
    await client.patch(`/passes/${passId}`, { barcode: { value: 'NEW' } });
    await assertFinds({ barcode: 'NEW' }, cards[0]);
    assertRefused(await lookUp({ barcode: 'OLD' }), 'instance_not_found');
  });
});

describe('many look-ups at once', () => {
  it('answer each caller its own card', async () => {
    const { passId } = await makePass(client);
    const items = Array.from({ length: 100 }, (_, index) => ({ barcode: `CODE-${index}` }));
    await client.post(`/passes/${passId}/instances/batch`, { instances: items });
    const { client: stranger } = await app.newWorkspace();
    const replies = await inParallel(300, (index) =>
      lookUp({ barcode: `CODE-${index % 100}` }, index < 200 ? client : stranger),
    );
    for (const [index, reply] of replies.entries()) {
      if (index < 200) assert.equal(reply.body.barcode, `CODE-${index % 100}`);
      else assertRefused(reply, 'instance_not_found');
    }
  });
});
