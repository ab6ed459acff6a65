import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Punchcard, PunchcardError } from '../sdk/typescript/src/index.ts';
import { makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

/** By an address that only is known at run time: the pages are compiled with the types of a browser. */
const web = (name: string) => import(new URL(`../web/${name}.ts`, import.meta.url).href);
const { addSentences, fieldOf, sentenceOf } = await web('shared/api-error');
const { language } = await web('shared/language');
const { consoleErrors } = await web('texts/console-errors');
addSentences(consoleErrors);

const app = await startTestApp({ WORKERS: 'off' });
const { client } = await app.newWorkspace();
const api = new Punchcard({ baseUrl: app.url, apiKey: client.secret ?? '' });
const { passId } = await makePass(client);

const pass = { title: 'Blue Bean', type: 'loyalty', barcode: { mode: 'unique' } } as const;
const field = { key: 'seat', label: 'Seat', section: 'primary', value: '1' } as const;
const inFuture = new Date(Date.now() + 86_400_000).toISOString();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Forms: what is sent, the field that it is about, and the text there. */
const refused: readonly (readonly [
  what: string,
  send: () => PromiseLike<unknown>,
  field: string,
  en: string,
  de: string,
])[] = [
  [
    'an empty title',
    () => api.passes.create({ ...pass, title: '' }),
    'title',
    'This is needed.',
    'Diese Angabe fehlt.',
  ],
  [
    'a title of blanks',
    () => api.passes.create({ ...pass, title: '  ' }),
    'title',
    'This is needed.',
    'Diese Angabe fehlt.',
  ],
  [
    'a long title',
    () => api.passes.create({ ...pass, title: 'x'.repeat(500) }),
    'title',
    'At most 120 characters.',
    'Höchstens 120 Zeichen.',
  ],
  [
    'a colour',
    () => api.passes.create({ ...pass, colors: { label: 'red' } }),
    'colors.label',
    'This is not a colour: write it as #10324a.',
    'Das ist keine Farbe: Schreiben Sie sie als #10324a.',
  ],
  [
    'a key',
    () => api.passes.create({ ...pass, fields: [{ ...field, key: 'Seat' }] }),
    'fields[0].key',
    'Small letters, digits and _, beginning with a letter.',
    'Kleinbuchstaben, Ziffern und _, am Anfang ein Buchstabe.',
  ],
  [
    'a key of the pass itself',
    () => api.passes.create({ ...pass, fields: [{ ...field, key: 'terms' }] }),
    'fields[0].key',
    'This word is taken by the pass itself. Choose another one.',
    'Dieses Wort gehört der Karte selbst. Nehmen Sie ein anderes.',
  ],
  [
    'a key twice',
    () => api.passes.create({ ...pass, fields: [field, field] }),
    'fields[1].key',
    'This is used already. Choose another one.',
    'Das ist schon vergeben. Nehmen Sie etwas anderes.',
  ],
  [
    'a pass without its code',
    () => api.passes.create({ ...pass, barcode: { mode: 'simple' } }),
    'barcode.value',
    'Every card needs the code here.',
    'Hier fehlt der Code, den alle Karten haben.',
  ],
  [
    'an address of a holder',
    () => api.instances.issue(passId, { holder: { email: 'ada' } }),
    'holder.email',
    'This is not in the right form.',
    'Das hat nicht die richtige Form.',
  ],
  [
    'an end that is past',
    () => api.instances.issue(passId, { holder: { identifier: 'ada' }, expiresAt: daysAgo(1) }),
    'expiresAt',
    'This is past.',
    'Das ist vorbei.',
  ],
  [
    'no points',
    () => api.loyalty.earn({ passId, identifier: 'ada', points: 0 }),
    'points',
    'At least 1.',
    'Mindestens 1.',
  ],
  [
    'a webhook for nothing',
    () => api.webhooks.create({ url: 'https://example.com/', types: [] }),
    'types',
    'Choose at least one.',
    'Wählen Sie mindestens eins.',
  ],
  [
    'an order of a tenth of a cent',
    () =>
      api.orders.process({
        passId,
        orderId: '1',
        customer: { id: 'ada' },
        total: { amount: '1.005', currency: 'EUR' },
      }),
    'total.amount',
    'At most 2 decimals.',
    'Höchstens 2 Nachkommastellen.',
  ],
];

async function errorOf(send: () => PromiseLike<unknown>): Promise<PunchcardError> {
  try {
    await send();
  } catch (error) {
    assert.ok(error instanceof PunchcardError);
    assert.equal(error.code, 'invalid_request', error.message);
    return error;
  }
  throw new assert.AssertionError({ message: 'it was not refused' });
}

describe('what forms say of a refusal', () => {
  for (const [what, send, name, en, de] of refused) {
    it(`finds the field of ${what}, and says in both languages what to do`, async () => {
      const error = await errorOf(send);
      assert.equal(fieldOf(error, ['other', name]), name, error.message);
      for (const [spoken, sentence] of [
        ['en', en],
        ['de', de],
      ] as const) {
        language.value = spoken;
        assert.equal(sentenceOf(error, name), sentence, error.message);
      }
    });
  }

  it('gives a problem within a field to the field', async () => {
    const error = await errorOf(() => api.passes.create({ ...pass, fields: [{ ...field, key: 'Seat' }] }));
    assert.equal(fieldOf(error, ['title', 'fields']), 'fields');
    assert.equal(fieldOf(error, ['title']), null);
  });

  it('says in the words of the service what it has none for, and names the property where no field does', async () => {
    const error = await errorOf(() => api.passes.create({ ...pass, type: 'ticket' as 'coupon' }));
    assert.match(sentenceOf(error, 'type'), /^Must be one of "/);
    assert.match(sentenceOf(error), /^type must be one of "/);
    const missing = await errorOf(() => api.passes.create({ type: 'coupon' } as never));
    assert.match(sentenceOf(missing), /^title is required/);
  });

  it('has a day that is yet to come, and one that is long past', async () => {
    const { webhookId } = await api.webhooks.create({ url: 'https://example.com/', types: ['*'] });
    const sentenceSince = async (since: string) => {
      language.value = 'en';
      return sentenceOf(await errorOf(() => api.webhooks.recover(webhookId, { since })), 'since');
    };
    assert.equal(await sentenceSince(inFuture), 'This is yet to come.');
    assert.equal(await sentenceSince(daysAgo(20)), 'At most 14 days ago.');
  });
});
