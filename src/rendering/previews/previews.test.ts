import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { assertRefused, type Json, type Reply } from '../../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { hostileStrings } from '../../../test/hostile-strings.ts';
import { imageSettings, startImageHost } from '../../passes/images/images.fixture.ts';
import { readBarcodesIn } from '../read-barcode.fixture.ts';

const host = await startImageHost();
const app = await startTestApp(imageSettings);
const { client } = await app.newWorkspace();

const platforms = ['apple', 'google'] as const;
const types = ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic'] as const;

async function preview(passId: string, query = '', kind = 'svg', by = client): Promise<Reply> {
  const reply = await by.get(`/passes/${passId}/preview.${kind}${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply;
}

/** What is written on a drawing, line by line. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

async function codesIn(passId: string, query: string): Promise<{ format: string; text: string }[]> {
  const { body } = await preview(passId, query, 'png');
  // Scanners look at a card on something.
  return readBarcodesIn(await sharp(body).flatten({ background: '#888888' }).png().toBuffer());
}

describe('the preview of a pass', () => {
  for (const type of types) {
    it(`shows what a new ${type} card would show`, async () => {
      const pass = await makePass(client, {
        type,
        title: 'Blue Bean Club',
        fields: [
          { key: 'tier', label: 'Tier', value: 'Bronze', section: 'primary' },
          { key: 'since', label: 'Since', value: null, section: 'secondary' },
          { key: 'shop', label: 'Shop', value: 'Harbour', section: 'secondary', editable: false },
          { key: 'hours', label: 'Hours', value: '7 to 18', section: 'back' },
        ],
      });
      for (const platform of platforms) {
        const texts = textsOf((await preview(pass.passId, `?platform=${platform}`)).text);
        assert.ok(texts.includes('Blue Bean Club'), platform);
        assert.ok(texts.includes('Bronze') && texts.includes('Harbour'), platform);
        assert.ok(texts.includes('PREVIEW'), platform);
        assert.ok(!texts.some((text) => /since|hours|7 to 18/i.test(text)), platform);
      }
    });
  }

  it('is that of Apple Wallet by default', async () => {
    const { passId } = await makePass(client);
    const [apple, google, untold] = [
      await preview(passId, '?platform=apple'),
      await preview(passId, '?platform=google'),
      await preview(passId),
    ];
    assert.equal(untold.text, apple.text);
    assert.notEqual(google.text, apple.text);
  });

  it('begins with a full set of a launched program, as a new card does', async () => {
    const { passId } = await makePass(client);
    const terms = { passId, mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    const { body: program } = await client.post('/loyalty/programs', terms);
    assert.ok(!textsOf((await preview(passId)).text).includes('0 of 10'));
    await client.patch(`/loyalty/programs/${program.programId}`, { status: 'active' });
    for (const platform of platforms) {
      const { text } = await preview(passId, `?platform=${platform}`);
      assert.ok(textsOf(text).includes('0 of 10'), platform);
      // Nine places and the one with the star.
      assert.equal(text.match(/<circle r="\.94"/g)?.length, 10, platform);
    }
  });

  it('marks a pass that has expired', async () => {
    const { passId } = await makePass(client, { expiry: { kind: 'fixed', at: '2020-01-01T00:00:00Z' } });
    for (const platform of platforms) {
      const { text } = await preview(passId, `?platform=${platform}`);
      assert.match(textsOf(text).join(' '), /This card has expired\./);
      assert.deepEqual(await codesIn(passId, `?platform=${platform}`), []);
    }
  });

  it('is drawn of drafts, with the code that all cards share, or none', async () => {
    const shared = await makePass(client, { barcode: { mode: 'simple', value: 'SHARED-1' } }, 'draft');
    assert.ok(textsOf((await preview(shared.passId)).text).includes('SHARED-1'));
    const pooled = await makePass(client, { barcode: { mode: 'pool' } }, 'draft');
    assert.ok(textsOf((await preview(pooled.passId)).text).includes('PREVIEW'));
    const without = await makePass(client, { barcode: { mode: 'none' } }, 'draft');
    for (const platform of platforms)
      assert.deepEqual(await codesIn(without.passId, `?platform=${platform}`), []);
  });
});

describe('the preview of an instance', () => {
  it('shows its own values, and the holder in their language', async () => {
    const pass = await makePass(client, {
      fields: [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }],
      translations: { ar: { title: 'x', fields: { tier: { label: 'x', value: 'x' } } } },
    });
    const card = await makeCard(client, pass.passId, {
      fields: { tier: 'Gold' },
      holder: { identifier: 'layla', locale: 'ar' },
    });
    for (const platform of platforms) {
      const query = `?platform=${platform}&instanceId=${card.instanceId}`;
      const { text } = await preview(pass.passId, query);
      assert.ok(textsOf(text).includes('Gold') && !textsOf(text).includes('Bronze'));
      assert.match(text, / lang="ar"/);
      // Mirrored: what is at the left of other cards is at the right.
      assert.match(text, /<text x="(3[0-9]{2})(\.\d+)?"[^>]* text-anchor="end"[^>]*>Gold</);
    }
  });

  it('says that a voided card is void, and has no barcode to be scanned', async () => {
    const { passId } = await makePass(client, { language: 'de' });
    const { instanceId } = await makeCard(client, passId);
    for (const platform of platforms)
      assert.equal((await codesIn(passId, `?platform=${platform}&instanceId=${instanceId}`)).length, 1);
    await client.post(`/instances/${instanceId}/void`);
    for (const platform of platforms) {
      const query = `?platform=${platform}&instanceId=${instanceId}`;
      assert.match(textsOf((await preview(passId, query)).text).join(' '), /nicht mehr gültig/);
      assert.deepEqual(await codesIn(passId, query), []);
    }
  });

  it('leads to no person once the card was erased', async () => {
    const { passId } = await makePass(client, { type: 'generic' });
    const { instanceId } = await makeCard(client, passId, {
      barcode: 'ADA-1',
      holder: { identifier: 'ada', name: 'Ada Lovelace' },
    });
    const query = `?platform=google&instanceId=${instanceId}`;
    assert.match((await preview(passId, query)).text, /Ada Lovelace/);
    await client.delete(`/instances/${instanceId}`);
    const { status, text } = await client.get(`/passes/${passId}/preview.svg${query}`);
    if (status === 200) assert.doesNotMatch(text, /Ada Lovelace|ADA-1/);
    else assert.equal(status, 404);
  });
});

describe('the barcode of a preview', () => {
  const formats = {
    qr: 'QRCode',
    aztec: 'Aztec',
    pdf417: 'PDF417',
    code128: 'Code128',
    code39: 'Code39',
  };
  for (const [format, name] of Object.entries(formats)) {
    it(`is a real ${format}: a scanner reads it from the picture`, async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'unique', format } });
      const long = `BB-${'7Q4MX2K9PL'.repeat(format.startsWith('code') ? 2 : 12)}`;
      const { instanceId } = await makeCard(client, passId, { barcode: long });
      for (const platform of platforms) {
        const query = `?platform=${platform}`;
        const read = [
          await codesIn(passId, query),
          await codesIn(passId, `${query}&instanceId=${instanceId}`),
        ];
        const expected = ['PREVIEW', long].map((text) => [{ format: name, text }]);
        assert.deepEqual(read, expected, platform);
      }
    });
  }

  const numbers = {
    ean13: ['EAN13', '2000000000008', '4006381333931'],
    codabar: ['Codabar', '2000000000008', '40-156'],
    itf: ['ITF', '1234567890', '04006381333931'],
  } as const;
  for (const [format, [name, sample, barcode]] of Object.entries(numbers)) {
    it(`is a real ${format}, with a number in the place of one's own`, async () => {
      const { passId } = await makePass(client, { barcode: { mode: 'unique', format } });
      const { instanceId } = await makeCard(client, passId, { barcode });
      for (const platform of platforms) {
        const query = `?platform=${platform}`;
        assert.deepEqual(await codesIn(passId, query), [{ format: name, text: sample }]);
        const read = await codesIn(passId, `${query}&instanceId=${instanceId}`);
        assert.deepEqual(read, [{ format: name, text: barcode }]);
      }
    });
  }

  it('is drawn for the longest values', async () => {
    const longest = {
      qr: '😀'.repeat(255),
      aztec: '😀'.repeat(255),
      pdf417: '😀'.repeat(255),
      code128: '~'.repeat(80),
      code39: '%'.repeat(40),
      codabar: '.'.repeat(40),
      itf: '8'.repeat(40),
    };
    for (const [format, value] of Object.entries(longest)) {
      const { passId } = await makePass(client, { barcode: { mode: 'simple', format, value } });
      for (const platform of platforms) await wellFormed(await preview(passId, `?platform=${platform}`));
    }
  });
});

