import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);

let client: Client;
let shop: GoogleShop;
beforeEach(async () => {
  shop = await GoogleShop.open(app, google, 1_000);
  ({ client } = shop);
});

const design = {
  title: 'Blue Bean Club',
  details: 'Ten stamps, one coffee.',
  fields: [
    {
      key: 'tier',
      label: 'Level',
      value: 'Bronze',
      section: 'secondary',
      changeMessage: 'You are now %@',
    },
    // What it says is what a label says as well, and is not translated with it.
    { key: 'note', label: 'Note', value: 'Level', section: 'auxiliary' },
    { key: 'site', label: 'Site', value: 'https://bean.example', section: 'back' },
    { key: 'since', label: 'Since', value: '2027-03-01', format: 'date', section: 'back' },
  ],
  locations: [
    { latitude: 52.5, longitude: 13.4, relevantText: 'A coffee is near' },
    { latitude: 48.1, longitude: 11.5 },
  ],
};
const german = {
  title: 'Blaue Bohne',
  details: 'Zehn Stempel, ein "Kaffee".\nOder zwei.',
  fields: {
    tier: { label: 'Stufe', value: 'Bronze', changeMessage: 'Jetzt %@' },
    note: { label: 'Notiz', value: 'Level' },
    site: { label: 'Seite' },
    since: { label: 'Seit' },
  },
  locations: ['Ein Kaffee ist nah'],
  program: { rewardTitle: 'Kaffee gratis' },
};
const arabic = {
  title: 'نادي البن',
  details: 'عشرة طوابع وقهوة',
  fields: {
    tier: { label: 'المستوى', value: 'برونزي', changeMessage: 'الآن %@' },
    note: { label: 'ملاحظة', value: 'مستوى' },
    site: { label: 'الموقع' },
    since: { label: 'منذ' },
  },
  locations: ['القهوة قريبة'],
  program: { rewardTitle: 'قهوة مجانية' },
};
const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

/** A published pass in three languages, with stamps that are given out. */
async function threeLanguages(): Promise<Json> {
  const pass = await makePass(client, { ...design, translations: { de: german, ar: arabic } });
  const program = await client.post('/loyalty/programs', { passId: pass.passId, ...stamps });
  assert.equal(program.status, 201, program.text);
  assert.deepEqual(program.body.warnings, undefined);
  const path = `/loyalty/programs/${program.body.programId}`;
  assert.equal((await client.patch(path, { status: 'active' })).status, 200);
  return pass;
}

/** All texts that a phone shows of a card. */
async function onPhone(card: Json, languages: string[]): Promise<Record<string, string>> {
  const phone = await phones.add([card], { languages });
  assert.deepEqual(phone.complaints, []);
  const [held] = phone.cards;
  assert.ok(held);
  const { storeCard, logoText, locations } = held.pass as Json;
  const fields: Json[] = Object.values(storeCard as Json).flat() as Json[];
  return {
    title: logoText,
    place: locations[0].relevantText,
    ...Object.fromEntries(fields.map(({ key, label, value }) => [key, `${label}: ${value}`.trim()])),
    changed: fields.find(({ key }) => key === 'tier')?.changeMessage,
  };
}

const inEnglish = {
  title: 'Blue Bean Club',
  place: 'A coffee is near',
  'loyalty-balance': 'Stamps: 0 of 10',
  tier: 'Level: Bronze',
  note: 'Note: Level',
  site: 'Site: https://bean.example',
  since: 'Since: 2027-03-01T00:00:00Z',
  'loyalty-reward': 'Reward: Free coffee: 10 stamps',
  'latest-news': 'News: –',
  details: 'Details: Ten stamps, one coffee.',
  changed: 'You are now %@',
};
const inGerman = {
  title: 'Blaue Bohne',
  place: 'Ein Kaffee ist nah',
  'loyalty-balance': 'Stempel: 0 von 10',
  tier: 'Stufe: Bronze',
  note: 'Notiz: Level',
  site: 'Seite: https://bean.example',
  since: 'Seit: 2027-03-01T00:00:00Z',
  'loyalty-reward': 'Prämie: Kaffee gratis: 10 Stempel',
  'latest-news': 'Neuigkeit: –',
  details: 'Einzelheiten: Zehn Stempel, ein "Kaffee".\nOder zwei.',
  changed: 'Jetzt %@',
};

