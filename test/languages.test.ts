import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inviteByMail, inviteLinks } from '../src/commerce/invites/invites.fixture.ts';
import { makeJoinPass, proofLink, sendForm, stranger } from '../src/joining/join.fixture.ts';
import { languages } from '../src/words/languages.ts';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import type { Client } from './client.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';

const mailbox = await Mailbox.start();
after(() => mailbox.close());
const app = await startTestApp({
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'cards@shop.example',
  MAIL_PER_MINUTE: '9999',
  TRUST_PROXY: '127.0.0.1/32',
});
let client: Client;

/** Sentences of a language, as far as they are the same whatever is filled in. */
function sentencesOf(words: object): string[] {
  return Object.values(words).flatMap((value) =>
    typeof value === 'string'
      ? value
          .split(/\{\w+\}/)
          .map((part) => part.trim())
          .filter((part) => /\p{L}{2}/u.test(part))
      : sentencesOf(value),
  );
}
const english = new Set(sentencesOf(languages.en));

/** What somebody reads or hears of a page: its text nodes and the attributes that hold a text. */
function readable(html: string): string[] {
  const body = html.replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>/g, '');
  const attributes = [
    ...body.matchAll(/\s(?:title|alt|placeholder|content|aria-label|data-[a-z]+)="([^"]*)"/g),
  ];
  const texts = [...body.matchAll(/>([^<]+)</g)];
  return [...texts, ...attributes]
    .map(([, text = '']) =>
      text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&').trim(),
    )
    .filter((text) => text !== '');
}

/** The shop's own words, which no language has. */
const own = { shop: 'Qxbean', title: 'Qxclub' };

before(async () => {
  ({ client } = await app.newWorkspace());
  await client.patch('/workspace', { name: own.shop });
});

interface Written {
  readonly what: string;
  readonly html: string;
}

/** Every page and mail that somebody of that language gets to see. */
async function everything(language: string): Promise<Written[]> {
  const asking = stranger(app).with({ accept: 'text/html', 'accept-language': language });
  const written: Written[] = [];
  const look = async (path: string, status = 200, what = path) => {
    const reply = await asking.get(path);
    assert.equal(reply.status, status, `${path}: ${reply.text}`);
    written.push({ what, html: reply.text });
  };
  const design = { title: own.title, fields: [] };
  const holder = { name: 'Qxada', locale: language };
  for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard']) {
    const pass = await makePass(client, { ...design, type });
    const card = await makeCard(client, pass.passId, { holder });
    for (const [agent, name] of [
      ['iPhone', 'an iPhone'],
      ['Android', 'Android'],
      ['', 'a computer'],
    ] as const) {
      const page = await asking.with({ 'user-agent': agent }).get(card.links.add);
      written.push({ what: `${type} on ${name}`, html: page.text });
    }
    await look(card.links.card, 200, `web card, ${type}`);
    if (type === 'coupon') {
      await client.post(`/instances/${card.instanceId}/void`);
      await look(card.links.add, 200, 'voided');
      await look(card.links.card, 200, 'voided web card');
    }
  }
  const expired = await makePass(client, {
    ...design,
    expiry: { kind: 'fixed', at: '2020-01-01T00:00:00Z' },
  });
  const old = await makeCard(client, expired.passId, { holder });
  await look(old.links.add, 200, 'expired');
  const { passId } = await makePass(client, design);
  const email = `${language}-invited@example.com`;
  const mail = await inviteByMail({ client, mailbox }, passId, { email, locale: language } as never);
  written.push({ what: 'the mail of an invitation', html: mail.html });
  const links = inviteLinks(app, mail);
  await look(links.claim);
  await look(links.unsubscribe);
  const gone = await asking.send('POST', links.unsubscribe, '', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  written.push({ what: 'unsubscribed', html: gone.text });

  const fields = [{ key: 'name' }, { key: 'email' }, { key: 'phone' }];
  const joining = await makeJoinPass(client, { fields, consents: [] }, design);
  await look(`/join/${joining.passId}`);
  const address = `${language}-joined@example.com`;
  const sent = await sendForm(asking, joining.passId, { name: 'Qxada', email: address });
  written.push({ what: 'look into your mail', html: sent.text });
  const proof = await mailbox.mailTo(address);
  written.push({ what: 'the mail that proves an address', html: proof.html });
  await look(proofLink(app, proof));

  await look('/p/nobodys', 404);
  await look('/join/nobodys', 404);
  await look(`/join/${joining.passId}/confirm/x`, 400);
  const wrong = await sendForm(asking, joining.passId, { email: 'x' });
  assert.equal(wrong.status, 400);
  written.push({ what: 'a form that does not fit', html: wrong.text });
  return written;
}

describe('every page and mail', () => {
  for (const language of Object.keys(languages))
    it(`is whole in ${language}`, async () => {
      const words = languages[language] ?? languages.en;
      const its = new Set(sentencesOf(words));
      for (const { what, html } of await everything(language)) {
        const [tag = ''] = /<html[^>]*>/.exec(html) ?? [];
        assert.match(tag, new RegExp(`lang="${language}"`), what);
        assert.equal(tag.includes('dir="rtl"'), language === 'ar', what);
        const texts = readable(html);
        assert.ok(texts.length > 3, what);
        if (language === 'en') continue;
        const left = texts.filter((text) =>
          [...english].some(
            (sentence) =>
              text.includes(sentence) && sentence.length > 3 && !its.has(sentence) && isWhole(text, sentence),
          ),
        );
        assert.deepEqual(left, [], `${what} has English in it`);
      }
    });
});

/** Whether a sentence stands in a text by itself, and is no part of a longer word. */
function isWhole(text: string, sentence: string): boolean {
  const at = text.indexOf(sentence);
  const [beforeIt = ' ', afterIt = ' '] = [text[at - 1], text[at + sentence.length]];
  return !/\p{L}/u.test(beforeIt) && !/\p{L}/u.test(afterIt);
}