const elements = /^(svg|title|defs|path|clipPath|use|g|rect|circle|text|image)$/;

/** Parsed as XML, strictly, and drawn; nothing in it does anything, or leads anywhere. */
async function wellFormed({ text }: Reply): Promise<void> {
  // Small: it is only to be seen whether it can be drawn.
  await sharp(Buffer.from(text), { density: 12 }).raw().toBuffer();
  const [bad] = /[\p{Cc}\p{Noncharacter_Code_Point}\u202A-\u202E\u2066-\u2069]/u.exec(text) ?? [];
  assert.equal(bad, undefined);
  for (const [tag, name = ''] of text.matchAll(/<([^\s/>]+)[^>]*>/g)) {
    assert.match(name, elements);
    assert.doesNotMatch(tag, /\s(on\w+|style)=/i);
    for (const [, target = ''] of tag.matchAll(/(?:\s(?:\w+:)?href=["']|url\()([^"')]*)/g))
      assert.match(target, /^(#|data:image\/(png|jpeg);base64,)/);
  }
}

describe('a drawing', () => {
  it('is well-formed and alone, whatever the texts are', async () => {
    const { client: own } = await app.newWorkspace();
    const strings = [
      'a\u0001b\u001b[31m',
      ...hostileStrings,
      '</svg><script>alert(1)</script>',
      ']]>',
      '&#x0;',
      'x" href="https://a.test',
    ];
    const taken: string[] = [];
    const take = async (path: string, body: Json) => (await own.patch(path, body)).status === 200;
    const { passId } = await makePass(own, { type: 'generic' });
    for (const text of strings) {
      const fields = [
        { key: 'a', label: text, value: text, section: 'header' },
        { key: 'b', label: text, value: text, section: 'primary' },
        { key: 'c', label: text, value: text, section: 'secondary' },
      ];
      const isTaken = [
        await take('/workspace', { name: text }),
        await take(`/passes/${passId}`, { title: text }),
        await take(`/passes/${passId}`, { fields: fields.map((field) => ({ ...field, label: 'Label' })) }),
        await take(`/passes/${passId}`, { fields }),
        await take(`/passes/${passId}`, { barcode: { mode: 'simple', value: text } }),
      ];
      if (!isTaken.includes(true)) continue;
      taken.push(text);
      for (const platform of platforms)
        await wellFormed(await preview(passId, `?platform=${platform}`, 'svg', own));
    }
    assert.ok(taken.length > 40);
  });

  it('holds the images of its pass', async () => {
    const images = await host.urls();
    for (const type of types) {
      const pass = await makePass(client, { type, ...images });
      const bare = await makePass(client, { type });
      for (const platform of platforms) {
        const query = `?platform=${platform}`;
        const [shown, plain] = [await preview(pass.passId, query), await preview(bare.passId, query)];
        await wellFormed(shown);
        const count = (text: string) => text.match(/<image /g)?.length ?? 0;
        // A loyalty card always has a logo at Google.
        assert.equal(count(plain.text), platform === 'google' && type === 'loyalty' ? 1 : 0, type);
        assert.equal(count(shown.text), 2, `${type} ${platform}`);
      }
    }
  });

  it('shows the background of a ticket blurred where it has no strip', async () => {
    const images = await host.urls(['logoUrl', 'thumbnailUrl', 'backgroundUrl']);
    const { passId } = await makePass(client, { type: 'eventTicket', ...images });
    const reply = await preview(passId);
    await wellFormed(reply);
    assert.equal(reply.text.match(/<image /g)?.length, 3);
    assert.match(reply.text, /data:image\/jpeg/);
  });

  it('is the same bytes as long as the card is the same, and is not sent again', async () => {
    const { passId } = await makePass(client, await host.urls());
    const { instanceId } = await makeCard(client, passId, { fields: { tier: 'Silver' } });
    for (const kind of ['svg', 'png']) {
      for (const platform of platforms) {
        const path = `/passes/${passId}/preview.${kind}?platform=${platform}&instanceId=${instanceId}`;
        const [first, second] = [await client.get(path), await client.get(path)];
        assert.deepEqual(first.body, second.body);
        const etag = first.headers.get('etag') ?? '';
        assert.match(etag, /^"[\w-]{22}"$/);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
          const revalidated = await client.get(path, { headers: { 'if-none-match': known } });
          assert.deepEqual(
            [revalidated.status, revalidated.text, revalidated.headers.get('etag')],
            [304, '', etag],
          );
        }
        await client.patch(`/instances/${instanceId}/fields`, { fields: { tier: `${kind} ${platform}` } });
        const changed = await client.get(path, { headers: { 'if-none-match': etag } });
        assert.equal(changed.status, 200);
        assert.notDeepEqual(changed.body, first.body);
      }
    }
  });

  it('says what it is, and permits itself nothing', async () => {
    const { passId } = await makePass(client);
    const svg = await preview(passId);
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    const png = await preview(passId, '', 'png');
    assert.equal(png.headers.get('content-type'), 'image/png');
    const { format, width } = await sharp(png.body).metadata();
    assert.deepEqual([format, width], ['png', 3 * (375 + 40)]);
    for (const { headers } of [svg, png]) {
      assert.equal(headers.get('cache-control'), 'private, no-cache');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
      );
    }
  });
});

describe('who sees a preview', () => {
  it('the account that owns it, with a key that reaches it', async () => {
    const [pass, other] = [await makePass(client), await makePass(client)];
    const [card, othersCard] = [await makeCard(client, pass.passId), await makeCard(client, other.passId)];
    const { client: stranger } = await app.newWorkspace();
    const { client: bound } = await makeKey(client, { access: 'read', passIds: [pass.passId] });
    const strangersPass = await makePass(stranger);
    const strangersCard = await makeCard(stranger, strangersPass.passId);
    for (const kind of ['svg', 'png']) {
      const path = (passId: string, instanceId?: string) =>
        `/passes/${passId}/preview.${kind}${instanceId === undefined ? '' : `?instanceId=${instanceId}`}`;
      assert.equal((await bound.get(path(pass.passId, card.instanceId))).status, 200);
      assertRefused(await stranger.get(path(pass.passId)), 'forbidden');
      assertRefused(await stranger.get(path(strangersPass.passId, card.instanceId)), 'forbidden');
      assertRefused(await client.get(path(pass.passId, strangersCard.instanceId)), 'forbidden');
      assertRefused(await client.get(path(pass.passId, othersCard.instanceId)), 'instance_not_found');
      assertRefused(await client.get(path(pass.passId, 'inst_nonsense')), 'instance_not_found');
      assertRefused(await client.get(path('pass_nonsense')), 'pass_not_found');
      assertRefused(await bound.get(path(other.passId)), 'insufficient_scope');
      assertRefused(await bound.get(path(pass.passId, othersCard.instanceId)), 'insufficient_scope');
      for (const query of [
        'platform=samsung',
        'platform=',
        'instanceId=',
        'size=3',
        'platform=apple&platform=google',
      ])
        assertRefused(await client.get(`${path(pass.passId)}?${query}`), 'invalid_request');
    }
  });
});