describe('a card in several languages', () => {
  it('is shown by a phone in the first of its languages that the card has', async () => {
    const card = await makeCard(client, (await threeLanguages()).passId);
    assert.deepEqual(await onPhone(card, ['en']), inEnglish);
    assert.deepEqual(await onPhone(card, ['de-AT', 'en']), inGerman);
    assert.deepEqual(await onPhone(card, ['en-GB', 'de']), inEnglish);
    assert.deepEqual(await onPhone(card, ['ja', 'de']), inGerman);
    assert.deepEqual(await onPhone(card, ['ja']), inEnglish, 'in none of them: in its own');
    const arabicTexts = await onPhone(card, ['ar']);
    assert.equal(arabicTexts.title, arabic.title);
    assert.match(arabicTexts['loyalty-reward'] ?? '', /قهوة مجانية/);
    assert.doesNotMatch(Object.values(arabicTexts).join(), /coffee|Reward|stamps|Kaffee/);
  });

  it('is written by the web card in the language of its holder, and by the page of the link in that of the browser', async () => {
    const { passId } = await threeLanguages();
    const held = await makeCard(client, passId, { holder: { locale: 'de-AT' } });
    const page = (await app.anyone.get(held.links.card)).text;
    for (const text of ['Blaue Bohne', 'Stempel', '0 von 10', 'Kaffee gratis: 10 Stempel', '1. März 2027'])
      assert.ok(page.includes(text) || page.includes(text.replace('1. März 2027', '01.03.2027')), text);
    for (const text of ['Blue Bean Club', 'Stamps', 'Free coffee']) assert.ok(!page.includes(text), text);
    const other = await makeCard(client, passId, { holder: { locale: 'ja' } });
    const fallback = (await app.anyone.get(other.links.card)).text;
    for (const text of ['Blue Bean Club', 'Stamps', '0 of 10', 'Free coffee: 10 stamps'])
      assert.ok(fallback.includes(text), text);
    const free = await makeCard(client, passId);
    const asked = { 'accept-language': 'de,en;q=0.5' };
    const link = await app.anyone.with(asked).get(free.links.add);
    assert.ok(link.text.includes('Blaue Bohne') && !link.text.includes('Blue Bean Club'));
  });

  it('is translated at Google, class and object, and its balance is without words', async () => {
    const pass = await threeLanguages();
    const card = await shop.savedCard(pass);
    const { programName, localizedProgramName, textModulesData } = shop.class(pass);
    assert.equal(programName, 'Blue Bean Club');
    assert.deepEqual(localizedProgramName, {
      defaultValue: { language: 'en', value: 'Blue Bean Club' },
      translatedValues: [
        { language: 'ar', value: arabic.title },
        { language: 'de', value: 'Blaue Bohne' },
      ],
    });
    const details = textModulesData.find(({ id }: Json) => id === 'details');
    assert.deepEqual(
      details.localizedHeader.translatedValues.map(({ language, value }: Json) => [language, value]),
      [
        ['ar', 'التفاصيل'],
        ['de', 'Einzelheiten'],
      ],
    );
    const { loyaltyPoints, textModulesData: own } = shop.object(card);
    assert.equal(loyaltyPoints.balance.string, '0/10');
    assert.equal(loyaltyPoints.localizedLabel.translatedValues[1].value, 'Stempel');
    const reward = own.find(({ id }: Json) => id === 'loyalty-reward');
    assert.equal(reward.localizedBody.translatedValues[1].value, 'Kaffee gratis: 10 Stempel');
    const tier = own.find(({ id }: Json) => id === 'tier');
    assert.deepEqual(
      [tier.localizedHeader.translatedValues.length, tier.localizedBody.translatedValues],
      [2, [{ language: 'ar', value: 'برونزي' }]],
    );
    await client.patch(`/passes/${pass.passId}`, { translations: { de: null, ar: null } });
    await until('Google has the one language', () => shop.class(pass).localizedProgramName === undefined);
    await until('the card, too', () => shop.object(card).loyaltyPoints.localizedLabel === undefined);
    assert.equal(shop.object(card).loyaltyPoints.balance.string, '0 of 10');
  });

  it('is pushed with a change of one translation, and replays show what they did', async () => {
    const pass = await threeLanguages();
    const card = await makeCard(client, pass.passId);
    const phone = await phones.add([card], { languages: ['de'] });
    assert.equal(phone.shows('tier'), 'Bronze');
    const changes = { translations: { de: { ...german, title: 'Bohne Blau' } } };
    const extras = { headers: { 'idempotency-key': 'one-translation' } };
    const path = `/passes/${pass.passId}`;
    const changed = await client.send('PATCH', path, changes, extras);
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(Object.keys(changed.body.translations), ['ar', 'de']);
    const title = () => phone.cards[0]?.pass.logoText;
    await until('the phone shows it', () => title() === 'Bohne Blau');
    const again = await client.send('PATCH', path, changes, extras);
    assert.deepEqual(again.body, changed.body);
  });
});

