import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsOf } from '../../../tools/fakes/google-validator.ts';
import type { GoogleCard, GoogleCardType, GoogleDesign } from './card.ts';
import { googleWord, withoutNulls } from './resource.ts';
import { field, fields, issuerId, plainCard, plainDesign } from './sample-card.fixture.ts';
import { walletObject } from './wallet-object.ts';

const english = (value: string) => ({ defaultValue: { language: 'en', value } });

/** What every object has, whatever its type. */
const bare = {
  id: `${issuerId}.card`,
  classId: `${issuerId}.pass`,
  state: 'ACTIVE',
  barcode: null,
  validTimeInterval: null,
  heroImage: null,
  merchantLocations: null,
  linksModuleData: null,
  textModulesData: [],
  groupingInfo: null,
  passConstraints: null,
  smartTapRedemptionValue: null,
};
const timely = { ...bare, disableExpirationNotification: null };

function build(card: Partial<GoogleCard> = {}, design: Partial<GoogleDesign> = {}): Record<string, unknown> {
  return walletObject({ ...plainCard, ...card }, { ...plainDesign, ...design });
}

describe('walletObject', () => {
  it('gives each type what Google requires of it', () => {
    const expected: Record<GoogleCardType, object> = {
      loyalty: { ...timely, accountId: null, accountName: null, loyaltyPoints: null },
      coupon: timely,
      eventTicket: { ...timely, ticketHolderName: null },
      giftCard: { ...timely, cardNumber: 'card', balance: null },
      generic: {
        ...bare,
        cardTitle: english('Example Coffee'),
        header: english('Coffee Club'),
        subheader: null,
        logo: null,
        hexBackgroundColor: null,
        genericType: null,
        notifications: null,
      },
    };
    for (const [type, json] of Object.entries(expected) as [GoogleCardType, object][]) {
      assert.deepEqual(build({}, { type }), json, type);
      assert.deepEqual(problemsOf(googleWord[type], 'Object', withoutNulls(json)), [], type);
    }
  });

  it('shows everything a card has', () => {
    const whole = build(
      {
        values: { tier: 'Gold', visits: '3', note: 'Likes it strong', offer: 'not its own' },
        barcode: { format: 'qr', value: '4006381333931', altText: '4006 3813 3393 1' },
        expiresAt: new Date('2027-01-31T23:59:59.999Z'),
        holderName: 'Ada Lovelace',
        accountId: 'member-7',
        points: { label: 'Stamps', balance: '3 of 10' },
        hero: { url: 'https://cards.example.com/3-10.png', description: 'Stamps: 3 of 10' },
      },
      {
        showsPoints: true,
        fields: [
          field({ key: 'note', label: 'Note', section: 'back' }),
          field({ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }),
          field({ key: 'visits', label: '', section: 'header' }),
          field({ key: 'offer', label: 'Offer', value: 'Free bun', editable: false }),
        ],
      },
    );
    assert.deepEqual(whole, {
      ...timely,
      accountId: 'member-7',
      accountName: 'Ada Lovelace',
      loyaltyPoints: { label: 'Stamps', balance: { string: '3 of 10' } },
      heroImage: {
        sourceUri: { uri: 'https://cards.example.com/3-10.png' },
        contentDescription: english('Stamps: 3 of 10'),
      },
      barcode: {
        type: 'QR_CODE',
        value: '4006381333931',
        alternateText: '4006 3813 3393 1',
        renderEncoding: null,
      },
      validTimeInterval: { end: { date: '2027-01-31T23:59:59.999Z' } },
      merchantLocations: null,
      linksModuleData: null,
      textModulesData: [
        { id: 'visits', body: '3' },
        { id: 'tier', header: 'Tier', body: 'Gold' },
        { id: 'note', header: 'Note', body: 'Likes it strong' },
      ],
    });
    assert.deepEqual(problemsOf('loyalty', 'Object', withoutNulls(whole)), []);
  });

  it('names the holder where the type has a place for it', () => {
    const holder = { holderName: 'Ada Lovelace', accountId: 'member-7' };
    assert.equal(build(holder, { type: 'eventTicket' }).ticketHolderName, 'Ada Lovelace');
    assert.deepEqual(build(holder, { type: 'generic' }).subheader, english('Ada Lovelace'));
    assert.equal(build(holder, { type: 'giftCard' }).cardNumber, 'member-7');
    const barcode = { format: 'qr', value: '4711', altText: null } as const;
    assert.equal(build({ ...holder, barcode }, { type: 'giftCard' }).cardNumber, '4711');
    assert.equal(build({ holderName: '' }).accountName, null);
  });

  it('gives a generic card its look, which other types have in their class', () => {
    const look = {
      logoUrl: 'https://cards.example.com/own.png',
      hero: { url: 'https://cards.example.com/hero.png', description: 'Coffee Club' },
      colors: { background: '#10324a' },
    };
    const { logo, hexBackgroundColor, heroImage } = build({}, { type: 'generic', ...look });
    assert.deepEqual(logo, {
      sourceUri: { uri: 'https://cards.example.com/own.png' },
      contentDescription: english('Example Coffee'),
    });
    assert.equal(hexBackgroundColor, '#10324a');
    const picture = (url: string, text: string) => ({
      sourceUri: { uri: url },
      contentDescription: english(text),
    });
    assert.deepEqual(heroImage, picture(look.hero.url, 'Coffee Club'));
    const hero = { url: 'https://cards.example.com/3-10.png', description: 'Stamps: 3 of 10' };
    const drawn = build({ hero }, { type: 'generic', ...look });
    assert.deepEqual(drawn.heroImage, picture(hero.url, hero.description), 'its own goes before');
    assert.equal('hexBackgroundColor' in build({}, look), false);
    assert.equal(build({}, look).heroImage, null);
  });

  it('says whether the card is good', () => {
    const states = { active: 'ACTIVE', voided: 'INACTIVE', expired: 'EXPIRED' } as const;
    for (const [state, googles] of Object.entries(states))
      assert.equal(build({ state: state as GoogleCard['state'] }).state, googles);
  });

  it('leaves out fields without a value, and points of a card that has none', () => {
    const design = { fields: fields(4, 'f', {}), showsPoints: true };
    const json = build({ values: { f0: null, f1: '', f3: '0' } }, design);
    assert.deepEqual(json.textModulesData, [{ id: 'f3', header: 'Label', body: '0' }]);
    assert.equal(json.loyaltyPoints, null);
    const points = { label: 'Points', balance: '7' };
    assert.equal(build({ points }, { showsPoints: false }).loyaltyPoints, null);
    assert.equal('loyaltyPoints' in build({ points }, { ...design, type: 'giftCard' }), false);
  });

  it('takes no value from the prototype of its values', () => {
    const design = { fields: [field({ key: 'constructor' }), field({ key: 'toString' })] };
    assert.deepEqual(build({}, design).textModulesData, []);
  });

  it('keeps within ten texts: those of the front stay, then the first of the others', () => {
    const ids = (...all: ReturnType<typeof fields>[]) => {
      const design = { fields: all.flat() };
      const values = Object.fromEntries(design.fields.map(({ key }) => [key, 'v']));
      return (build({ values }, design).textModulesData as { id: string }[]).map(({ id }) => id).join(' ');
    };
    const back = fields(12, 'b', { section: 'back' });
    assert.equal(ids(back, fields(2, 'a', { section: 'auxiliary' })), 'a0 a1 b0 b1 b2 b3 b4 b5 b6 b7');
    // The front has room for three of a row: the fourth gives way to fields of another row.
    const header = fields(12, 'h', { section: 'header' });
    assert.equal(ids(header, fields(2, 's', { section: 'secondary' })), 'h0 h1 h2 h3 h4 h5 h6 h7 s0 s1');
  });

  it('draws each format, and says when a QR code is not plain ASCII', () => {
    const types = { qr: 'QR_CODE', pdf417: 'PDF_417', aztec: 'AZTEC', code128: 'CODE_128' } as const;
    for (const [format, type] of Object.entries(types) as [keyof typeof types, string][]) {
      const { barcode } = build({ barcode: { format, value: 'קפה', altText: '' } });
      const renderEncoding = format === 'qr' ? 'UTF_8' : null;
      assert.deepEqual(barcode, { type, value: 'קפה', alternateText: null, renderEncoding });
    }
  });

  it('draws bars in the type that Google has for them: an ITF of other than 14 digits as Code 128', () => {
    const drawn = [
      ['ean13', '4006381333931', 'EAN_13'],
      ['code39', 'CARD-7', 'CODE_39'],
      ['codabar', '40156', 'CODABAR'],
      ['itf', '04006381333931', 'ITF_14'],
      ['itf', '04006381333932', 'CODE_128'],
      ['itf', '123456', 'CODE_128'],
    ] as const;
    for (const [format, value, type] of drawn) {
      const object = build({ barcode: { format, value, altText: value } });
      assert.deepEqual(object.barcode, { type, value, alternateText: value, renderEncoding: null });
    }
  });

  it('hands every text on as it is', () => {
    const text = '"<b>&amp;\\\u2028</script>\n🎁 \u202eקפה\u202c ٪100 % {0}';
    const json = build({ values: { k: text }, holderName: text }, { fields: [field({ label: text })] });
    assert.deepEqual(JSON.parse(JSON.stringify(json)).textModulesData, [
      { id: 'k', header: text, body: text },
    ]);
    assert.equal(json.accountName, text);
  });

  it('gives equal JSON for equal cards, in a fixed order of members', () => {
    const text = JSON.stringify(build({ values: { b: '1', a: '2' } }, { fields: [field({ key: 'a' })] }));
    assert.equal(
      JSON.stringify(build({ values: { a: '2', b: '1' } }, { fields: [field({ key: 'a' })] })),
      text,
    );
    assert.match(text, /^\{"id":"[^"]+","classId":/);
  });

  it('refuses what Google would refuse, and says what to do', () => {
    const broken: [Partial<GoogleCard>, RegExp][] = [
      [{ objectId: 'card' }, /objectId/],
      [{ objectId: `${issuerId}.` }, /objectId/],
      [{ objectId: `${issuerId}.ü` }, /objectId/],
      [{ objectId: '17.card' }, /different issuers/],
      [{ barcode: { format: 'qr', value: '', altText: null } }, /barcode\.value/],
      [{ points: { label: 'Points', balance: '' } }, /points\.balance/],
      [{ hero: { url: 'stamps.png', description: 'Stamps' } }, /hero\.url/],
      [{ expiresAt: new Date(Number.NaN) }, /expiresAt/],
      [{ expiresAt: new Date(Date.UTC(10_000, 0)) }, /expiresAt/],
    ];
    for (const [change, message] of broken) assert.throws(() => build(change), message);
  });
});
