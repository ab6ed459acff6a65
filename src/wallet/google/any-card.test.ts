import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createResources } from '../../../tools/fakes/google-resources.ts';
import { problemsOf } from '../../../tools/fakes/google-validator.ts';
import { checkDigit } from '../../kit/anywhere/check-digit.ts';
import type { GoogleCard, GoogleDesign, GoogleField } from './card.ts';
import { googleWord, withoutNulls } from './resource.ts';
import { fallbackLogoUrl, issuerId } from './sample-card.fixture.ts';
import { walletClass } from './wallet-class.ts';
import { walletObject } from './wallet-object.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const suffix = fc.stringMatching(/^[\w.-]{1,60}$/);

const field: fc.Arbitrary<GoogleField> = fc.record({
  key: fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/),
  label: fc.oneof(text, fc.constant('')),
  section: fc.constantFrom('header', 'primary', 'secondary', 'auxiliary', 'back'),
  editable: fc.boolean(),
  value: orNull(fc.oneof(text, fc.constant(''))),
  uri: orNull(fc.webUrl({ validSchemes: ['https'] })),
});

const moment = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

const locations = fc.array(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  { maxLength: 15, size: 'max' },
);

const design: fc.Arbitrary<GoogleDesign> = fc.record({
  classId: suffix.map((end) => `${issuerId}.${end}`),
  type: fc.constantFrom('loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic'),
  organizationName: text,
  title: text,
  details: orNull(text),
  terms: orNull(text),
  fields: fc
    .uniqueArray(field, { selector: ({ key }) => key, maxLength: 40, size: 'max' })
    .map((fields) => fields.filter(({ key }) => key !== 'details' && key !== 'terms')),
  colors: fc.record({
    background: orNull(
      fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`),
    ),
  }),
  logoUrl: orNull(fc.webUrl({ validSchemes: ['https'] })),
  hero: orNull(fc.record({ url: fc.webUrl({ validSchemes: ['https'] }), description: text })),
  locations,
  date: orNull(fc.record({ start: moment, end: orNull(moment) })),
  actions: fc.array(fc.record({ kind: fc.stringMatching(/^[a-z]{1,12}$/), title: text, uri: fc.webUrl() }), {
    maxLength: 2,
  }),
  modules: fc.array(fc.record({ header: text, body: orNull(text), uri: fc.webUrl() }), { maxLength: 10 }),
  options: fc.record(
    {
      sharing: fc.boolean(),
      screenshots: fc.boolean(),
      expiryNotice: fc.boolean(),
      group: text,
      purpose: fc.constantFrom('membership', 'parking', 'other'),
      androidApp: fc.constant('com.example.shop'),
    },
    { requiredKeys: [] },
  ),
  redemptionIssuers: fc.uniqueArray(fc.stringMatching(/^\d{1,20}$/), { maxLength: 3 }),
  callbackUrl: orNull(fc.webUrl({ validSchemes: ['https'] })),
  language: fc.constantFrom('en', 'he', 'de-AT', 'zh-Hant-TW'),
  words: fc.record({ details: text, terms: text }),
  showsPoints: fc.boolean(),
  hasNewsEnded: fc.boolean(),
});

/** Bars, and what they hold. */
const linear = [
  ['ean13', fc.stringMatching(/^\d{12}$/).map((digits) => `${digits}${checkDigit(digits)}`)],
  ['code39', fc.stringMatching(/^[0-9A-Z \-.$/+%]{1,40}$/)],
  ['codabar', fc.stringMatching(/^[\d\-$:/.+]{2,40}$/)],
  ['itf', fc.stringMatching(/^(\d\d){2,20}$/)],
] as const;

function cardOf({ fields }: GoogleDesign): fc.Arbitrary<GoogleCard> {
  const keys = [...fields.map(({ key }) => key), 'unknown'];
  return fc.record({
    objectId: suffix.map((end) => `${issuerId}.${end}`),
    state: fc.constantFrom('active', 'voided', 'expired'),
    locations: orNull(locations),
    uris: fc.dictionary(fc.constantFrom(...keys), orNull(fc.webUrl({ validSchemes: ['https'] })), {
      maxKeys: 40,
    }),
    values: fc.dictionary(fc.constantFrom(...keys), orNull(fc.oneof(text, fc.constant(''))), {
      maxKeys: 40,
      size: 'max',
    }),
    barcode: orNull(
      fc.oneof(
        fc.record({
          format: fc.constantFrom('qr', 'pdf417', 'aztec', 'code128'),
          value: text,
          altText: orNull(text),
        }),
        ...linear.map(([format, value]) =>
          fc.record({ format: fc.constant(format), value, altText: orNull(text) }),
        ),
      ),
    ),
    expiresAt: orNull(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })),
    hasNewsEnded: fc.boolean(),
    holderName: orNull(text),
    accountId: orNull(text),
    readerMessage: orNull(text),
    points: orNull(fc.record({ label: text, balance: text })),
    money: fc.constantFrom(null, { micros: '12500000', currencyCode: 'EUR' }),
    hero: orNull(fc.record({ url: fc.webUrl({ validSchemes: ['https'] }), description: text })),
  });
}

const designAndCard = design.chain((made) => cardOf(made).map((card) => ({ design: made, card })));

test('Google takes the class and the object of whatever card', () => {
  fc.assert(
    fc.property(designAndCard, (made) => {
      const word = googleWord[made.design.type];
      const json = walletClass(made.design, fallbackLogoUrl);
      assert.deepEqual(problemsOf(word, 'Class', withoutNulls(json)), []);
      assert.deepEqual(problemsOf(word, 'Object', withoutNulls(walletObject(made.card, made.design))), []);
    }),
    { numRuns: 500 },
  );
});

test('after a change, Google has what it would have if nothing had been there before', () => {
  fc.assert(
    fc.property(designAndCard, designAndCard, ({ design: before, card }, after) => {
      const ids = { classId: before.classId, type: before.type };
      const later = { design: { ...after.design, ...ids }, card: { ...after.card, objectId: card.objectId } };
      assert.deepEqual(stored([{ design: before, card }, later]), stored([later]));
    }),
    { numRuns: 300 },
  );
});

/** What Google has after the first is inserted and the others are patched over it. */
function stored(states: readonly { design: GoogleDesign; card: GoogleCard }[]): unknown[] {
  const resources = createResources(issuerId, () => new Date());
  for (const [at, { design: shown, card }] of states.entries()) {
    const word = googleWord[shown.type];
    for (const [kind, json] of [
      ['Class', walletClass(shown, fallbackLogoUrl)],
      ['Object', walletObject(card, shown)],
    ] as const) {
      const { status, body } =
        at === 0
          ? resources.insert({ word, kind }, withoutNulls(json))
          : resources.patch({ word, kind }, json.id, json);
      assert.equal(status, 200, JSON.stringify(body));
    }
  }
  // Without messages there is none, whichever way it is said.
  return resources
    .all()
    .map(({ messages, ...rest }) =>
      Array.isArray(messages) && messages.length > 0 ? { messages, ...rest } : rest,
    );
}