describe('a translation', () => {
  const lackingOf = ({ body }: { body: Json }) =>
    (body.warnings ?? []).map(({ code, language, missing }: Json) => [code, language, missing]);

  it('lists what it lacks, and is not used before it has all', async () => {
    const pass = await threeLanguages();
    const path = `/passes/${pass.passId}`;
    const card = await makeCard(client, pass.passId, { holder: { locale: 'de' } });
    const { title: _, ...untitled } = german;
    const partly = { ...untitled, fields: { ...german.fields, tier: { label: ' ', value: 'Bronze' } } };
    const changed = await client.patch(path, { translations: { de: { ...partly, program: {} } } });
    const lacking = [
      'translation_incomplete',
      'de',
      ['title', 'fields.tier.label', 'fields.tier.changeMessage', 'program.rewardTitle'],
    ];
    assert.deepEqual(lackingOf(changed), [lacking]);
    assert.deepEqual(lackingOf(await client.get(path)), [lacking]);
    const page = (await app.anyone.get(card.links.card)).text;
    assert.ok(page.includes('Blue Bean Club') && !page.includes('Stufe') && !page.includes('Stempel'));
    assert.deepEqual(await onPhone(card, ['de', 'en']), inEnglish);
    assert.deepEqual(lackingOf(await client.patch(path, { translations: { de: german } })), []);
    assert.ok((await app.anyone.get(card.links.card)).text.includes('Blaue Bohne'));
  });

  it('loses the texts of what the design has no longer', async () => {
    const pass = await makePass(client, { ...design, translations: { de: german } });
    const [tier, ...others] = design.fields;
    assert.ok(tier);
    const changed = await client.patch(`/passes/${pass.passId}`, {
      details: null,
      fields: others.map((field) => (field.key === 'note' ? { ...field, value: null } : field)),
      locations: [design.locations[1], { ...design.locations[0], relevantText: 'Elsewhere' }],
    });
    const { title, program, fields } = german;
    const { site, since } = fields;
    assert.deepEqual(changed.body.translations, {
      de: { title, fields: { note: { label: 'Notiz' }, site, since }, program },
    });
    assert.deepEqual(lackingOf(changed), [['translation_incomplete', 'de', ['locations[1]']]]);
  });

  it('is of the language that its pass names, and copies of the pass have it', async () => {
    const pass = await makePass(client, { ...design, language: 'en_gb', translations: { DE: german } });
    assert.deepEqual([pass.language, Object.keys(pass.translations)], ['en-GB', ['de']]);
    const copy = await client.post(`/passes/${pass.passId}/clone`);
    assert.deepEqual([copy.body.language, copy.body.translations], ['en-GB', pass.translations]);
  });

  it('is refused by path where it does not fit, and nothing is saved', async () => {
    const pass = await makePass(client, { ...design, language: 'en' });
    const path = `/passes/${pass.passId}`;
    const program = await client.post('/loyalty/programs', { passId: pass.passId, ...stamps });
    assert.equal(program.status, 201);
    const wrong: [changes: object, path: string, rule: string][] = [
      [
        { translations: { de: { fields: { nope: { label: 'x' } } } } },
        'translations.de.fields.nope',
        'reference',
      ],
      [{ translations: { de: { terms: 'x' } } }, 'translations.de.terms', 'excluded'],
      [
        { translations: { de: { fields: { since: { value: 'bald' } } } } },
        'translations.de.fields.since.value',
        'excluded',
      ],
      [
        { translations: { de: { fields: { note: { changeMessage: 'x' } } } } },
        'translations.de.fields.note.changeMessage',
        'excluded',
      ],
      [{ translations: { de: { locations: [null, 'x'] } } }, 'translations.de.locations[1]', 'excluded'],
      [{ translations: { de: { locations: [null, null, null] } } }, 'translations.de.locations', 'max_items'],
      [
        { translations: { de: { program: { tiers: { gold: 'Gold' } } } } },
        'translations.de.program.tiers.gold',
        'reference',
      ],
      [{ translations: { en: { title: 'x' } } }, 'translations.en', 'excluded'],
      [{ translations: { 'sl-rozaj': { title: 'x' } } }, 'translations.sl-rozaj', 'format'],
      [{ translations: { de: { title: '' } } }, 'translations.de.title', 'min_length'],
      [{ language: 'ca-valencia' }, 'language', 'format'],
      [{ translations: { de: { title: 'x' }, DE: null } }, 'translations.DE', 'unique'],
    ];
    for (const [changes, at, rule] of wrong) {
      const reply = await client.patch(path, { title: 'changed', ...changes });
      assertRefused(reply, 'invalid_request');
      assert.deepEqual([reply.body.problems[0].path, reply.body.problems[0].rule], [at, rule]);
    }
    const tags = ['aa', 'ab', 'af', 'ak', 'am', 'an', 'as', 'av', 'ay', 'az', 'ba'];
    const many = [...tags, ...tags.map((tag) => `${tag}-DE`)].map((tag) => [tag, { title: 'x' }]);
    assertRefused(await client.patch(path, { translations: Object.fromEntries(many) }), 'invalid_request');
    const long = Object.fromEntries(
      tags.map((tag) => [tag, { details: 'x'.repeat(5_000), terms: 'x'.repeat(5_000) }]),
    );
    const both = { details: 'x', terms: 'x', translations: long };
    const refused = await client.patch(path, both);
    assertRefused(refused, 'invalid_request');
    assert.deepEqual(
      [refused.body.problems[0].path, refused.body.problems[0].rule],
      ['translations', 'max_length'],
    );
    for (const translations of [{ 'no language': {} }, { __proto__x: {} }, { de: { extra: 1 } }, []])
      assertRefused(await client.patch(path, { translations }), 'invalid_request');
    const { title, translations } = (await client.get(path)).body;
    assert.deepEqual([title, translations], [design.title, {}]);
  });
});
