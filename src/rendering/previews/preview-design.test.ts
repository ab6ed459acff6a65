import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { imageSettings, startImageHost } from '../../passes/images/images.fixture.ts';
import { photo, plain } from '../../passes/images/pictures.fixture.ts';

const host = await startImageHost();
const app = await startTestApp(imageSettings);
const { client } = await app.newWorkspace();
const design = {
  title: 'Blue Bean Club',
  type: 'loyalty',
  fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
};

async function drawn(body: Json, by: Client = client): Promise<Json> {
  const reply = await by.post('/passes/preview', body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

async function uploaded(bytes: Buffer): Promise<string> {
  const { body } = await client.post('/images', bytes, { headers: { 'content-type': 'image/png' } });
  return body.url;
}

describe('the preview of a design that is not kept', () => {
  it('is what the pass shows once it is kept', async () => {
    const { apple, google, change, warnings } = await drawn(design);
    assert.deepEqual([change, warnings], [null, []]);
    const { passId } = await makePass(client, design);
    assert.equal(apple, (await client.get(`/passes/${passId}/preview.svg`)).text);
    assert.equal(google, (await client.get(`/passes/${passId}/preview.svg?platform=google`)).text);
  });

  it('is that of the web card, too', async () => {
    const { web } = await drawn({ ...design, colors: { background: '#123456' } });
    assert.match(web.html, /Blue Bean Club.*Tier.*Bronze/s);
    assert.match(web.css, /--card: #123456;/);
  });

  it('lays a change over a pass and leaves that as it is', async () => {
    const pass = await makePass(client, design);
    const { apple } = await drawn({ passId: pass.passId, title: 'Green Bean Club' });
    assert.match(apple, /Green Bean Club/);
    assert.match(apple, /Bronze/);
    assert.deepEqual((await client.get(`/passes/${pass.passId}`)).body, pass);
  });

  it('draws a program that is not kept either, part of the way to its reward', async () => {
    const { passId } = await makePass(client, design);
    const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 5 };
    const { apple, web, change } = await drawn({ passId, program: stamps });
    assert.match(apple, /2 of 5/);
    assert.match(web.html, /Free coffee: 5 stamps/);
    assert.deepEqual(change, { cards: 0, credits: 0 });
    const points = {
      mode: 'POINTS',
      reward: { title: 'A cake', cost: 100 },
      pointName: { one: 'bean', other: 'beans' },
    };
    assert.match((await drawn({ passId, program: points })).web.html, /A cake: 100 beans/);
    for (const [program, path] of [
      [{ ...stamps, threshold: null }, 'program.threshold'],
      [{ ...points, reward: { title: 'A cake' } }, 'program.reward.cost'],
    ] as const) {
      const { status, body, text } = await client.post('/passes/preview', { passId, program });
      assert.deepEqual([status, body.problems?.[0]?.path], [400, path], text);
    }
  });

  it('counts the cards that would change, and what their pushes would cost', async () => {
    const { passId } = await makePass(client, { ...design, status: undefined });
    const changeOf = async (body: Json) => (await drawn({ passId, ...body })).change;
    assert.deepEqual(await changeOf({ title: 'Green Bean Club' }), { cards: 0, credits: 0 });
    for (const identifier of ['ada', 'bo']) await makeCard(client, passId, { holder: { identifier } });
    assert.deepEqual(await changeOf({ title: 'Green Bean Club' }), { cards: 2, credits: 0 });
    assert.deepEqual(await changeOf({ metadata: { shelf: 3 } }), { cards: 0, credits: 0 });
    assert.deepEqual(await changeOf({}), { cards: 0, credits: 0 });
  });

  it('draws uploads at once, and again without rendering them', async () => {
    const logoUrl = await uploaded(await plain(300, 100, '#20a060').png().toBuffer());
    const stripUrl = await uploaded(await photo(1_200, 400).png().toBuffer());
    const first = await drawn({ ...design, logoUrl, stripUrl });
    assert.equal(first.apple.match(/data:image\/png;base64,/g)?.length, 2);
    assert.equal(first.google.match(/data:image\/png;base64,/g)?.length, 2);
    assert.equal(first.web.html.match(/data:image\/png;base64,/g)?.length, 2);
    const { passId } = await makePass(client, { ...design, logoUrl, stripUrl });
    assert.equal(first.apple, (await client.get(`/passes/${passId}/preview.svg`)).text);
    const kept = await drawn({ passId, logoUrl, stripUrl });
    assert.deepEqual([kept.apple, kept.warnings], [first.apple, first.warnings]);
    // A wide logo is tiny in the circle of Google Wallet.
    assert.deepEqual(
      first.warnings.map(({ code, param }: Json) => [code, param]),
      [['logo_wide', 'logoUrl']],
    );
    // What was made of them is kept for the next letter that is typed.
    await app.sql('delete from image_uploads');
    assert.deepEqual(await drawn({ ...design, logoUrl, stripUrl }), first);
  });

  it('fetches nothing from the web', async () => {
    const url = await host.url('logoUrl');
    const { warnings } = await drawn({ ...design, logoUrl: url });
    assert.deepEqual(
      warnings.map(({ code, param }: Json) => [code, param]),
      [['image_not_drawn', 'logoUrl']],
    );
  });

  it('draws a picture that the call holds, as an upload of it, and stores nothing', async () => {
    const bytes = await plain(1_125, 432, '#20a060').png().toBuffer();
    const held = await drawn({ ...design, stripUrl: `data:image/png;base64,${bytes.toString('base64')}` });
    assert.deepEqual(held.warnings, []);
    assert.equal(held.apple, (await drawn({ ...design, stripUrl: await uploaded(bytes) })).apple);
    for (const stripUrl of ['data:image/png;base64,AAAA', `data:image/webp;base64,${'A'.repeat(4_000)}`])
      assert.equal(
        (await client.post('/passes/preview', { ...design, stripUrl })).body.code,
        'asset_fetch_failed',
      );
    // What is kept is fetched or uploaded.
    const kept = {
      title: 'Club',
      type: 'loyalty',
      stripUrl: `data:image/png;base64,${bytes.toString('base64')}`,
    };
    assert.ok((await client.post('/passes', kept)).status >= 400);
  });

  it('names what wallets do not show', async () => {
    const many = Array.from({ length: 5 }, (_, at) => ({
      key: `f${at}`,
      label: 'F',
      value: '1',
      section: at % 2 === 0 ? 'secondary' : 'auxiliary',
    }));
    const thumbnailUrl = await uploaded(await plain(300, 300, '#20a060').png().toBuffer());
    const colors = { background: '#336699', foreground: '#ffffff', label: '#4477aa' };
    const { warnings } = await drawn({ ...design, fields: many, colors, thumbnailUrl });
    assert.deepEqual(
      warnings.map(({ code, param }: Json) => [code, param]),
      [
        ['low_contrast', 'colors.label'],
        ['field_not_shown', 'fields[4].section'],
        ['image_not_shown', 'thumbnailUrl'],
      ],
    );
    const ticket = await drawn({ ...design, type: 'eventTicket', fields: many });
    assert.deepEqual(ticket.warnings, []);
  });

  it('names the fields of the header that a poster has no room for, and shows it on no other type', async () => {
    const fields = ['a', 'b', 'c', 'd'].map((key) => ({ key, label: key, value: '1', section: 'header' }));
    const posterUrl = await uploaded(await plain(358, 448, '#20a060').png().toBuffer());
    const codes = async (body: Json) =>
      (await drawn({ ...design, type: 'generic', fields, ...body })).warnings.map(({ code, param }: Json) => [
        code,
        param,
      ]);
    const left = ['field_not_shown', 'fields[3].section'];
    assert.deepEqual(await codes({}), [left]);
    const below = [1, 2].map((at) => ['field_below_poster', `fields[${at}].section`]);
    assert.deepEqual(await codes({ posterUrl }), [...below, left]);
    const refused = await client.post('/passes/preview', { ...design, type: 'coupon', posterUrl });
    assertRefused(refused, 'invalid_request', /^posterUrl: /);
  });

  it('names what is cut off on an iPhone, measured as it is drawn', async () => {
    const cut = async (body: Json) =>
      (await drawn({ ...design, ...body })).warnings.map(({ code, param, label }: Json) => [
        code,
        param,
        label,
      ]);
    const field = (key: string, value: string) => ({ key, label: key, value, section: 'secondary' });
    const wide = 'WWWWWWWWWWWWWWW';
    const thin = 'iiiiiiiiiiiiiii';
    assert.deepEqual(await cut({ fields: [field('a', thin), field('b', thin), field('c', thin)] }), []);
    assert.deepEqual(await cut({ fields: [field('a', wide), field('b', wide), field('c', '7')] }), [
      ['text_cut', 'fields[0].value', 'a'],
      ['text_cut', 'fields[1].value', 'b'],
    ]);
    const title = `The ${'long '.repeat(10)}name`;
    assert.deepEqual(await cut({ title }), [['text_cut', 'title', title]]);
    const { passId } = await makePass(client, { ...design, fields: [] });
    const reward = { title: `A large coffee with ${'much '.repeat(8)}milk` };
    const program = { passId, mode: 'STAMPS', threshold: 10, reward };
    const { programId } = (await client.post('/loyalty/programs', program)).body;
    await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    assert.deepEqual(
      (await drawn({ passId })).warnings.map(({ code, param, label }: Json) => [code, param, label]),
      [['text_cut', 'program', 'Reward']],
    );
  });

  it('is refused as the pass would be', async () => {
    const preview = (body: Json, by: Client = client) => by.post('/passes/preview', body);
    assertRefused(
      await preview({ type: 'loyalty' }),
      'invalid_request',
      /^title: is required without a passId/,
    );
    assertRefused(await preview({ title: 'A' }), 'invalid_request', /^type: is required without a passId/);
    const twice = [...design.fields, ...design.fields];
    assertRefused(
      await preview({ ...design, fields: twice }),
      'invalid_request',
      /^fields\[1\]\.key: .* twice/,
    );
    const colors = { background: 'red' };
    assertRefused(await preview({ ...design, colors }), 'invalid_request', /colors\.background/);
    assertRefused(await preview({ passId: 'pass_0' }), 'pass_not_found');
    const lost = { slot: 'logoUrl', reason: 'invalid_url' };
    const gone = `upload:${'0'.repeat(64)}`;
    assertRefused(await preview({ ...design, logoUrl: gone }), 'asset_fetch_failed', /^logoUrl: /, lost);
    const { passId } = await makePass(client, design);
    const { client: others } = await app.newWorkspace();
    assertRefused(await preview({ passId, title: 'B' }, others), 'forbidden');
    const logoUrl = await uploaded(await plain(310, 100, '#20a060').png().toBuffer());
    await drawn({ ...design, logoUrl });
    assertRefused(await preview({ ...design, logoUrl }, others), 'asset_fetch_failed', /^logoUrl: /, lost);
    const own = await makePass(client, { title: 'Own' });
    const { client: restricted } = await makeKey(client, { passIds: [own.passId] });
    assertRefused(await preview({ passId, title: 'B' }, restricted), 'insufficient_scope');
  });
});
