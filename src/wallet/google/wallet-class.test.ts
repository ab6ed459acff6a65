import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemsOf } from '../../../tools/fakes/google-validator.ts';
import type { GoogleCardType, GoogleDesign } from './card.ts';
import { googleWord, withoutNulls } from './resource.ts';
import { fallbackLogoUrl, field, fields, issuerId, plainDesign } from './sample-card.fixture.ts';
import { walletClass } from './wallet-class.ts';

const english = (value: string) => ({ defaultValue: { language: 'en', value } });

/** What every class has, whatever its type. */
const bare = {
  id: `${issuerId}.pass`,
  linksModuleData: null,
  valueAddedModuleData: null,
  appLinkData: null,
  viewUnlockRequirement: null,
  securityAnimation: null,
  enableSmartTap: null,
  redemptionIssuers: null,
  textModulesData: [],
  classTemplateInfo: null,
  merchantLocations: [],
  multipleDevicesAndHoldersAllowedStatus: 'MULTIPLE_HOLDERS',
  callbackOptions: null,
};
const reviewed = {
  issuerName: 'Example Coffee',
  reviewStatus: 'UNDER_REVIEW',
  hexBackgroundColor: null,
  heroImage: null,
};

function build(change: Partial<GoogleDesign> = {}): Record<string, unknown> {
  return walletClass({ ...plainDesign, ...change }, fallbackLogoUrl);
}

/** The front of the card: the paths of each row. */
function front(change: Partial<GoogleDesign>): string[][] {
  const info = JSON.parse(JSON.stringify(build(change).classTemplateInfo));
  return (info?.cardTemplateOverride.cardRowTemplateInfos ?? []).map((row: unknown) =>
    [...JSON.stringify(row).matchAll(/"fieldPath":"([^"]+)"/g)].map(([, path]) => path ?? ''),
  );
}

describe('walletClass', () => {
  it('gives each type what Google requires of it', () => {
    const logo = {
      sourceUri: { uri: fallbackLogoUrl },
      contentDescription: english('Example Coffee'),
    };
    const expected: Record<GoogleCardType, object> = {
      loyalty: { ...bare, ...reviewed, programName: 'Coffee Club', programLogo: logo },
      coupon: {
        ...bare,
        ...reviewed,
        title: 'Coffee Club',
        provider: 'Example Coffee',
        redemptionChannel: 'BOTH',
        titleImage: null,
        details: null,
        finePrint: null,
      },
      eventTicket: {
        ...bare,
        ...reviewed,
        eventName: english('Coffee Club'),
        logo: null,
        dateTime: null,
        finePrint: null,
      },
      giftCard: {
        ...bare,
        ...reviewed,
        merchantName: 'Coffee Club',
        programLogo: null,
        allowBarcodeRedemption: true,
      },
      generic: bare,
    };
    for (const [type, json] of Object.entries(expected) as [GoogleCardType, object][]) {
      assert.deepEqual(build({ type }), json, type);
      assert.deepEqual(problemsOf(googleWord[type], 'Class', withoutNulls(json)), [], type);
    }
  });

  it('shows everything a design has', () => {
    const whole = build({
      details: 'Ten stamps, one coffee.',
      terms: 'One card per guest.',
      fields: [
        field({ key: 'hours', label: 'Open', value: '8–18', section: 'back', editable: false }),
        field({ key: 'offer', label: 'Offer', value: 'Free bun', section: 'primary', editable: false }),
        field({ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }),
        field({ key: 'since', label: '', value: '1999', section: 'auxiliary', editable: false }),
      ],
      colors: { background: '#10324a' },
      logoUrl: 'https://cards.example.com/own.png',
      hero: { url: 'https://cards.example.com/hero.png', description: 'Coffee Club' },
      locations: [{ latitude: 52.5, longitude: 13.4 }],
      callbackUrl: 'https://cards.example.com/google/callback',
      language: 'de-AT',
      showsPoints: true,
    });
    const item = (fieldPath: string) => ({ firstValue: { fields: [{ fieldPath }] } });
    assert.deepEqual(whole, {
      ...bare,
      ...reviewed,
      hexBackgroundColor: '#10324a',
      programName: 'Coffee Club',
      programLogo: {
        sourceUri: { uri: 'https://cards.example.com/own.png' },
        contentDescription: { defaultValue: { language: 'de-AT', value: 'Example Coffee' } },
      },
      heroImage: {
        sourceUri: { uri: 'https://cards.example.com/hero.png' },
        contentDescription: { defaultValue: { language: 'de-AT', value: 'Coffee Club' } },
      },
      linksModuleData: null,
      valueAddedModuleData: null,
      textModulesData: [
        { id: 'offer', header: 'Offer', body: 'Free bun' },
        { id: 'since', body: '1999' },
        { id: 'hours', header: 'Open', body: '8–18' },
        { id: 'details', header: 'Details', body: 'Ten stamps, one coffee.' },
        { id: 'terms', header: 'Terms', body: 'One card per guest.' },
      ],
      classTemplateInfo: {
        cardTemplateOverride: {
          cardRowTemplateInfos: [
            {
              twoItems: {
                startItem: item('object.loyaltyPoints.balance'),
                endItem: item("class.textModulesData['offer']"),
              },
            },
            { oneItem: { item: item("object.textModulesData['tier']") } },
            { oneItem: { item: item("class.textModulesData['since']") } },
          ],
        },
      },
      merchantLocations: [{ latitude: 52.5, longitude: 13.4 }],
      callbackOptions: { url: 'https://cards.example.com/google/callback' },
    });
    assert.deepEqual(problemsOf('loyalty', 'Class', withoutNulls(whole)), []);
  });

  it('puts details and terms where the type has a place for them', () => {
    const prose = { details: 'Ten stamps.', terms: 'One per guest.' };
    const coupon = build({ type: 'coupon', ...prose });
    assert.deepEqual(
      [coupon.details, coupon.finePrint, coupon.textModulesData],
      ['Ten stamps.', 'One per guest.', []],
    );
    const ticket = build({ type: 'eventTicket', ...prose });
    assert.deepEqual(ticket.finePrint, english('One per guest.'));
    assert.deepEqual(ticket.textModulesData, [{ id: 'details', header: 'Details', body: 'Ten stamps.' }]);
  });

  it('has at most three items in each of the three rows of the front', () => {
    const many = [
      ...fields(2, 'h', { section: 'header' }),
      ...fields(4, 'p', { section: 'primary' }),
      ...fields(4, 's', { section: 'secondary' }),
      ...fields(2, 'a', { section: 'auxiliary' }),
      ...fields(2, 'b', { section: 'back' }),
    ];
    const own = (...keys: string[]) => keys.map((key) => `object.textModulesData['${key}']`);
    assert.deepEqual(front({ fields: many }), [
      own('h0', 'h1', 'p0'),
      own('s0', 's1', 's2'),
      own('a0', 'a1'),
    ]);
    assert.deepEqual(front({ fields: many, showsPoints: true })[0], [
      'object.loyaltyPoints.balance',
      ...own('h0', 'h1'),
    ]);
    // Points are a matter of loyalty cards.
    assert.deepEqual(front({ fields: many, showsPoints: true, type: 'generic' })[0], own('h0', 'h1', 'p0'));
    assert.deepEqual(front({ fields: fields(2, 'b', { section: 'back' }) }), []);
  });

  it('keeps no place on the front for a shared field without a value', () => {
    const empty = { section: 'header', editable: false } as const;
    assert.deepEqual(
      front({ fields: [field({ ...empty, value: null }), field({ ...empty, key: 'e', value: '' })] }),
      [],
    );
  });

  it('keeps within ten texts: details, terms and the front stay', () => {
    const many = [
      ...fields(9, 'b', { section: 'back', editable: false, value: 'v' }),
      ...fields(3, 's', { section: 'secondary', editable: false, value: 'v' }),
    ];
    const json = build({ fields: many, details: 'd', terms: 't' });
    const ids = (json.textModulesData as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids, ['s0', 's1', 's2', 'b0', 'b1', 'b2', 'b3', 'b4', 'details', 'terms']);
    assert.deepEqual(problemsOf('loyalty', 'Class', withoutNulls(json)), []);
  });

  it('keeps the first ten locations', () => {
    const places = Array.from({ length: 12 }, (_, latitude) => ({ latitude, longitude: 0 }));
    assert.deepEqual(build({ locations: places }).merchantLocations, places.slice(0, 10));
  });

  it('hands every text on as it is', () => {
    const text = '"<b>&amp;\\\u2028</script>\n🎁 \u202eקפה\u202c ٪100 % {0}';
    const json = build({ title: text, organizationName: text, details: text, language: 'he' });
    assert.equal(json.programName, text);
    assert.deepEqual(JSON.parse(JSON.stringify(json)).textModulesData, [
      { id: 'details', header: 'Details', body: text },
    ]);
  });

  it('gives equal JSON for equal designs, in a fixed order of members', () => {
    const text = JSON.stringify(build({ fields: fields(5, 'f', {}) }));
    assert.equal(JSON.stringify(build({ fields: fields(5, 'f', {}) })), text);
    assert.match(text, /^\{"id":"[^"]+","issuerName":/);
  });

  it('refuses what Google would refuse, and says what to do', () => {
    const broken: [Partial<GoogleDesign>, RegExp][] = [
      [{ classId: 'pass' }, /classId/],
      [{ classId: `${issuerId}.a/b` }, /classId/],
      [{ title: '' }, /title is empty/],
      [{ organizationName: '' }, /organizationName is empty/],
      [{ language: '' }, /language/],
      [{ language: 'en_US' }, /language.*BCP 47/],
      [{ colors: { background: 'red' } }, /colors\.background.*#rrggbb/],
      [{ logoUrl: 'logo.png' }, /logoUrl/],
      [{ logoUrl: 'javascript:alert(1)' }, /logoUrl/],
      [{ hero: { url: 'hero.png', description: 'Beans' } }, /hero\.url/],
      [{ callbackUrl: 'http://cards.example.com/google/callback' }, /callbackUrl.*https/],
      [{ callbackUrl: 'https://' }, /callbackUrl/],
      [{ locations: [{ latitude: 91, longitude: 0 }] }, /not on Earth/],
      [{ locations: [{ latitude: Number.NaN, longitude: 0 }] }, /not on Earth/],
      [{ fields: [field({ key: 'a.b' })] }, /"a\.b"/],
      [{ fields: [field({ key: "a']" })] }, /field key/],
      [{ fields: [field({}), field({})] }, /"k" is taken/],
      [{ fields: [field({ key: 'terms' })] }, /"terms" is taken/],
    ];
    for (const [change, message] of broken) assert.throws(() => build(change), message);
    assert.throws(() => walletClass(plainDesign, 'none'), /fallbackLogoUrl/);
  });
});
